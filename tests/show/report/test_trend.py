"""Thirds, slope and their errors, against sums done by hand."""

from __future__ import annotations

import math

import pytest

from watercolour.show.report.trend import detrended, newey_west_lags, thirds_of, trend


def test_thirds_are_equal_and_the_last_steps_are_left_out() -> None:
    assert thirds_of(range(8)) == (range(2), range(2, 4), range(4, 6))
    assert thirds_of([1, 2]) is None


def test_slope_and_t_by_hand() -> None:
    # x - mean = -1.5, -.5, .5, 1.5; slope = (-1.5*1 - .5*3 + .5*2 + 1.5*6) / 5 = 1.4; fit .9 2.3 3.7 5.1
    found = trend([1, 2, 3, 4], [1.0, 3.0, 2.0, 6.0])
    assert found.slope == pytest.approx(1.4)
    # residuals .1 .7 -1.7 .9: squares 4.2 over 2, over 5
    assert found.t == pytest.approx(1.4 / math.sqrt(4.2 / 2 / 5))
    # lags floor(4 (.04)^(2/9)) = 1; scores of the slope -.15 -.35 -.85 1.35
    assert found.lags == newey_west_lags(4) == 1
    scores = [-0.15, -0.35, -0.85, 1.35]
    middle = sum(s * s for s in scores) + 2 * 0.5 * (0.15 * 0.35 + 0.35 * 0.85 - 0.85 * 1.35)
    assert found.t_newey_west == pytest.approx(1.4 / math.sqrt(middle / 25 * 4 / 2))


def test_thirds_difference_and_interval_by_hand() -> None:
    found = trend(range(7), [0.0, 2.0, 3.0, 5.0, 7.0, 9.0, 100.0])
    assert (found.steps, found.left_out, found.thirds, found.difference) == (7, 1, (1.0, 4.0, 8.0), 7.0)
    # Lags 2; residuals -1 1 -1 1 -1 1. A third's mean errs by its own scores alone, so with weights 1, 2/3, 1/3 for the
    # distance: last third (2 - 2 * 2/3) / 4, first the same, and they covary by nothing within 2 steps of each other:
    # all pairs lie 3 apart or more. Times 6 / 3.
    error = math.sqrt(2 * (2 - 4 / 3) / 4 * 2)
    assert found.low == pytest.approx(7 - 3.182446305 * error)
    assert found.high == pytest.approx(7 + 3.182446305 * error)


def test_a_straight_line_has_no_t_and_few_steps_have_nothing() -> None:
    line = trend([1, 2, 3], [1.0, 2.0, 3.0])
    assert (line.slope, line.t, line.t_newey_west, line.low) == (pytest.approx(1), None, None, None)
    assert trend([1, 2], [1.0, 2.0]).thirds is None
    assert trend([1], [None]).steps == 0


def test_missing_values_keep_their_steps_apart() -> None:
    assert trend([1, 2, 3, 5], [1.0, None, 3.0, 5.0]).slope == pytest.approx(1)


def test_detrended_takes_the_line_off() -> None:
    assert detrended([0, 1, 2], [5.0, 7.0, 9.0]) == pytest.approx([0, 0, 0])
    assert detrended([0, 1, 2], [0.0, 3.0, 0.0]) == pytest.approx([-1, 2, -1])
