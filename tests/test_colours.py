"""Colour words: which of them a prompt says, and that the table's regions hold what bears their names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from watercolour.colours import COLOURS, SYNONYMS, bin_labs, colours_in, count_colours, to_lab

NAMED = {
    "red": "#d01f2a",
    "crimson": "#b0123c",
    "scarlet": "#e0301e",
    "coral": "#f0705c",
    "peach": "#f7bfa0",
    "orange": "#f08a24",
    "gold": "#d8a420",
    "yellow": "#f2d84c",
    "cream": "#f0e2bc",
    "white": "#f6f4f0",
    "grey": "#8c8e90",
    "black": "#1e1c1c",
    "brown": "#6e4626",
    "pink": "#f2a6bc",
    "magenta": "#c2307a",
    "violet": "#6c3aa8",
    "lilac": "#c4a8dc",
    "blue": "#3a62c8",
    "navy": "#1e2a62",
    "turquoise": "#2cb0b0",
    "green": "#5d9a4a",
}


def rgb(text: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(text.removeprefix("#")))


@pytest.mark.parametrize(
    ("text", "colours"),
    [
        ("a white hibiscus with a red eye", ("white", "red")),
        ("A Purple hibiscus, purple all over", ("violet",)),
        ("a blue-violet hibiscus", ("blue", "violet")),
        ("a golden gray bird", ("gold", "grey")),
        ("a hibiscus", ()),
        ("a reddish bird with a greenfinch", ()),
        ("", ()),
    ],
)
def test_words_are_taken_whole_in_order_and_once(text: str, colours: tuple[str, ...]) -> None:
    assert colours_in(text) == colours


def test_synonyms_are_of_the_table_and_not_in_it() -> None:
    assert set(SYNONYMS.values()) <= set(COLOURS)
    assert not set(SYNONYMS) & set(COLOURS)


# Published values of CIELAB for the corners of sRGB under D65.
@pytest.mark.parametrize(
    ("colour", "lab"),
    [
        ("#ffffff", (100, 0, 0)),
        ("#000000", (0, 0, 0)),
        ("#ff0000", (53.24, 80.09, 67.20)),
        ("#00ff00", (87.73, -86.18, 83.18)),
        ("#0000ff", (32.30, 79.19, -107.86)),
        ("#808080", (53.59, 0, 0)),
    ],
)
def test_lab_of_known_colours(colour: str, lab: tuple[float, ...]) -> None:
    assert to_lab(rgb(colour)) == pytest.approx(lab, abs=0.02)


def test_every_word_of_the_table_has_a_colour_that_is_it_and_most_others_are_not() -> None:
    assert set(NAMED) == set(COLOURS)
    for name, colour in NAMED.items():
        memberships = {each: float(COLOURS[each].membership(to_lab(rgb(colour)))) for each in COLOURS}
        assert memberships[name] == 1, (name, memberships)
        assert sum(each > 0.5 for each in memberships.values()) <= 3, (name, memberships)


@pytest.mark.parametrize(
    ("colour", "others"),
    [
        ("peach", "coral magenta yellow white blue"),
        ("coral", "peach magenta yellow white blue"),
        ("magenta", "peach coral yellow white blue"),
        ("yellow", "peach coral magenta white blue"),
        ("white", "peach coral magenta yellow blue"),
        ("blue", "violet green turquoise magenta"),
        ("violet", "blue magenta red"),
    ],
)
def test_colours_of_different_flowers_do_not_pass_for_each_other(colour: str, others: str) -> None:
    lab = to_lab(rgb(NAMED[colour]))
    assert max(float(COLOURS[other].membership(lab)) for other in others.split()) < 0.5


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_memberships_lie_between_0_and_1_and_move_gently(colour: tuple[int, int, int]) -> None:
    lab = to_lab(colour)
    near = lab + np.array([0.5, 0, 0])
    for each in COLOURS.values():
        value = float(each.membership(lab))
        assert 0 <= value <= 1
        assert abs(value - float(each.membership(near))) < 0.06


@given(st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=40))
def test_counting_keeps_every_pixel_near_its_colour(colours: list[tuple[int, int, int]]) -> None:
    pixels = np.array([colours], np.uint8)
    places, counts = count_colours(pixels)
    assert counts.sum() == len(colours)
    assert (counts > 0).all()
    step = 8
    expected = {((r // step) * 32 + g // step) * 32 + b // step for r, g, b in colours}
    assert set(places.tolist()) == expected
    middle = to_lab([(channel // step) * step + 4 for channel in colours[0]])
    place = ((colours[0][0] // step) * 32 + colours[0][1] // step) * 32 + colours[0][2] // step
    assert bin_labs()[place] == pytest.approx(middle)
