"""How far two sets of tiers agree: a table, the share that is equal, and kappa, with intervals.

Kappa is (o - e) / (1 - e), with o the agreement seen and e what chance would give two raters who use the tiers as often
as these do: Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20
(1960), 37-46. The weighted one counts a disagreement by the square of its distance, so love against nope weighs four
times love against okay: Cohen, Psychological Bulletin 70 (1968), 213-220.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from watercolour.references import Tier
from watercolour.statistics import Estimate, pooled
from watercolour.taste.pairs import RANK

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Agreement:
    """Of `count` paintings that both rated. `table[i][j]`: the first says tier i, the second tier j, in Tier's order.

    The intervals are of 1000 bootstrap resamples of the paintings. An estimate's value is None where it has no meaning:
    kappa where both use one tier alone, all of them without a painting.
    """

    count: int
    table: tuple[tuple[int, ...], ...]
    equal: Estimate
    kappa: Estimate
    weighted_kappa: Estimate

    def record(self) -> dict[str, Any]:
        """As plain data."""
        return {"tiers": list(Tier), **asdict(self)}


def agree(first: Mapping[str, Tier], second: Mapping[str, Tier]) -> Agreement:
    """The agreement on what both have rated."""
    both = [name for name in first if name in second]
    one, other = ([float(RANK[tiers[name]]) for name in both] for tiers in (first, second))
    table = tuple(tuple(sum((first[name], second[name]) == (a, b) for name in both) for b in Tier) for a in Tier)
    estimates = (_estimate(of, one, other) for of in (share_equal, kappa, weighted_kappa))
    return Agreement(len(both), table, *estimates)


def interval(estimate: Estimate) -> str:
    """Such as "0.85 [0.70, 0.95]"; a dash where there is no value."""
    if estimate.value is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def share_equal(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    """The share of paintings with the same rank, 0..1; None of none."""
    return float(np.mean(first == second)) if len(first) else None


def kappa(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    """Cohen's kappa of (n,) ranks 0..2 each, at most 1; 0 is what chance gives. None where it is 0/0."""
    return _kappa(first, second, 1.0 - np.eye(3))


def weighted_kappa(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    """Cohen's weighted kappa with squared distances."""
    ranks = np.arange(3.0)
    return _kappa(first, second, (ranks[:, None] - ranks) ** 2)


def _kappa(first: NDArray[np.float64], second: NDArray[np.float64], cost: NDArray[np.float64]) -> float | None:
    if not len(first):
        return None
    seen = np.bincount((3 * first + second).astype(np.int64), minlength=9).reshape(3, 3) / len(first)
    by_chance = float((np.outer(seen.sum(1), seen.sum(0)) * cost).sum())
    return None if by_chance == 0 else 1 - float((seen * cost).sum()) / by_chance


def _estimate(of: Any, first: Sequence[float], second: Sequence[float]) -> Estimate:
    if not first:
        return Estimate(None, None, None, 0)
    return pooled(of, first, second, range(len(first)))
