"""Which references a step's rollouts face: one draw for the whole group, the same whenever the step is scored again."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from watercolour.errors import ConfigError
from watercolour.references import Reference, Tier
from watercolour.reward.settings import LoveShare, PairwiseSettings

_ROUNDING = 1e-9
"""Forgives floating point what arithmetic would give exactly."""


def loved_at(step: int, count: int, share: float | LoveShare) -> int:
    """How many of `count` references are loved ones at a step (from 1).

    Exactly the share, where that is a whole number; else the steps take turns, so that their sum keeps to the share.
    """
    return math.floor(_loved_until(step, count, share)) - math.floor(_loved_until(step - 1, count, share))


def draw_references(
    references: Sequence[Reference], settings: PairwiseSettings, *, run_seed: int, step: int
) -> list[Reference]:
    """The step's references, loved ones first, none twice. The pool's order does not matter, only its names."""
    loved = loved_at(step, settings.references, settings.love_share)
    chance = random.Random(f"references of run {run_seed}, step {step}")
    drawn: list[Reference] = []
    for tier, count in ((Tier.LOVE, loved), (Tier.OKAY, settings.references - loved)):
        drawn += chance.sample(sorted(_of(tier, references), key=lambda each: each.name), count)
    return drawn


def draw_panel(references: Sequence[Reference], count: int, *, seed: int) -> list[Reference]:
    """An evaluation's references, loved ones first, none twice: half of them loved, more where the okay ones run out.

    They depend on the pool's paintings, on `count` and on `seed`, so that any run with these has the same ones. Raises
    ConfigError when the pool has too few.
    """
    by_tier = {tier: sorted(_of(tier, references), key=lambda each: each.name) for tier in (Tier.LOVE, Tier.OKAY)}
    there = {tier: len(members) for tier, members in by_tier.items()}
    if sum(there.values()) < count:
        raise ConfigError(
            f"eval.references: {count} are asked for, and the pool has {sum(there.values())} of the tiers love and okay"
        )
    loved = max(min(-(-count // 2), there[Tier.LOVE]), count - there[Tier.OKAY])
    chance = random.Random(f"panel of evaluation {seed}")
    drawn = chance.sample(by_tier[Tier.LOVE], loved)
    return drawn + chance.sample(by_tier[Tier.OKAY], count - loved)


def check_draws(references: Sequence[Reference], settings: PairwiseSettings, label: str) -> None:
    """Raises ConfigError when the pool has too few of a tier for any step's draw."""
    share = settings.love_share
    least, most = (share, share) if isinstance(share, float) else sorted((share.start, share.to))
    for tier, top_share in ((Tier.LOVE, most), (Tier.OKAY, 1 - least)):
        needed = math.ceil(settings.references * top_share - _ROUNDING)
        there = len(_of(tier, references))
        if there < needed:
            raise ConfigError(
                f"{label}: a step's draw needs {needed} paintings of the tier '{tier}', and the pool has {there}: "
                "lower `references`, change `love_share`, or use another pool"
            )


def _of(tier: Tier, references: Sequence[Reference]) -> list[Reference]:
    return [reference for reference in references if reference.tier is tier]


def _loved_until(step: int, count: int, share: float | LoveShare) -> float:
    """`count` times the sum of the shares of the steps 1 to `step`; counts on below step 1, for a draw at step 0."""
    if not isinstance(share, LoveShare):
        return count * share * step + _ROUNDING
    rising = max(0, min(step, share.over_steps) - 1)
    slope = (share.to - share.start) / max(1, share.over_steps - 1)
    summed = share.start * min(step, share.over_steps) + slope * rising * (rising + 1) / 2
    return count * (summed + share.to * max(0, step - share.over_steps)) + _ROUNDING
