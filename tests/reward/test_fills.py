"""Fills are counted in the source: more places that lay paint score more, and no picture is needed."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from watercolour.medium import load_medium
from watercolour.painting import Painting, RenderOutcome
from watercolour.policy.templates import HEAD
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.fills import FillsTerm
from watercolour.sketch import Sketch

MEDIUM = load_medium("hibiscus")
CIRCLE = "brush.circle(300, 300, 50, 0.2);"
SHAPE = "brush.beginShape(0.4); brush.vertex(1, 2); brush.vertex(9, 2); brush.endShape(true);"


def score(body: str, full_at: int = 8) -> Score:
    return score_source(f"{HEAD}{body}\n}}\n", full_at)


def score_source(source: str, full_at: int = 8) -> Score:
    painting = Painting(Sketch(source), RenderOutcome.NOT_PAINTED)
    (given_score,) = asyncio.run(FillsTerm(MEDIUM.method_names, MEDIUM.size, full_at).score([painting], ScoreContext()))
    return given_score


@given(st.integers(0, 12), st.integers(0, 6))
def test_each_place_that_lays_paint_counts_once_up_to_full_marks(circles: int, shapes: int) -> None:
    found = score(CIRCLE * circles + SHAPE * shapes)
    assert found.parts["fills"] == circles + shapes
    assert found.value == min(1, (circles + shapes) / 8)


def test_a_loop_counts_as_one_and_comments_and_what_sets_the_brush_do_not() -> None:
    body = f"// {CIRCLE}\nbrush.fill('#aabbcc', 200); for (let a = 0; a < 9; a++) {{ {CIRCLE} }}"
    found = score(body, full_at=2)
    assert (found.value, found.why) == (0.5, "1 places in its text lay paint; 2 is full marks")


def test_what_is_no_program_scores_0_with_the_reason() -> None:
    broken, cut, none = score_source("function setup() { ] }"), score_source(HEAD + CIRCLE * 9), score_source("")
    assert (broken.value, cut.value, none.value) == (0, 0, 0)
    assert broken.why.startswith("syntax_error: ")
    assert cut.why.startswith("truncated: ")
    assert none.why == "the reply holds no program"


def test_our_own_failure_to_paint_does_not_matter_and_a_picture_alone_has_none() -> None:
    term = FillsTerm(MEDIUM.method_names, MEDIUM.size)
    lost = Painting(Sketch(HEAD + CIRCLE + "}"), RenderOutcome.INFRA)
    first, second = asyncio.run(term.score([lost, Painting(None, RenderOutcome.OK)], ScoreContext()))
    assert first.value == 1 / 8
    assert second.value is None
    assert term.needs_source
