"""Calibration: a score becomes the chance of beating a painting drawn from the pool, each tier as likely as another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

STEEPEST = 1e3
FLATTEST = 1e-3


@dataclass(frozen=True)
class Calibration:
    """P(beats j) = 1 / (1 + exp(-slope (s - s_j))), Bradley-Terry with Platt's slope.

    `rivals` holds, by tier, the held-out scores of the pool's paintings.
    """

    slope: float
    rivals: Mapping[str, NDArray[np.float64]]

    def beats(self, scores: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """By tier, for each of (n,) scores, the chance (0..1) of beating one of its paintings."""
        return {tier: self.odds(scores[:, None] - rivals).mean(1) for tier, rivals in self.rivals.items()}

    def value(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) values, 0..1: the mean of `beats` over the tiers."""
        return np.mean(list(self.beats(scores).values()), axis=0)  # type: ignore[no-any-return]

    def odds(self, differences: NDArray[np.float64]) -> NDArray[np.float64]:
        """The chance that what scores higher by `differences` is the better one."""
        return sigmoid(self.slope * differences)


def sigmoid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / (1 + exp(-x)) without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(x / 2)))


def fit_slope(differences: NDArray[np.float64], weights: NDArray[np.float64], paintings: int) -> float:
    """The slope at which `sigmoid(slope * difference)` is likeliest, for held-out winners' leads over their losers.

    The targets are not 1 but (n + 1) / (n + 2) for n paintings (Platt 1999), so that ratings which part without an
    error do not make the slope infinite. One number, found by bisection: the likelihood is concave in it.
    """
    target = (paintings + 1) / (paintings + 2)
    low, high = FLATTEST, STEEPEST
    for _ in range(60):
        middle = float(np.sqrt(low * high))
        if float((weights * differences * (target - sigmoid(middle * differences))).sum()) > 0:
            low = middle
        else:
            high = middle
    return low
