"""Where a rise comes from: failing less, painting better, or failing less badly; and what is left to be had.

With p the share of rollouts under BAD_REWARD, b their mean and g that of the others, a third's mean is p b + (1 - p) g.
The change between two thirds is then exactly

    failing less     (p1 - p2) ((g1 + g2) / 2 - (b1 + b2) / 2)
    painting better  (1 - (p1 + p2) / 2) (g2 - g1)
    failing better   (p1 + p2) / 2 (b2 - b1)

where 1 and 2 are the first and the last third: the product rule for differences, each factor taken at its midpoint, as
in Kitagawa, "Components of a difference between two rates", Journal of the American Statistical Association 50 (1955),
1168-1194. Where a third has none of a kind the other third's mean stands in, which changes no sum.

"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from watercolour.show.report.trend import thirds_of
from watercolour.statistics import BAD_REWARD


@dataclass(frozen=True)
class Third:
    """The rollouts of a third of the steps. A mean of none is None."""

    rollouts: int
    bad: int
    mean: float | None
    bad_mean: float | None
    good_mean: float | None
    """The ceiling: the mean reward if every rollout were as good as the good ones."""
    best_of_step: float | None
    """The mean over steps of each one's best."""

    @property
    def bad_share(self) -> float | None:
        return self.bad / self.rollouts if self.rollouts else None


@dataclass(frozen=True)
class Rise:
    """The change of the mean reward, over rollouts, from the first third to the last; the three parts add up to it."""

    total: float
    failing_less: float
    painting_better: float
    failing_better: float


def split_thirds(groups: Sequence[Sequence[float]]) -> tuple[Third, Third, Third] | None:
    """Thirds of the steps, each step given as the rewards of its scored rollouts; None under 3 steps that have any."""
    parts = thirds_of([group for group in groups if group])
    if parts is None:
        return None
    first, second, third = (_third(part) for part in parts)
    return first, second, third


def decompose(first: Third, last: Third) -> Rise | None:
    """The rise from one third to the other, in parts. None where either has no rollout."""
    if first.mean is None or last.mean is None or first.bad_share is None or last.bad_share is None:
        return None
    p1, p2 = first.bad_share, last.bad_share
    b1, b2 = _pair(first.bad_mean, last.bad_mean)
    g1, g2 = _pair(first.good_mean, last.good_mean)
    return Rise(
        total=last.mean - first.mean,
        failing_less=(p1 - p2) * ((g1 + g2) / 2 - (b1 + b2) / 2),
        painting_better=(1 - (p1 + p2) / 2) * (g2 - g1),
        failing_better=(p1 + p2) / 2 * (b2 - b1),
    )


def _third(groups: Sequence[Sequence[float]]) -> Third:
    rewards = [reward for group in groups for reward in group]
    bad = [reward for reward in rewards if reward < BAD_REWARD]
    good = [reward for reward in rewards if reward >= BAD_REWARD]
    return Third(len(rewards), len(bad), _mean(rewards), _mean(bad), _mean(good), _mean([max(g) for g in groups]))


def _pair(one: float | None, other: float | None) -> tuple[float, float]:
    """Both means; each stands in for the other where that is of nothing, and 0 where there is neither."""
    return (other or 0.0) if one is None else one, (one or 0.0) if other is None else other


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
