"""The draw: the same for a whole group and for ever, and the tiers' shares kept to."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watercolour.errors import ConfigError
from watercolour.references import Reference, Tier
from watercolour.reward.judge.draw import check_draws, draw_panel, draw_references, loved_at
from watercolour.reward.judge.rivals import pairings
from watercolour.reward.settings import LoveShare, PairwiseSettings

Settings = Callable[..., PairwiseSettings]


def test_half_and_half_exactly_and_odd_counts_take_turns() -> None:
    assert [loved_at(step, 4, 0.5) for step in range(6)] == [2] * 6
    assert [loved_at(step, 1, 0.5) for step in range(1, 7)] == [0, 1, 0, 1, 0, 1]
    assert [loved_at(step, 3, 0.5) for step in range(1, 5)] == [1, 2, 1, 2]
    assert [loved_at(step, 4, 1.0) for step in range(1, 4)] == [4] * 3
    assert [loved_at(step, 4, 0.0) for step in range(1, 4)] == [0] * 3


@given(st.integers(1, 64), st.floats(0, 1), st.integers(0, 500))
def test_a_steps_count_is_the_share_rounded_up_or_down(count: int, share: float, step: int) -> None:
    assert abs(loved_at(step, count, share) - count * share) < 1 + 1e-6


@given(st.integers(1, 16), st.floats(0, 1), st.floats(0, 1), st.integers(1, 60))
def test_a_curriculum_keeps_to_its_line(count: int, start: float, to: float, over_steps: int) -> None:
    share = LoveShare.model_validate({"from": start, "to": to, "over_steps": over_steps})
    expected = 0.0
    drawn = 0
    for step in range(1, over_steps + 20):
        rise = min(1.0, (step - 1) / max(1, over_steps - 1)) if step <= over_steps else 1.0
        expected += count * (start + (to - start) * rise)
        drawn += loved_at(step, count, share)
        assert abs(drawn - expected) < 1 + 1e-6


def test_a_curriculum_ends_with_loved_ones_alone() -> None:
    share = LoveShare.model_validate({"from": 0.5, "to": 1.0, "over_steps": 110})
    assert loved_at(1, 4, share) == 2
    assert [loved_at(step, 4, share) for step in range(111, 140)] == [4] * 29


def test_the_same_step_draws_the_same_and_no_picture_twice(pool: list[Reference], pairwise: Settings) -> None:
    settings = pairwise(references=6)
    shuffled = random.Random(1).sample(pool, len(pool))
    for step in range(1, 30):
        drawn = draw_references(pool, settings, run_seed=7, step=step)
        assert drawn == draw_references(shuffled, settings, run_seed=7, step=step)
        assert [reference.tier for reference in drawn] == [Tier.LOVE] * 3 + [Tier.OKAY] * 3
        assert len({reference.name for reference in drawn}) == 6


def test_steps_and_runs_draw_differently(pool: list[Reference], pairwise: Settings) -> None:
    def names(run_seed: int, step: int) -> tuple[str, ...]:
        return tuple(each.name for each in draw_references(pool, pairwise(), run_seed=run_seed, step=step))

    assert len({names(0, step) for step in range(20)}) > 10
    assert len({names(seed, 1) for seed in range(20)}) > 10


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"references": 14}, "needs 7 paintings of the tier 'love', and the pool has 6"),
        ({"references": 13}, "needs 7 paintings of the tier 'love'"),
        ({"references": 7, "love_share": {"from": 0.0, "to": 0.5, "over_steps": 5}}, "needs 7 .* 'okay'"),
        ({"references": 8, "love_share": {"from": 0.5, "to": 1.0, "over_steps": 5}}, "needs 8 .* 'love'"),
    ],
)  # fmt: skip
def test_a_pool_too_small_for_any_draw_is_refused(
    pool: list[Reference], pairwise: Settings, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        check_draws(pool, pairwise(**changes), "judge")


def test_an_evaluations_panel_is_the_same_whatever_the_step_the_run_and_the_share(
    pool: list[Reference], pairwise: Settings
) -> None:
    panel = draw_panel(pool, 5, seed=4)
    assert [reference.tier for reference in panel] == [Tier.LOVE] * 3 + [Tier.OKAY] * 2
    assert panel == draw_panel(random.Random(1).sample(pool, len(pool)), 5, seed=4)
    assert len({tuple(each.name for each in draw_panel(pool, 5, seed=seed)) for seed in range(20)}) > 10


def test_a_panel_takes_more_of_a_tier_where_the_other_runs_out_and_never_too_many(pool: list[Reference]) -> None:
    rated = [reference for reference in pool if reference.tier in (Tier.LOVE, Tier.OKAY)]
    for count in range(1, len(rated) + 1):
        panel = draw_panel(pool, count, seed=0)
        assert len({reference.name for reference in panel}) == count
        assert Tier.NOPE not in {reference.tier for reference in panel}
    with pytest.raises(ConfigError, match=f"eval.references: 99 are asked for, and the pool has {len(rated)}"):
        draw_panel(pool, 99, seed=0)


def test_a_pool_just_large_enough_serves_every_step(pool: list[Reference], pairwise: Settings) -> None:
    settings = pairwise(references=11)
    check_draws(pool, settings, "judge")
    assert all(len(draw_references(pool, settings, run_seed=0, step=step)) == 11 for step in range(50))


@given(st.integers(0, 17), st.integers(1, 20), st.text(max_size=3))
def test_everyone_meets_as_many_rivals_as_asked_and_nobody_twice(count: int, each: int, seed: str) -> None:
    pairs = pairings(count, each, seed)
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)
    assert all(one != other for one, other in pairs)
    faced = [sum(rollout in pair for pair in pairs) for rollout in range(count)]
    if each >= count - 1:
        assert {frozenset(pair) for pair in pairs} == set(map(frozenset, combinations(range(count), 2)))
    else:
        assert set(faced) <= {each, each + 1}
        assert faced.count(each + 1) <= (0 if count * each % 2 == 0 else 1)
