"""The check of a judge before it is paid for: what it counts, and what it concludes."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.judge_server import JudgeServer
from watercolour.errors import ConfigError
from watercolour.medium import Medium
from watercolour.references import Reference, Tier
from watercolour.reward.judge.check import Plan, Proportion, Report, check_judge, plan_check
from watercolour.reward.settings import PairwiseSettings


@pytest.fixture
def check(medium: Medium, pool: list[Reference], pairwise: Callable[..., PairwiseSettings]) -> Callable[..., Report]:
    def check(pairs: int = 8, **changes: Any) -> Report:
        return asyncio.run(check_judge(pairwise(**changes), medium, plan_check(pool, pairs)))

    return check


Check = Callable[..., Report]


def test_a_good_judge_is_usable(judge_server: JudgeServer, check: Check, pool: list[Reference]) -> None:
    report = check(usd_per_million_input_tokens=1.0)
    plan = plan_check(pool, 8)
    assert report.calls == plan.calls == judge_server.calls == 8 + 4 * 16
    assert report.usd == pytest.approx(72 * 1000e-6)
    assert report.problems == []
    assert (
        report.summary
        == "usable: love beat okay in 8 of 8, okay beat nope in 8 of 8 decided pairs; 0 of 16 pairs were ties"
    )
    assert (report.first_of_pairs.count, report.first_of_pairs.total) == (32, 64)
    assert (report.first_of_same.count, report.first_of_same.total) == (8, 8)
    assert (report.repeated.count, report.repeated.total) == (32, 32)
    record = json.loads(json.dumps(report.record()))
    assert record["usable"] is True
    assert record["tiers"][0]["agreement"]["share"] == 1
    assert record["tiers"][0]["better"] == "love"


def test_every_question_is_asked_anew_in_both_orders_twice(judge_server: JudgeServer, check: Check) -> None:
    check(pairs=3)
    times = Counter(judge_server.questions)
    different = {pair: count for pair, count in times.items() if pair[0] != pair[1]}
    assert set(different.values()) == {2}
    assert all(tuple(reversed(pair)) in different for pair in different)
    check(pairs=3)
    assert Counter(judge_server.questions) == {pair: 2 * count for pair, count in times.items()}


def test_a_judge_that_goes_by_place_is_not_usable(judge_server: JudgeServer, check: Check) -> None:
    judge_server.reply = lambda _: '{"winner": "B", "reason": "right"}'
    report = check()
    assert report.first_of_pairs.count == 0
    assert report.split.share == 1
    assert report.repeated.share == 1
    assert "16 of 16 pairs were decided by their order" in report.summary
    assert report.summary.startswith("not usable: ")


def test_a_judge_with_the_opposite_taste_is_not_usable(judge_server: JudgeServer, check: Check) -> None:
    judge_server.taste = {picture: -liked for picture, liked in judge_server.taste.items()}
    report = check()
    assert [(tier.won, tier.tied, tier.lost) for tier in report.tiers] == [(0, 0, 8), (0, 0, 8)]
    assert "love beat okay in 0 of 8 decided pairs, which chance may give as well" in report.summary


def test_a_judge_that_changes_its_mind_is_not_usable(judge_server: JudgeServer, check: Check) -> None:
    seen: set[tuple[str, ...]] = set()

    def fickle(asked: Any) -> str | None:
        again = asked.pictures in seen
        seen.add(asked.pictures)
        return '{"winner": "B"}' if again else None

    judge_server.reply = fickle
    report = check()
    assert report.repeated.count == 16
    assert "only 16 of 32 answers were the same when asked again" in report.summary


def test_a_judge_that_gives_no_answers_is_not_usable(judge_server: JudgeServer, check: Check) -> None:
    judge_server.reply = lambda _: "I cannot compare pictures."
    report = check(pairs=2)
    assert (report.unresolved.count, report.unresolved.total) == (18, 18)
    assert "18 of 18 questions had no usable answer (the reply names no winner" in report.summary
    assert report.first_of_pairs.share is None
    json.dumps(report.record())


def test_too_few_pairs_prove_nothing(check: Check) -> None:
    assert "love beat okay in 2 of 2 decided pairs, which chance may give as well" in check(pairs=2).summary


def test_a_plan_takes_what_the_pool_has(pool: list[Reference]) -> None:
    plan = plan_check(pool, 1000)
    assert (len(plan.same), len(plan.pairs)) == (16, 36 + 24)
    assert len({(one.name, other.name) for one, other in plan.pairs}) == 60
    without_nope = [each for each in pool if each.tier is not Tier.NOPE]
    assert {(one.tier, other.tier) for one, other in plan_check(without_nope, 5).pairs} == {(Tier.LOVE, Tier.OKAY)}
    assert plan_check(pool, 5, seed=1) == plan_check(pool, 5, seed=1) != plan_check(pool, 5, seed=2)
    with pytest.raises(ConfigError, match="no paintings of the tier 'okay'"):
        plan_check([each for each in pool if each.tier is Tier.LOVE], 5)
    assert Plan((), ()).calls == 0


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_wilson_intervals(count: int, total: int, low: float, high: float) -> None:
    assert Proportion(count, total).interval == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 500), st.integers(0, 500))
def test_an_interval_holds_its_share(count: int, more: int) -> None:
    proportion = Proportion(count, count + more)
    low, high = proportion.interval
    assert 0 <= low <= high <= 1
    if proportion.share is not None:
        assert low - 1e-12 <= proportion.share <= high + 1e-12
