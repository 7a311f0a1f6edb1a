"""Coverage: more paint scores more, up to a target."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from watercolour.errors import ConfigError
from watercolour.painting import BLANK_COVERAGE, Painting, RenderOutcome
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.pigment import CoverageTerm

PIXELS = np.zeros((4, 4, 3), np.uint8)


def score(*paintings: Painting, full_at: float = 0.25) -> list[Score]:
    return asyncio.run(CoverageTerm(full_at).score(paintings, ScoreContext()))


def covered(coverage: float, outcome: RenderOutcome = RenderOutcome.OK) -> Painting:
    return Painting(None, outcome, pixels=PIXELS, coverage=coverage)


@pytest.mark.parametrize(
    ("coverage", "full_at", "value"),
    [(0, 0.25, 0), (BLANK_COVERAGE, 0.25, 0), (0.1275, 0.25, 0.5), (0.25, 0.25, 1), (1, 0.25, 1), (0.2525, 0.5, 0.5)],
)
def test_value_rises_linearly_from_blank_to_full(coverage: float, full_at: float, value: float) -> None:
    (result,) = score(covered(coverage), full_at=full_at)
    assert result.value == pytest.approx(value)
    assert result.parts["coverage"] == coverage


@given(st.floats(0, 1), st.floats(0, 1))
def test_more_paint_never_scores_less(one: float, other: float) -> None:
    low, high = score(covered(min(one, other)), covered(max(one, other)))
    assert low.value is not None and high.value is not None
    assert 0 <= low.value <= high.value <= 1


def test_reason_has_the_share() -> None:
    assert score(covered(0.123))[0].why == "12.3% of the paper carries paint; 25% is full marks"


def test_a_group_is_scored_in_order() -> None:
    paintings = [
        covered(0.2, RenderOutcome.THREW),
        Painting(None, RenderOutcome.TIMED_OUT),
        Painting(None, RenderOutcome.INFRA),
    ]
    first, second, third = score(*paintings)
    assert first.value == pytest.approx(0.195 / 0.245)
    assert (second.value, second.why) == (0.0, "there is no picture: the render ended as timed_out")
    assert third.value is None
    assert "browser" in third.why


@pytest.mark.parametrize("full_at", [0, BLANK_COVERAGE, -1, 1.01, float("nan")])
def test_impossible_target_is_refused(full_at: float) -> None:
    with pytest.raises(ConfigError, match="coverage: full_at must"):
        CoverageTerm(full_at)


def test_a_picture_alone_will_do() -> None:
    assert not CoverageTerm.needs_source
