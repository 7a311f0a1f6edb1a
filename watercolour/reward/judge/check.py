"""Is a judge worth its money? Measured on the pool before a run: bias for a place, self-agreement, and taste.

Every question is asked anew, never of the cache, and every pair in both orders, twice.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from statistics import NormalDist
from typing import Any

from watercolour.errors import ConfigError
from watercolour.medium import Medium
from watercolour.references import Reference, Tier
from watercolour.reward.judge.asking import Asker
from watercolour.reward.judge.duel import Duel, fight
from watercolour.reward.judge.flight import run_together
from watercolour.reward.judge.pictures import Picture, picture_of_reference
from watercolour.reward.judge.prompt import pairwise_prompt
from watercolour.reward.judge.verdict import Side, UnresolvedError, read_verdict
from watercolour.reward.settings import PairwiseSettings

MAX_UNRESOLVED = 0.1
"""A judge that leaves a larger share of questions without an answer is not usable."""
MAX_SPLIT = 0.5
"""Nor one that decides a larger share of pairs by their order."""
MIN_REPEATED = 0.9
"""Nor one that, asked the same again, gives the same answer less often."""
TIERS = ((Tier.LOVE, Tier.OKAY), (Tier.OKAY, Tier.NOPE))
"""Better and worse, as people rated them."""


@dataclass(frozen=True)
class Proportion:
    """`count` of `total`, with its Wilson interval at 95 %; 0..1 when the total is 0."""

    count: int
    total: int

    @property
    def share(self) -> float | None:
        """count / total; None of nothing."""
        return self.count / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's score interval (E. B. Wilson, 1927, JASA 22, 209-212)."""
        if not self.total:
            return 0.0, 1.0
        z, share, total = NormalDist().inv_cdf(0.975), self.count / self.total, self.total
        middle = share + z * z / (2 * total)
        half = z * (share * (1 - share) / total + z * z / (4 * total * total)) ** 0.5
        scale = 1 + z * z / total
        return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)

    def record(self) -> dict[str, Any]:
        """As plain data."""
        low, high = self.interval
        return {"count": self.count, "total": self.total, "share": self.share, "low": low, "high": high}


@dataclass(frozen=True)
class Plan:
    """What will be asked: pictures shown beside themselves, and pairs of a better and a worse one."""

    same: tuple[Reference, ...]
    pairs: tuple[tuple[Reference, Reference], ...]

    @property
    def calls(self) -> int:
        """Questions asked when no try fails."""
        return len(self.same) + 4 * len(self.pairs)


@dataclass(frozen=True)
class TierAgreement:
    """How often the picture of the better tier won in both orders, was tied, and lost in both."""

    better: Tier
    worse: Tier
    won: int
    tied: int
    lost: int

    @property
    def agreement(self) -> Proportion:
        """Won of those decided."""
        return Proportion(self.won, self.won + self.lost)


@dataclass(frozen=True)
class Report:
    """What the check measured. `unresolved` counts questions without a usable answer, `why_unresolved` the first."""

    name: str
    model: str
    unresolved: Proportion
    why_unresolved: str
    first_of_same: Proportion
    first_of_pairs: Proportion
    split: Proportion
    repeated: Proportion
    tiers: tuple[TierAgreement, ...]
    calls: int
    usd: float

    @property
    def problems(self) -> list[str]:
        """Why it is not usable; nothing when it is."""
        found: list[str] = []
        if (self.unresolved.share or 0.0) > MAX_UNRESOLVED:
            found.append(f"{told(self.unresolved)} questions had no usable answer ({self.why_unresolved})")
        if (self.split.share or 0.0) > MAX_SPLIT:
            found.append(f"{told(self.split)} pairs were decided by their order")
        if self.repeated.share is not None and self.repeated.share < MIN_REPEATED:
            found.append(f"only {told(self.repeated)} answers were the same when asked again")
        for tier in self.tiers:
            if tier.agreement.interval[0] <= 0.5:
                pairs = told(tier.agreement)
                found.append(f"{tier.better} beat {tier.worse} in {pairs} decided pairs, which chance may give as well")
        return found

    @property
    def summary(self) -> str:
        """The outcome in one line."""
        if self.problems:
            return f"not usable: {'; '.join(self.problems)}"
        wins = ", ".join(f"{tier.better} beat {tier.worse} in {told(tier.agreement)}" for tier in self.tiers)
        return f"usable: {wins} decided pairs; {told(self.split)} pairs were ties"

    def record(self) -> dict[str, Any]:
        """As plain data."""
        proportions = ("unresolved", "first_of_same", "first_of_pairs", "split", "repeated")
        return {
            "name": self.name,
            "model": self.model,
            "usable": not self.problems,
            "summary": self.summary,
            **{name: getattr(self, name).record() for name in proportions},
            "tiers": [asdict(tier) | {"agreement": tier.agreement.record()} for tier in self.tiers],
            "calls": self.calls,
            "usd": self.usd,
        }


