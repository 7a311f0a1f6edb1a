"""How two fitted tastes differ: each scores the paintings of both sides, and the two orders are compared.

A painting that a side rates is scored by heads that have seen neither its rating nor a variant of its source: else a
taste would only repeat the ratings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from watercolour.curate.comparing.sides import Compared, Side
from watercolour.files import plain
from watercolour.references import Tier
from watercolour.statistics import Estimate, pooled, ranks, spearman
from watercolour.taste.encoder import Encoder
from watercolour.taste.features import pool_features
from watercolour.taste.fit import FEWEST
from watercolour.taste.groups import group_by_source
from watercolour.taste.head import fit_head
from watercolour.taste.heldout import FOLDS, Ratings, hold_out
from watercolour.taste.pairs import RANK, tiers_present
from watercolour.taste.validate import held_out_folds

if TYPE_CHECKING:
    from numpy.typing import NDArray

REPEATS = 4
SHOWN = 6
"""Paintings in each direction."""


@dataclass(frozen=True)
class Shift:
    """A painting with its place in either order: 0 the lowest of all, 1 the highest."""

    painting: Compared
    first: float
    second: float


@dataclass(frozen=True)
class TasteDifference:
    """`correlation` is Spearman's, with a bootstrap interval over sources; `shifts` are the furthest, either way."""

    paintings: int
    correlation: Estimate
    shifts: list[Shift]

    def record(self) -> dict[str, Any]:
        """As plain data."""
        shifts = [
            {"name": each.painting.name, "sha256": each.painting.sha256, "first": each.first, "second": each.second}
            for each in self.shifts
        ]
        record: dict[str, Any] = plain(
            {"paintings": self.paintings, "spearman": vars(self.correlation), "shifts": shifts}
        )
        return record


def lacking(side: Side) -> str | None:
    """Why no taste can be fitted to a side, or None."""
    given = set(side.tiers.values())
    if len(given) < 2:
        return f"{side.name}: gives all its paintings one tier"
    groups = group_by_source(list(side.paintings.values()))
    for tier in Tier:
        count = len({group for group, each in zip(groups.tolist(), side.tiers.values(), strict=True) if each is tier})
        if 0 < count < FEWEST:
            return f"{side.name}: tier {tier} has paintings from too few sources ({count}); {FEWEST} are needed"
    return None


def compare_tastes(
    first: Side, second: Side, encoder: Encoder, *, seed: int = 0, tick: Callable[[], None] = lambda: None
) -> TasteDifference:
    """Fit a taste to each side and compare their orders of all paintings; `tick` is called after each encoded one.

    Raises ConfigError for a picture that cannot be read, InfraError when the cache of features cannot be written.
    """
    union = list({**second.paintings, **first.paintings}.values())
    features = pool_features(encoder, union, tick=tick)
    groups = group_by_source(union)
    one, other = (_scores(side, union, features, groups, seed) for side in (first, second))
    places = [ranks(scores.tolist()) for scores in (one, other)]
    shifts = [Shift(*each) for each in zip(union, *places, strict=True)]
    shifts.sort(key=lambda each: each.first - each.second)
    ends = [*shifts[:SHOWN], *shifts[max(SHOWN, len(shifts) - SHOWN) :]]
    return TasteDifference(
        paintings=len(union),
        correlation=pooled(spearman, one.tolist(), other.tolist(), groups.tolist()),
        shifts=sorted((each for each in ends if each.first != each.second), key=lambda each: each.first - each.second),
    )


def _scores(
    side: Side,
    union: Sequence[Compared],
    features: NDArray[np.float32],
    groups: NDArray[np.int64],
    seed: int,
) -> NDArray[np.float64]:
    """(n,) scores of the union by a taste of one side."""
    tiers = side.tiers
    rated = np.array([row for row, painting in enumerate(union) if painting.sha256 in tiers])
    tier_ranks = np.array([RANK[tiers[union[row].sha256]] for row in rated])
    assert tiers_present(tier_ranks)
    seen = features[rated]
    ratings = Ratings(seen, seen, tier_ranks, np.unique(groups[rated], return_inverse=True)[1].astype(np.int64))
    scores = fit_head(seen, tier_ranks).score(features)
    held = hold_out(ratings, seed=seed, repeats=REPEATS, folds=held_out_folds(ratings, FOLDS))
    scores[rated] = held.scores.mean(0)
    # A painting of the other side may be a variant of a rated one, and then is no more unseen than that one is.
    return np.asarray(scores)
