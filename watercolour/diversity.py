"""How different the sketches and pictures of one group are: a policy that writes one sketch over and over shows here.

Sketches are compared by their shingles, runs of `SHINGLE` tokens (A. Broder, On the resemblance and containment of
documents, 1997): 0 for the same tokens, 1 for none in common. Pictures are compared by an image encoder's features.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHINGLE = 4
"""Tokens in a shingle."""
_TOKEN = re.compile(r"\w+|[^\w\s]")


def distinct_share(sources: Sequence[str]) -> float | None:
    """Different sources over all, 1/n..1; None of nothing."""
    return len(set(sources)) / len(sources) if sources else None


def source_distance(sources: Sequence[str]) -> float | None:
    """Mean over all pairs of 1 - |common shingles| / |all shingles|, 0..1; None of fewer than two sources."""
    sets = [_shingles(source) for source in sources]
    distances = [
        1 - len(one & other) / len(one | other) if one | other else 0.0 for one, other in combinations(sets, 2)
    ]
    return sum(distances) / len(distances) if distances else None


def mean_distances(features: NDArray[np.float32]) -> list[float]:
    """For each of (n, d) features the mean of 1 - cosine to the others, 0..2; empty for fewer than two."""
    import numpy as np

    count = len(features)
    if count < 2:
        return []
    lengths = np.linalg.norm(features, axis=1, keepdims=True)
    units = features.astype(np.float64) / np.maximum(lengths, 1e-12)
    cosines = units @ units.T
    return [float(1 - (cosines[row].sum() - cosines[row, row]) / (count - 1)) for row in range(count)]


def _shingles(source: str) -> set[tuple[str, ...]]:
    tokens = _TOKEN.findall(source)
    return {tuple(tokens[at : at + SHINGLE]) for at in range(max(1, len(tokens) - SHINGLE + 1))} if tokens else set()
