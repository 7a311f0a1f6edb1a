"""Scores from comparisons, and the pairs that are worth comparing next."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from watercolour.curate.bradley_terry import PENALTY, fit, next_pairs, rank
from watercolour.curate.ratings import Answer, Mode, Press


def pair(left: str, right: str, answer: Answer = Answer.LEFT) -> Press:
    return Press("", "me", "s", f"{left}{right}", Mode.PAIR, (left, right), answer, 1.0)


def test_two_paintings_have_the_scores_that_calculus_gives() -> None:
    """Three wins of four, scores s and -s: 3 log q(2s) + log q(-2s) - PENALTY 2 s^2, q the logistic function."""
    outcomes = np.array([[0, 1, 1.0]] * 3 + [[0, 1, 0.0]])
    score = brentq(lambda s: 2 * (3 - 4 / (1 + math.exp(-2 * s))) - 4 * PENALTY * s, 0, 5)
    assert fit(outcomes, 2) == pytest.approx([score, -score], abs=1e-4)


def test_ties_and_no_comparisons_leave_all_equal() -> None:
    assert fit(np.array([[0, 1, 0.5], [1, 2, 0.5]]), 3) == pytest.approx([0, 0, 0], abs=1e-6)
    assert list(fit(np.zeros((0, 3)), 3)) == [0, 0, 0]
    assert rank([]).standings == []


def test_a_known_order_is_found_and_the_scores_are_near_the_true_ones() -> None:
    rng = np.random.default_rng(5)
    true = dict(zip("abcdef", np.linspace(1.5, -1.5, 6), strict=True))
    presses = [
        pair(one, other, Answer.LEFT if rng.random() < 1 / (1 + np.exp(true[other] - true[one])) else Answer.RIGHT)
        for one, other in list(itertools.combinations(true, 2)) * 40
    ]
    found = rank(presses)
    assert [each.id for each in found.standings] == list("abcdef")
    assert found.comparisons == 600
    assert {each.compared for each in found.standings} == {200}
    assert found.parts == 1
    for each in found.standings:
        assert each.low < each.score < each.high
        assert abs(each.score - true[each.id]) < 0.5
    assert rank(presses).standings == found.standings


def test_who_won_everything_has_a_finite_score() -> None:
    found = rank([pair("a", "b"), pair("a", "c"), pair("b", "c")])
    assert [each.id for each in found.standings] == ["a", "b", "c"]
    assert all(math.isfinite(each.low) and math.isfinite(each.high) for each in found.standings)


def test_which_side_it_was_on_makes_no_difference() -> None:
    one, other = rank([pair("a", "b")]), rank([pair("b", "a", Answer.RIGHT)])
    assert [each.id for each in one.standings] == [each.id for each in other.standings] == ["a", "b"]


def test_parts_that_were_never_compared_are_counted() -> None:
    assert rank([pair("a", "b"), pair("c", "d", Answer.TIE)]).parts == 2
    assert rank([pair("a", "b"), pair("c", "d", Answer.TIE)]).ties == 1


def test_first_all_paintings_are_joined_on_one_scale() -> None:
    ids = [f"p{number}" for number in range(9)]
    presses: list[Press] = []
    while len(presses) < 8:
        [(one, other)] = next_pairs(ids, presses, {frozenset(each.ids) for each in presses}, 1)
        presses.append(pair(one, other))
    found = rank(presses)
    assert found.parts == 1
    assert len(found.standings) == 9


def test_then_close_ones_are_compared() -> None:
    """a beats b and c, b and c tie: b against c is closer to even than a against d, who lost to both."""
    presses = [pair("a", "b"), pair("b", "d"), pair("a", "c"), pair("c", "d")] * 6
    taken = {frozenset(each.ids) for each in presses}
    [chosen] = next_pairs(list("abcd"), presses, taken, 1)
    assert set(chosen) == {"b", "c"}


def test_a_skipped_pair_is_not_asked_again() -> None:
    assert next_pairs(["a", "b"], [], {frozenset("ab")}, 3) == []


@settings(max_examples=40)
@given(st.integers(2, 7), st.integers(1, 4), st.randoms(use_true_random=False))
def test_every_pair_comes_once_and_then_none(size: int, count: int, random: object) -> None:
    ids = [f"p{number}" for number in range(size)]
    taken: set[frozenset[str]] = set()
    presses: list[Press] = []
    while chosen := next_pairs(ids, presses, taken, count):
        assert len({frozenset(each) for each in chosen}) == len(chosen) <= count
        assert not {frozenset(each) for each in chosen} & taken
        one, other = chosen[0]
        taken.add(frozenset(chosen[0]))
        answer = random.choice([Answer.LEFT, Answer.RIGHT, Answer.TIE, None])  # type: ignore[attr-defined]
        if answer:
            presses.append(pair(one, other, answer))
    assert len(taken) == size * (size - 1) // 2
