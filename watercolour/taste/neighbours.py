"""Neighbours: which rated paintings a picture is like, and how far it is from all of them.

A score says little about a picture unlike any that was rated; a policy that is rewarded will look for such pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEAREST = 3
FAR_QUANTILE = 0.95


@dataclass(frozen=True)
class Neighbours:
    """`rated` is (n, d), the rated paintings' standardised features; `unit` the distance that counts as 1."""

    rated: NDArray[np.float64]
    unit: float

    def distance(self, z: NDArray[np.float64]) -> NDArray[np.float64]:
        """(m,): the mean Euclidean distance to the nearest three, over `unit`."""
        return _mean_nearest(distances(z, self.rated)) / self.unit

    def nearest(self, z: NDArray[np.float64]) -> list[list[tuple[int, float]]]:
        """For each of (m, d) pictures the rows of the nearest three, nearest first, with their cosines, -1..1."""
        order = np.argsort(distances(z, self.rated), axis=1, kind="stable")[:, :NEAREST]
        return [
            [(int(row), _cosine(picture, self.rated[row])) for row in rows]
            for picture, rows in zip(z, order, strict=True)
        ]


def measure_unit(rated: NDArray[np.float64], groups: NDArray[np.int64]) -> float:
    """How far 95 % of the rated paintings lie from their nearest three, variants of their own source left out.

    So distance 1.0 is as far as the 95th percentile of the rated.
    """
    apart = distances(rated, rated)
    apart[groups[:, None] == groups] = np.inf
    lonely = _mean_nearest(apart)
    lonely = lonely[np.isfinite(lonely)]
    return float(np.quantile(lonely, FAR_QUANTILE)) if lonely.size else 1.0


def distances(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """(m, n) Euclidean distances between the rows."""
    squares = (one**2).sum(1)[:, None] + (other**2).sum(1) - 2 * one @ other.T
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))


def _mean_nearest(apart: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.sort(apart, axis=1)[:, :NEAREST].mean(1))


def _cosine(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    length = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / length if length else 0.0
