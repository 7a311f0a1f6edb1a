"""Is it collapsing to one flower? How far apart the paintings of a step are, by their looks or by their sources."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from watercolour.diversity import source_distance
from watercolour.show.report.evidence import Evidence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from watercolour.taste.encoder import Encoder


def feature_distance(features: NDArray[np.float32]) -> float | None:
    """The mean over pairs of 1 - cosine of (n, d) features; None under two."""
    count = len(features)
    if count < 2:
        return None
    rows = np.asarray(features, np.float64)
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    together = rows.sum(axis=0)
    return float(1 - (together @ together - count) / (count * (count - 1)))


def by_sources(evidence: Evidence) -> list[float | None]:
    """The source distance of each step."""
    groups = evidence.by_step()
    return [
        source_distance([rollout.source for rollout in groups.get(step.step, []) if rollout.source])
        for step in evidence.steps
    ]


def by_features(evidence: Evidence, encoder: Encoder, tick: Callable[[], None] = lambda: None) -> list[float | None]:
    """The feature distance of each step's paintings that can be read; features are kept in the cache.

    Raises InfraError when the cache cannot be written.
    """
    from watercolour.painting import read_picture
    from watercolour.taste.features import picture_features

    groups, found = evidence.by_step(), []
    for step in evidence.steps:
        rows = []
        for rollout in groups.get(step.step, []):
            if path := evidence.picture(rollout):
                try:
                    pixels = read_picture(path).pixels
                except (OSError, ValueError):
                    continue
                if pixels is not None:
                    rows.append(picture_features(encoder, pixels))
        found.append(feature_distance(np.stack(rows)) if len(rows) > 1 else None)
        tick()
    return found