def told(proportion: Proportion) -> str:
    """Such as "9 of 12"."""
    return f"{proportion.count} of {proportion.total}"


def plan_check(references: Sequence[Reference], pairs: int, seed: int = 0) -> Plan:
    """`pairs` pictures to show beside themselves, and `pairs` pairs of each two neighbouring tiers that the pool has.

    Fewer where the pool has no more. Raises ConfigError when it lacks loved or okay paintings.
    """
    chance = random.Random(f"judge check {seed}")
    chosen: list[tuple[Reference, Reference]] = []
    for better, worse in TIERS:
        sides = [[each for each in references if each.tier is tier] for tier in (better, worse)]
        if not all(sides) and better is Tier.LOVE:
            lacking = better if not sides[0] else worse
            raise ConfigError(f"judge check: the pool has no paintings of the tier '{lacking}' to compare")
        every = list(product(*sides))
        chosen += [(one, other) for one, other in chance.sample(every, min(pairs, len(every)))]
    same = chance.sample(list(references), min(pairs, len(references)))
    return Plan(tuple(same), tuple(chosen))


async def check_judge(
    settings: PairwiseSettings,
    medium: Medium,
    plan: Plan,
    *,
    on_answer: Callable[[], None] = lambda: None,
) -> Report:
    """Ask what the plan says and measure. `on_answer` is called after every answer, usable or not.

    Raises PrerequisiteError and ConfigError for a key, model or budget that ends it.
    """
    name = settings.name or settings.term
    asker = _CountingAsker(settings, name, on_answer)
    prompt = pairwise_prompt(medium)
    pairs = [(picture_of_reference(one), picture_of_reference(other)) for one, other in plan.pairs]

    async def ask_same(picture: Picture) -> bool | None:
        try:
            return (await asker.ask(prompt, (picture, picture), read_verdict)).winner is Side.FIRST
        except UnresolvedError:
            return None

    try:
        same = await run_together([ask_same(picture_of_reference(reference)) for reference in plan.same])
        duels = await run_together([fight(asker, prompt, *pair) for pair in pairs])
        again = await run_together([fight(asker, prompt, *pair) for pair in pairs])
    finally:
        await asker.close()
    looks = [look for duel in (*duels, *again) for look in (_first_won(duel), _second_won(duel))]
    first = [look for look in looks if look is not None]
    return Report(
        name=name,
        model=settings.model,
        unresolved=Proportion(asker.unresolved, asker.asked),
        why_unresolved=asker.why_unresolved,
        first_of_same=_count([won for won in same if won is not None]),
        first_of_pairs=_count(first),
        split=_count([duel.value == 0.5 for duel in duels if duel.value is not None]),
        repeated=_count(
            [
                one == other
                for duel, repeat in zip(duels, again, strict=True)
                for one, other in ((_first_won(duel), _first_won(repeat)), (_second_won(duel), _second_won(repeat)))
                if one is not None and other is not None
            ]
        ),
        tiers=_by_tier(plan, duels),
        calls=asker.usage.calls,
        usd=asker.usage.usd,
    )


class _CountingAsker(Asker):
    """Asks anew each time, and counts what came back."""

    def __init__(self, settings: PairwiseSettings, label: str, on_answer: Callable[[], None]) -> None:
        super().__init__(settings, label, cache=None)
        self.asked = 0
        self.unresolved = 0
        self.why_unresolved = ""
        self._on_answer = on_answer

    async def ask(self, *question: Any) -> Any:
        try:
            answer = await super().ask(*question)
        except UnresolvedError as error:
            self.unresolved += 1
            self.why_unresolved = self.why_unresolved or str(error)
            raise
        finally:
            self.asked += 1
            self._on_answer()
        return answer


def _first_won(duel: Duel) -> bool | None:
    """Whether the picture shown first won, in the first order."""
    return duel.as_first.won


def _second_won(duel: Duel) -> bool | None:
    """Whether the picture shown first won, in the second order."""
    return None if duel.as_second.won is None else not duel.as_second.won


def _count(outcomes: Sequence[bool]) -> Proportion:
    return Proportion(sum(outcomes), len(outcomes))


def _by_tier(plan: Plan, duels: Sequence[Duel]) -> tuple[TierAgreement, ...]:
    agreements = []
    for better, worse in TIERS:
        values = [
            duel.value
            for (one, other), duel in zip(plan.pairs, duels, strict=True)
            if (one.tier, other.tier) == (better, worse)
        ]
        if values:
            agreements.append(TierAgreement(better, worse, values.count(1.0), values.count(0.5), values.count(0.0)))
    return tuple(agreements)
