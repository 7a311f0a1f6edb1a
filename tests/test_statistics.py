"""Correlations, the effective number of signals and rank agreement, on values whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from watercolour.statistics import correlate, effective_signals, kendall, pooled, ranks, spearman, within_groups

UP = [0.0, 0.25, 0.5, 0.75, 1.0]
TABLES = st.integers(3, 12).flatmap(
    lambda rows: st.lists(st.lists(st.none() | st.floats(0, 1), min_size=rows, max_size=rows), min_size=1, max_size=5)
)


def test_terms_that_are_copies_are_one_signal_and_are_told() -> None:
    found = correlate({"judge": UP, "hpsv3": UP})
    assert found.matrix == ((1.0, 1.0), (1.0, 1.0))
    assert found.effective == pytest.approx(1)
    assert found.warnings() == ["hpsv3 and judge correlate at 1.00: they are nearly one signal"]


def test_a_term_that_falls_as_another_rises_is_no_second_signal() -> None:
    found = correlate({"judge": UP, "hpsv3": UP[::-1]})
    assert found.matrix[0][1] == pytest.approx(-1)
    assert found.effective == pytest.approx(1)
    assert len(found.warnings()) == 1


def test_orthogonal_terms_count_in_full() -> None:
    found = correlate({"a": [0, 1, 0, 1], "b": [0, 0, 1, 1], "c": [1, 0, 0, 1]})
    assert found.matrix == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert found.effective == pytest.approx(3)
    assert found.warnings() == []


def test_correlation_is_pearsons() -> None:
    found = correlate({"a": [1, 2, 3, 4], "b": [1, 3, 2, 4]})
    assert found.matrix[0][1] == pytest.approx(0.8)
    assert found.effective == pytest.approx(4 / (2 + 2 * 0.64))


def test_a_term_without_spread_is_told_and_not_in_the_matrix() -> None:
    found = correlate({"gate": [1.0] * 5, "judge": UP})
    assert (found.names, found.constant, found.effective) == (("judge",), ("gate",), 1)
    assert found.warnings() == ["gate has no spread: it tells no rollout from another"]


def test_missing_values_are_left_out_listwise_and_a_term_without_any_is_left_aside() -> None:
    found = correlate({"a": [0, 1, 2, None, 9], "b": [0, 1, 2, 3, None], "c": [None] * 5})
    assert (found.rows, found.left_out, found.absent) == (3, 2, ("c",))
    assert found.matrix[0][1] == pytest.approx(1)
    assert "c has no values" in found.warnings()


@pytest.mark.parametrize("terms", [{}, {"a": []}, {"a": [1.0, 0.0], "b": [0.0, 1.0]}, {"a": [None, None, None]}])
def test_too_little_is_no_matrix(terms: dict[str, list[float | None]]) -> None:
    found = correlate(terms)
    assert (found.names, found.matrix, found.effective, found.constant) == ((), (), None, ())


def test_within_groups_only_what_differs_inside_a_group_counts() -> None:
    # Both terms rise from step to step, and inside a step one rises as the other falls.
    steps = [1, 1, 1, 2, 2, 2]
    terms = {"a": [0, 1, 2, 10, 11, 12], "b": [2, 1, 0, 12, 11, 10]}
    assert correlate(terms, steps).matrix[0][1] > 0.9
    assert correlate(terms, steps, within=True).matrix[0][1] == pytest.approx(-1)


def test_within_groups_a_term_that_only_differs_between_them_has_no_spread_and_lone_rollouts_do_not_count() -> None:
    steps = [1, 1, 2, 2, 3]
    found = correlate({"a": [0.1, 0.1, 0.7, 0.7, 0.4], "b": [0, 1, 0, 1, 5]}, steps, within=True)
    assert (found.rows, found.left_out, found.constant, found.names) == (4, 1, ("a",), ("b",))


@settings(deadline=None, max_examples=60)
@given(TABLES, st.booleans(), st.data())
def test_any_table_gives_a_matrix_between_minus_one_and_one(
    table: list[list[float | None]], within: bool, data: st.DataObject
) -> None:
    groups = data.draw(st.lists(st.integers(1, 3), min_size=len(table[0]), max_size=len(table[0])))
    found = correlate({f"t{place}": column for place, column in enumerate(table)}, groups, within=within)
    matrix = np.array(found.matrix).reshape(len(found.names), len(found.names))
    assert np.all(np.abs(matrix) <= 1)
    assert np.array_equal(matrix, matrix.T)
    assert found.rows + found.left_out == len(table[0])
    if found.effective is not None:
        assert 1 - 1e-9 <= found.effective <= len(found.names) + 1e-9
        eigenvalues = np.linalg.eigvalsh(matrix)
        assert found.effective == pytest.approx(eigenvalues.sum() ** 2 / (eigenvalues**2).sum())


def test_independent_terms_come_near_their_number() -> None:
    columns = np.random.default_rng(1).random((4, 5000))
    assert effective_signals(np.corrcoef(columns)) == pytest.approx(4, abs=0.02)


# Rank agreement


@pytest.mark.parametrize(
    ("first", "second", "rho", "tau"),
    [
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], 1, 1),
        ([1, 2, 3, 4, 5], [5, 4, 3, 2, 1], -1, -1),
        ([1, 2], [3, 9], 1, 1),
        ([1, 2, 3, 4], [1, 3, 2, 4], 0.8, 2 / 3),
        ([0, 0, 1, 1], [0, 1, 0, 1], 0, 0),
        ([0, 0, 1], [0, 1, 2], np.sqrt(3) / 2, 2 / np.sqrt(6)),
    ],
)
def test_rank_correlations(first: list[float], second: list[float], rho: float, tau: float) -> None:
    assert spearman(np.array(first, float), np.array(second, float)) == pytest.approx(rho)
    assert kendall(np.array(first, float), np.array(second, float)) == pytest.approx(tau)


@pytest.mark.parametrize("statistic", [spearman, kendall])
@pytest.mark.parametrize(("first", "second"), [([], []), ([1.0], [2.0]), ([1.0, 1.0], [1.0, 2.0])])
def test_no_spread_is_no_rank_correlation(statistic: object, first: list[float], second: list[float]) -> None:
    assert callable(statistic)
    assert statistic(np.array(first), np.array(second)) is None


def test_interval_holds_the_value_is_the_same_each_time_and_needs_two_groups() -> None:
    generator = np.random.default_rng(3)
    first = generator.random(80)
    second = first + generator.normal(0, 0.3, 80)
    steps = np.repeat(np.arange(10), 8).tolist()
    for statistic in (spearman, kendall):
        for estimate in (pooled, within_groups):
            found = estimate(statistic, first.tolist(), second.tolist(), steps)
            assert found == estimate(statistic, first.tolist(), second.tolist(), steps)
            assert found.value is not None and found.low is not None and found.high is not None
            assert -1 <= found.low < found.value < found.high <= 1
            assert found.groups == 10
            alone = estimate(statistic, first.tolist(), second.tolist(), [0] * 80)
            assert alone.value is not None
            assert (alone.low, alone.high, alone.groups) == (None, None, 1)


def test_within_groups_is_the_mean_over_groups_with_spread() -> None:
    found = within_groups(spearman, [1, 2, 3, 1, 2, 3, 5, 5], [1, 2, 3, 3, 2, 1, 1, 2], [1, 1, 1, 2, 2, 2, 3, 3])
    assert (found.value, found.groups) == (pytest.approx(0), 2)
    nothing = within_groups(spearman, [], [], [])
    assert (nothing.value, nothing.low, nothing.groups) == (None, None, 0)


def test_ranks_are_shares_and_ties_share_one() -> None:
    assert ranks([0.9, 0.1, 0.5]) == [1, 0, 0.5]
    assert ranks([0.3, 0.3, 0.9]) == [0.25, 0.25, 1]
    assert (ranks([4.0]), ranks([])) == ([0.5], [])


def test_five_terms_that_correlate_at_nine_tenths_are_1_18_signals() -> None:
    assert effective_signals(np.full((5, 5), 0.9) + 0.1 * np.eye(5)) == pytest.approx(25 / 21.2)
