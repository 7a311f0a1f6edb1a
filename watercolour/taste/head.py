"""The head: a linear score on standardised features, fitted so that better-rated paintings score higher.

Bradley-Terry (1952): P(i beats j) = 1 / (1 + exp(-(s_i - s_j))), with s = w z. The loss is the mean of -log P over the
pairs that tiers and comparisons give, plus an L2 penalty. It is convex, so Newton's method finds the one minimum, and
the same ratings give the same head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from watercolour.errors import InfraError
from watercolour.taste.pairs import Pair, win_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

L2 = 1e-3
"""The penalty's factor, for features whose squared length is 1 in the mean. From .0003 to .003 little changes."""
MAX_COMPONENTS = 128
"""Fewer ratings than this: every principal component is kept, and the fit is that in the full space."""
SCALE_FLOOR = 0.1
"""A feature that hardly varies is divided by this share of the median deviation, not by its own."""


@dataclass(frozen=True)
class Head:
    """`score = standardise(features) @ weights - offset`. `mean`, `scale` and `weights` are (d,).

    Zero is the middle between the tiers' means. `cuts` are the two scores at which nope becomes okay, and okay love.
    """

    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    weights: NDArray[np.float64]
    offset: float
    cuts: tuple[float, float]

    def standardise(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """(n, d) features as deviations from the rated paintings'; their mean squared length is 1.

        Raises ValueError for features of another length.
        """
        if features.ndim != 2 or features.shape[1] != len(self.mean):
            raise ValueError(f"features of shape {features.shape} do not fit a head for {len(self.mean)}")
        return (features.astype(np.float64) - self.mean) / self.scale

    def score(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """(n,) scores; a difference is a log odds before calibration."""
        return self.standardise(features) @ self.weights - self.offset


def fit_head(
    features: NDArray[np.float32], ranks: NDArray[np.int64], pairs: Sequence[Pair] = (), *, l2: float = L2
) -> Head:
    """The head for (n, d) features with (n,) ranks 0 nope, 1 okay, 2 love, and comparisons between the rows.

    Raises InfraError when Newton's method does not settle.
    """
    x = features.astype(np.float64)
    mean, deviation = x.mean(0), x.std(0)
    typical = float(np.median(deviation)) or 1.0
    scale = np.maximum(deviation, SCALE_FLOOR * typical)
    z = (x - mean) / scale
    size = float(np.sqrt(np.mean((z**2).sum(1)))) or 1.0
    scale, z = scale * size, z / size
    axes = principal_axes(z)
    weights = axes @ _newton(z @ axes, win_weights(ranks, pairs), l2)
    scores = z @ weights
    means = [scores[ranks == rank].mean() if (ranks == rank).any() else None for rank in range(3)]
    known = [value for value in means if value is not None]
    offset = float(np.mean(known))
    return Head(mean, scale, weights, offset, _cuts(means, offset))


def principal_axes(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """(d, k) orthonormal: the directions in which (n, d) rows vary most, up to `MAX_COMPONENTS`, from z zT."""
    values, vectors = np.linalg.eigh(z @ z.T)
    kept = np.flatnonzero(values > 1e-9 * max(float(values[-1]), 1e-30))[::-1][:MAX_COMPONENTS]
    return np.asarray(z.T @ (vectors[:, kept] / np.sqrt(values[kept])))


def _newton(z: NDArray[np.float64], wins: NDArray[np.float64], l2: float) -> NDArray[np.float64]:
    """(k,) weights that minimise sum(wins_ij * log(1 + exp(s_j - s_i))) + l2 / 2 |w|^2 with s = z @ w.

    A full step that would make the loss worse is halved until it does not.
    """
    weights = np.zeros(z.shape[1])
    loss = _loss(z, wins, l2, weights)
    for _ in range(100):
        scores = z @ weights
        lost = 1 / (1 + np.exp(np.clip(scores[:, None] - scores, -500, 500)))
        pull = wins * lost
        curve = pull * (1 - lost)
        curve = curve + curve.T
        gradient = z.T @ (pull.sum(0) - pull.sum(1)) + l2 * weights
        laplacian = np.diag(curve.sum(1)) - curve
        step = np.linalg.solve(z.T @ laplacian @ z + l2 * np.eye(len(weights)), gradient)
        length = 1.0
        while (new := _loss(z, wins, l2, weights - length * step)) > loss + 1e-12 and length > 1e-6:
            length /= 2
        weights = weights - length * step
        loss = new
        if np.abs(step).max(initial=0.0) < 1e-8:
            return weights
    raise InfraError("the taste's head did not settle within 100 steps: are the features finite?")


def _loss(z: NDArray[np.float64], wins: NDArray[np.float64], l2: float, weights: NDArray[np.float64]) -> float:
    scores = z @ weights
    return float((wins * np.logaddexp(0, scores - scores[:, None])).sum() + l2 / 2 * weights @ weights)


def _cuts(means: Sequence[float | None], offset: float) -> tuple[float, float]:
    """Half-way between neighbouring tiers' means; a tier that is missing lies beyond every score."""
    nope, okay, love = (None if mean is None else float(mean) - offset for mean in means)
    if okay is None:
        middle = ((nope or 0.0) + (love or 0.0)) / 2
        return middle, middle
    return (
        -np.inf if nope is None else (nope + okay) / 2,
        np.inf if love is None else (okay + love) / 2,
    )
