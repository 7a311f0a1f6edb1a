"""The log of key presses: what counts is folded from it, whatever was undone, repeated or torn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watercolour.curate.ratings import (
    RATINGS,
    Answer,
    Mode,
    Press,
    append_press,
    check_rater,
    current,
    current_pairs,
    current_tiers,
    default_rater,
    now,
    parse_press,
    raters,
    read_presses,
    read_tiers,
    standing,
)
from watercolour.errors import ConfigError, InfraError
from watercolour.references import Tier


def press(answer: str, *ids: str, mode: Mode = Mode.RATE, rater: str = "first", number: int = 0) -> Press:
    mode = Mode.PAIR if len(ids) == 2 else mode
    return Press(now(), rater, "one sitting", f"press-{number}", mode, ids, Answer(answer), 1.5)


def test_the_last_line_of_a_painting_counts() -> None:
    presses = [press("love", "a"), press("nope", "b"), press("okay", "a")]
    assert current_tiers(presses) == {"a": Tier.OKAY, "b": Tier.NOPE}


def test_undo_brings_back_what_stood_before() -> None:
    presses = [press("love", "a"), press("okay", "a"), press("nope", "b"), press("undo", "a")]
    assert current_tiers(presses) == {"a": Tier.LOVE, "b": Tier.NOPE}
    assert current_tiers([*presses, press("undo", "a"), press("undo", "a")]) == {"b": Tier.NOPE}


def test_a_skipped_painting_has_no_tier_but_is_known_as_seen() -> None:
    presses = [press("skip", "a"), press("love", "b")]
    assert current_tiers(presses) == {"b": Tier.LOVE}
    assert [each.answer for each in current(presses, Mode.RATE).values()] == [Answer.SKIP, Answer.LOVE]


def test_a_second_opinion_replaces_nothing() -> None:
    presses = [press("love", "a"), press("nope", "a", mode=Mode.RERATE), press("undo", "a", mode=Mode.RERATE)]
    assert current_tiers(presses[:2]) == {"a": Tier.LOVE}
    assert current_tiers(presses[:2], Mode.RERATE) == {"a": Tier.NOPE}
    assert current_tiers(presses, Mode.RERATE) == {}


def test_a_pair_is_one_whichever_is_left() -> None:
    presses = [press("left", "a", "b"), press("tie", "c", "a"), press("left", "b", "a"), press("skip", "b", "c")]
    assert [(each.ids, each.answer) for each in current_pairs(presses)] == [
        (("c", "a"), Answer.TIE),
        (("b", "a"), Answer.LEFT),
    ]
    assert [each.ids for each in current_pairs([*presses, press("undo", "a", "b")])] == [("a", "b"), ("c", "a")]


ANSWERS = st.sampled_from(["love", "okay", "nope", "skip", "undo"])


@given(st.lists(st.tuples(st.sampled_from("abc"), ANSWERS), max_size=30))
def test_folding_is_a_stack_a_painting(said: list[tuple[str, str]]) -> None:
    stacks: dict[str, list[str]] = {}
    for name, answer in said:
        stack = stacks.setdefault(name, [])
        if answer != "undo":
            stack.append(answer)
        elif stack:
            stack.pop()
    expected = {name: stack[-1] for name, stack in stacks.items() if stack and stack[-1] != "skip"}
    presses = [press(answer, name) for name, answer in said]
    assert current_tiers(presses) == expected
    assert len(standing(presses)) == sum(map(len, stacks.values()))


def test_what_is_appended_is_read_back(tmp_path: Path) -> None:
    told = [press("love", "ä <b>"), press("tie", "a", "b"), press("skip", "c", rater="second")]
    for each in told:
        append_press(tmp_path, each)
    assert read_presses(tmp_path) == told
    assert read_presses(tmp_path, "second") == told[2:]
    assert raters(told) == ["first", "second"]


@given(st.integers(min_value=1, max_value=200))
def test_a_torn_last_line_is_skipped_and_then_cut(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    folder = tmp_path_factory.mktemp("torn")
    append_press(folder, press("love", "a"))
    append_press(folder, press("nope", "b"))
    path = folder / RATINGS
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    path.write_bytes(whole[: max(first, len(whole) - cut)])
    assert [each.ids for each in read_presses(folder)] == [("a",)]
    append_press(folder, press("okay", "c"))
    assert [each.ids for each in read_presses(folder)] == [("a",), ("c",)]


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({"rater": "x", "id": "a", "tier": "like"}, "'like' is not a valid Answer"),
        ({"rater": "x", "id": "a"}, "lacks 'tier'"),
        ({"rater": "x", "id": "a", "tier": "left"}, "left answers nothing in mode rate"),
        ({"rater": "x", "id": 3, "tier": "love"}, "must be texts"),
        ({"rater": "x", "mode": "pair", "left": "a", "right": "a", "answer": "tie"}, "compared with itself"),
        ({"rater": "x", "mode": "pair", "left": "a", "answer": "tie"}, "lacks 'right'"),
        ({"id": "a", "tier": "love"}, "lacks 'rater'"),
    ],
)
def test_a_line_that_is_no_press_is_named(record: dict[str, object], says: str) -> None:
    with pytest.raises(ConfigError, match=r"^here:7: not a rating") as caught:
        parse_press(record, "here:7")
    assert says in str(caught.value)


def test_a_broken_line_in_the_middle_is_named(tmp_path: Path) -> None:
    line = json.dumps(press("love", "a").record())
    (tmp_path / RATINGS).write_text(f"{line}\nrubbish\n{line}\n")
    with pytest.raises(InfraError, match=r"ratings\.jsonl:2"):
        read_presses(tmp_path)


def test_whose_tiers_is_asked_when_there_are_several(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nothing is rated yet"):
        read_tiers(tmp_path)
    append_press(tmp_path, press("love", "a"))
    assert read_tiers(tmp_path) == {"a": Tier.LOVE}
    append_press(tmp_path, press("nope", "a", rater="second"))
    with pytest.raises(ConfigError, match="rated by first, second: choose one with --rater"):
        read_tiers(tmp_path)
    assert read_tiers(tmp_path, "second") == {"a": Tier.NOPE}
    with pytest.raises(ConfigError, match="--rater third: has rated nothing here"):
        read_tiers(tmp_path, "third")


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 65])
def test_a_raters_name_is_checked(name: str) -> None:
    with pytest.raises(ConfigError, match="--rater"):
        check_rater(name)
    assert check_rater(default_rater())
