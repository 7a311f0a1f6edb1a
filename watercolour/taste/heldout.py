"""Held-out scores: each painting scored by heads that never saw it, nor a variant of its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from watercolour.taste.head import fit_head
from watercolour.taste.pairs import Pair, within

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDS = 5
REPEATS = 10


@dataclass(frozen=True)
class Ratings:
    """What heads are fitted to: (n, d) features, the mirror images' too, (n,) ranks 0..2 and groups, comparisons."""

    features: NDArray[np.float32]
    mirrored: NDArray[np.float32]
    ranks: NDArray[np.int64]
    groups: NDArray[np.int64]
    pairs: Sequence[Pair] = ()


@dataclass(frozen=True)
class HeldOut:
    """All (repeats, n). Scores of one repeat and fold come from one head; only they are compared with each other."""

    folds: NDArray[np.int64]
    scores: NDArray[np.float64]
    mirrored: NDArray[np.float64]
    ranks: NDArray[np.int64]
    """The tier that the head would give."""
    trained_on: float
    """Paintings that a head saw, in the mean."""


def hold_out(ratings: Ratings, *, seed: int, repeats: int = REPEATS, folds: int = FOLDS, share: float = 1.0) -> HeldOut:
    """Repeated k-fold cross-validation grouped by source; a head is shown a `share` of the paintings in other folds."""
    rng = np.random.default_rng([seed, round(share * 1000)])
    size = len(ratings.ranks)
    all_folds = np.stack([grouped_folds(ratings.ranks, ratings.groups, folds, rng) for _ in range(repeats)])
    scores, mirrored = np.zeros((repeats, size)), np.zeros((repeats, size))
    ranks = np.zeros((repeats, size), np.int64)
    seen = []
    for repeat, fold in np.ndindex(repeats, folds):
        held = all_folds[repeat] == fold
        if not held.any():
            continue
        train = np.flatnonzero(~held)
        if share < 1:
            train = _thin(train, ratings, share, rng)
        head = fit_head(ratings.features[train], ratings.ranks[train], within(ratings.pairs, train))
        scores[repeat, held] = head.score(ratings.features[held])
        mirrored[repeat, held] = head.score(ratings.mirrored[held])
        ranks[repeat, held] = np.searchsorted(head.cuts, scores[repeat, held])
        seen.append(len(train))
    return HeldOut(all_folds, scores, mirrored, ranks, float(np.mean(seen)))


def grouped_folds(
    ranks: NDArray[np.int64], groups: NDArray[np.int64], folds: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """(n,) fold numbers: a group lies in one fold, and each tier is spread as evenly as its groups allow.

    A group counts as its best tier; it goes where that tier is rarest so far, then where the fewest paintings are.
    """
    result = np.zeros(len(ranks), np.int64)
    counts = np.zeros((folds, 3))
    members = {int(group): np.flatnonzero(groups == group) for group in rng.permutation(np.unique(groups))}
    for group in sorted(members, key=lambda group: (-int(ranks[members[group]].max()), -len(members[group]))):
        rows = members[group]
        best = int(ranks[rows].max())
        fold = min(rng.permutation(folds).tolist(), key=lambda fold: (counts[fold, best], counts[fold].sum()))
        result[rows] = fold
        counts[fold] += np.bincount(ranks[rows], minlength=3)
    return result


def _thin(train: NDArray[np.int64], ratings: Ratings, share: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """A share of the training groups, of each tier alike, but at least one of each."""
    kept: list[NDArray[np.int64]] = []
    best = {
        int(group): int(ratings.ranks[train[ratings.groups[train] == group]].max())
        for group in np.unique(ratings.groups[train])
    }
    for rank in range(3):
        of_rank = rng.permutation([group for group, top in best.items() if top == rank])
        kept.append(of_rank[: max(1, round(share * len(of_rank)))])
    return train[np.isin(ratings.groups[train], np.concatenate(kept))]
