"""The draw taken off a judge's curve."""

from __future__ import annotations

import math
import random

import pytest

from tests.show.report.made import duel
from watercolour.show.report.draws import Game, fit_draws, games_of


def test_only_resolved_duels_are_games() -> None:
    parts = {"references": [duel("a", 1.0), duel("b", 0.5, "okay"), duel("c", None), {"value": 1.0}, "odd"]}
    assert games_of(7, parts) == [Game(7, "a", "love", 1.0), Game(7, "b", "okay", 0.5)]
    assert games_of(7, {}) == games_of(7, {"references": "odd"}) == []


def test_win_rates_by_hand() -> None:
    found = fit_draws([Game(1, "a", "love", 1.0), Game(1, "b", "okay", 0.5), Game(2, "a", "love", 0.0)])
    assert found is not None
    rivals = {rival.name: rival for rival in found.rivals}
    assert (rivals["a"].games, rivals["a"].steps, rivals["a"].win_rate) == (4, 2, 0.5)
    assert (rivals["b"].games, rivals["b"].win_rate, rivals["b"].tier) == (2, 0.5, "okay")
    assert [draw.raw for draw in found.steps] == [0.75, 0.0]
    assert 0 < found.steps[1].adjusted < found.steps[0].adjusted < 1  # what won nothing is not hopeless


def test_one_step_against_one_reference_is_their_share_of_games() -> None:
    # Two steps, one reference, even games: all are equally strong.
    found = fit_draws([Game(1, "a", "love", 0.5), Game(2, "a", "love", 0.5)])
    assert found is not None
    assert [draw.adjusted for draw in found.steps] == pytest.approx([0.5, 0.5])
    assert found.steps[0].difficulty == pytest.approx(0)


def test_a_policy_that_stays_the_same_is_flat_once_the_draw_is_taken_off() -> None:
    chance = random.Random(1)
    strength = {f"r{place}": (place - 5) / 2 for place in range(11)}

    def won(name: str) -> float:
        orders = [chance.random() < 1 / (1 + math.exp(strength[name])) for _ in range(2)]
        return sum(orders) / 2

    games = [
        Game(step, name, "love", won(name))
        for step in range(40)
        for name in chance.sample(sorted(strength), 3)
        for _ in range(6)
    ]
    found = fit_draws(games)
    assert found is not None

    def spread(values: list[float]) -> float:
        middle = sum(values) / len(values)
        return math.sqrt(sum((value - middle) ** 2 for value in values) / len(values))

    assert spread([d.adjusted for d in found.steps]) < 0.6 * spread([d.raw for d in found.steps])
    assert found.rivals[0].name in ("r10", "r9")
    assert found.rivals[-1].name in ("r0", "r1")


def test_without_a_reference_met_twice_there_is_nothing_to_fit() -> None:
    assert fit_draws([Game(1, "a", "love", 1.0), Game(2, "b", "love", 0.0)]) is None
    assert fit_draws([]) is None
