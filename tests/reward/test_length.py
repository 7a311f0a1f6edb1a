"""Length: code counts, comments and stuffing do not."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watercolour.errors import ConfigError
from watercolour.painting import Painting, RenderOutcome
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.length import LengthTerm, TokenCount, code_tokens
from watercolour.sketch import Sketch

SOURCE = "function setup(){createCanvas(600,600,WEBGL);}\nfunction draw(){\n  brush.circle(300, 300, 90);\n}\n"


def score(term: LengthTerm, *sources: str, outcome: RenderOutcome = RenderOutcome.OK) -> list[Score]:
    return asyncio.run(term.score([Painting(Sketch(source), outcome) for source in sources], ScoreContext()))


@pytest.mark.parametrize(
    "stuffed",
    [
        "// a petal, then another\n" * 500 + SOURCE,
        "/* a petal */" * 500 + SOURCE,
        SOURCE.replace(" ", " " * 500).replace("\n", "\n\n\n\n\t"),
        SOURCE + ";" * 5000,
        SOURCE + "'a petal, then another';\n" * 500,
        SOURCE + "`petals`;" * 500,
        SOURCE.replace("(300, ", "(/* the middle of the paper */ 300, "),
    ],
)
def test_stuffing_gains_nothing(stuffed: str) -> None:
    assert len(stuffed) > len(SOURCE)
    assert code_tokens(stuffed) <= code_tokens(SOURCE) + 1
    assert code_tokens(stuffed, len) <= code_tokens(SOURCE, len) + 4


def test_one_huge_literal_gains_little() -> None:
    assert code_tokens(f"const s = '{'petal ' * 5000}';{SOURCE}") < code_tokens(SOURCE) + 20


def test_more_code_counts_more() -> None:
    assert code_tokens(SOURCE + "brush.circle(1, 2, 3);\n" * 10) > code_tokens(SOURCE) + 40


def test_without_a_tokenizer_four_characters_are_a_token() -> None:
    assert code_tokens("abcd(1);") == 2
    assert code_tokens("") == 0


def test_the_policys_tokenizer_counts_what_it_is_given() -> None:
    assert code_tokens("a = 1; // note\nb = 2;", lambda text: len(text.split())) == 6
    (counted,) = score(LengthTerm(count=TokenCount("the tokenizer of a", lambda text: 3000)), "a")
    (guessed,) = score(LengthTerm(), "a")
    assert (counted.value, counted.parts) == (1.0, {"tokens": 3000, "counted_by": "the tokenizer of a"})
    assert (guessed.value, guessed.parts) == (0.0, {"tokens": 0, "counted_by": "characters / 4"})


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("ramp", {0: 0, 150: 0, 435: 0.1, 1575: 0.5, 3000: 1, 6000: 1, 6001: 0}),
        ("band", {0: 0, 149: 0, 150: 1, 3000: 1, 6000: 1, 6001: 0}),
        ("binary", {0: 0, 2999: 0, 3000: 1, 6000: 1, 6001: 0}),
    ],
)
def test_kinds(kind: str, values: dict[int, float]) -> None:
    term = LengthTerm(kind)  # type: ignore[arg-type]
    assert {tokens: term.value(tokens) for tokens in values} == pytest.approx(values)


def test_limits_can_be_set() -> None:
    term = LengthTerm(floor_tokens=40, full_tokens=100, ceiling_tokens=400)
    assert [term.value(tokens) for tokens in (40, 70, 100, 401)] == [0, 0.5, 1, 0]


@given(st.integers(0, 6000), st.integers(0, 6000))
def test_ramp_never_falls_below_the_ceiling(one: int, other: int) -> None:
    term = LengthTerm()
    low, high = sorted((one, other))
    assert 0 <= term.value(low) <= term.value(high) <= 1


@pytest.mark.parametrize(
    "limits",
    [
        {"floor_tokens": 3000},
        {"full_tokens": 6001},
        {"floor_tokens": -1},
        {"floor_tokens": 10, "full_tokens": 10},
    ],
)
def test_limits_out_of_order_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="length: needs"):
        LengthTerm(**limits)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "tokens", "why"),
    [
        ("ramp", 100, "under 150"),
        ("ramp", 1575, "full length is 3000"),
        ("ramp", 3000, "full length"),
        ("ramp", 7000, "over the ceiling of 6000"),
        ("band", 100, "under 150"),
        ("binary", 2000, "under 3000"),
    ],
)
def test_reason_says_where_it_lies(kind: str, tokens: int, why: str) -> None:
    (result,) = score(LengthTerm(kind, count=TokenCount("tokenizer", lambda text: tokens)), "a")  # type: ignore[arg-type]
    assert result.why == f"{tokens} tokens of code (tokenizer); {why}"


def test_how_the_render_went_does_not_matter() -> None:
    assert score(LengthTerm(), SOURCE, outcome=RenderOutcome.CRASHED) == score(LengthTerm(), SOURCE)


def test_picture_alone_has_no_length() -> None:
    (result,) = asyncio.run(LengthTerm().score([Painting(None, RenderOutcome.OK)], ScoreContext()))
    assert result.value is None
    assert LengthTerm.needs_source
