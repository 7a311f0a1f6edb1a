"""Failing less and painting better: the parts add up, always."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watercolour.show.report.failing import decompose, split_thirds

GROUPS = st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=5), min_size=3, max_size=12)


def test_thirds_and_parts_by_hand() -> None:
    groups = [[0.0, 0.2, 0.6, 0.8], [0.5], [0.2, 0.8, 0.9, 1.0], []]
    thirds = split_thirds(groups)
    assert thirds is not None
    first, middle, last = thirds
    assert (first.rollouts, first.bad, first.bad_share) == (4, 2, 0.5)
    assert (first.mean, first.bad_mean, first.good_mean) == (
        pytest.approx(0.4),
        pytest.approx(0.1),
        pytest.approx(0.7),
    )
    assert (middle.bad, middle.bad_mean) == (0, None)
    assert (last.bad_share, last.good_mean, last.best_of_step) == (0.25, pytest.approx(0.9), 1.0)
    rise = decompose(first, last)
    assert rise is not None
    assert rise.total == pytest.approx(0.325)
    assert rise.failing_less == pytest.approx(0.25 * (0.8 - 0.15))
    assert rise.painting_better == pytest.approx(0.625 * 0.2)
    assert rise.failing_better == pytest.approx(0.375 * 0.1)


@given(GROUPS)
def test_the_parts_add_up_to_the_rise(groups: list[list[float]]) -> None:
    thirds = split_thirds(groups)
    assert thirds is not None
    rise = decompose(thirds[0], thirds[2])
    assert rise is not None
    parts = rise.failing_less + rise.painting_better + rise.failing_better
    assert parts == pytest.approx(rise.total, abs=1e-12)


@given(st.floats(0, 0.29), st.floats(0.3, 1))
def test_all_failing_to_none_failing_is_failing_less_alone(bad: float, good: float) -> None:
    thirds = split_thirds([[bad, bad], [bad], [good, good]])
    assert thirds is not None
    rise = decompose(thirds[0], thirds[2])
    assert rise is not None
    assert (rise.failing_less, rise.painting_better, rise.failing_better) == (pytest.approx(good - bad), 0, 0)


def test_a_reward_of_the_threshold_itself_has_not_failed() -> None:
    thirds = split_thirds([[0.3], [0.3], [0.3]])
    assert thirds is not None
    assert thirds[0].bad == 0


def test_steps_without_a_scored_rollout_count_for_nothing() -> None:
    assert split_thirds([[0.1], [], [0.2], []]) is None
