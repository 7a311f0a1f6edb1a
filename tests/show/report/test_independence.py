"""Whether terms say different things."""

from __future__ import annotations

import pytest

from watercolour.show.report.independence import between, independence, mean_correlation, n_eff


def test_n_eff_as_published() -> None:
    assert n_eff(5, 0.90) == pytest.approx(1.087, abs=0.001)
    assert n_eff(2, 0.70) == pytest.approx(1.176, abs=0.001)
    assert n_eff(3, 0.0) == 3
    assert n_eff(2, -1.0) == 2


def test_two_curves_that_rise_by_chance_come_apart_when_their_lines_are_taken_off() -> None:
    steps = list(range(1, 9))
    one = [step + (0.3 if step % 2 else -0.3) for step in steps]
    other = [2 * step + (0.3 if step % 4 < 2 else -0.3) for step in steps]
    found = independence(steps, {"one": one, "other": other, "absent": [None] * 8}, [])
    assert found is not None
    assert found.raw.names == ("one", "other")
    assert found.raw.matrix[0][1] > 0.95
    assert abs(found.detrended.matrix[0][1]) < 0.3
    assert abs(found.differences.matrix[0][1]) < 0.3
    assert found.within_groups is None


def test_within_groups_sees_what_the_means_hide() -> None:
    rows = [(step, {"a": step + value, "b": step - value}) for step in range(4) for value in (-0.1, 0.0, 0.1)]
    curves = {name: [float(step) for step in range(4)] for name in ("a", "b")}
    found = independence(range(4), curves, rows)
    assert found is not None and found.within_groups is not None
    assert found.raw.matrix[0][1] == pytest.approx(1)
    assert found.within_groups.matrix[0][1] == pytest.approx(-1)
    assert mean_correlation(found.within_groups) == pytest.approx(-1)


def test_too_little_is_nothing() -> None:
    assert independence([1, 2, 3], {"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 3.0]}, []) is None
    assert independence(range(5), {"a": [1.0, 2.0, 3.0, 4.0, 5.0]}, []) is None


def test_two_runs_are_compared_at_the_steps_that_both_have() -> None:
    one = {1: 0.0, 2: 1.0, 3: 0.0, 4: 1.0, 9: 5.0}
    assert between(one, {step: 3 * value + step for step, value in one.items() if step < 9}) == pytest.approx(1)
    assert between(one, {1: 1.0, 2: 2.0, 3: 3.0, 4: 4.0}) is None  # a line has nothing left
    assert between(one, {1: 1.0}) is None
