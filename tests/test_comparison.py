"""Two rewards of the same rollouts."""

from __future__ import annotations

import pytest

from watercolour.comparison import MOST_MOVED, Pair, StepMeans, compare


def pairs(*rewards: tuple[float, float], in_step: int = 4) -> list[Pair]:
    return [Pair(1 + place // in_step, place % in_step, *both) for place, both in enumerate(rewards)]


def test_the_same_order_is_full_agreement_whatever_the_scale() -> None:
    found = compare(pairs(*((value / 10, (value / 10) ** 3) for value in range(8))))
    for estimate in (found.spearman, found.kendall, found.spearman_within, found.kendall_within):
        assert (estimate.value, estimate.low, estimate.high) == (pytest.approx(1), pytest.approx(1), pytest.approx(1))
        assert estimate.groups == 2
    assert found.moved == ()
    assert found.compared == 8


def test_within_groups_may_disagree_where_all_together_agree() -> None:
    found = compare(pairs((0.1, 0.2), (0.2, 0.1), (0.8, 0.9), (0.9, 0.8), in_step=2))
    assert found.spearman.value == pytest.approx(0.6)
    assert found.spearman_within.value == pytest.approx(-1)


def test_means_are_by_step_in_order() -> None:
    found = compare(pairs((0.2, 0.0), (0.4, 1.0), (1.0, 0.5), in_step=2)[::-1])
    assert found.steps == (StepMeans(1, 2, pytest.approx(0.3), pytest.approx(0.5)), StepMeans(2, 1, 1.0, 0.5))


def test_moved_most_comes_first_and_is_told_in_ranks() -> None:
    found = compare(pairs((0.0, 1.0), (0.1, 0.1), (0.2, 0.2), (0.3, 0.3), (0.4, 0.4), in_step=5))
    first = found.moved[0]
    assert (first.pair.index, first.first_rank, first.second_rank) == (0, 0.0, 1.0)
    assert [move.pair.index for move in found.moved[1:]] == [1, 2, 3, 4]
    assert len(compare(pairs(*((value, -value) for value in range(20)))).moved) == MOST_MOVED


def test_a_flat_reward_and_no_rollouts_are_no_agreement() -> None:
    for found in (compare(pairs((0.5, 0.1), (0.5, 0.2))), compare([])):
        assert found.spearman.value is None
        assert found.kendall_within.value is None
    assert (found.steps, found.moved, found.record()["compared"]) == ((), (), 0)
