"""Which pictures of a pool are the same picture twice, though not the same bytes.

Two measures, both on the picture made small. The difference hash (dHash) is 256 bits: in grey, 16 rows of 17 pixels,
whether each is brighter than the one to its right; it sees shapes and not colours. The thumbnail is 32 x 32 pixels in
RGB, compared by its mean absolute difference in 8-bit steps; it sees colours and not details. Duplicates are alike in
both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from numpy.typing import NDArray

HASH_SIDE = 16
THUMBNAIL_SIDE = 32

MAX_HASH_BITS = 10
MAX_THUMBNAIL_MEAN = 2.0
"""Duplicates differ by no more than both of these.

Measured: the nearest two paintings of the shipped pools are near-empty sheets, (9 bits, 2.4) and (19, 1.2) apart; in
pool/animals (24, 1.3). The same sketch with one colour moved by 12 steps in each channel lies at 0 to 2 bits, and .02
to .22 where little of the picture has that colour, so it is found; 3.8 to 6.5 where most has, so it is not. With
another seed a hatched drawing lies at 0 to 9 bits and 0 to .6, so it is found; a watercolour at 31 to 41 bits and 3 to
10: its washes run elsewhere, and it counts as another painting."""


@dataclass(frozen=True)
class Look:
    """A picture made small: `bits` is (256,) bool, `thumbnail` (32, 32, 3) int16 RGB."""

    bits: NDArray[np.bool_]
    thumbnail: NDArray[np.int16]


@dataclass(frozen=True)
class Likeness:
    """How far two pictures are apart: of 256 bits, and in 8-bit steps of a thumbnail's mean."""

    hash_bits: int
    thumbnail_mean: float

    @property
    def is_duplicate(self) -> bool:
        """Whether the two are the same picture twice."""
        return self.hash_bits <= MAX_HASH_BITS and self.thumbnail_mean <= MAX_THUMBNAIL_MEAN


def look_of(pixels: NDArray[np.uint8]) -> Look:
    """The look of a picture, (H, W, 3) uint8 RGB."""
    image = Image.fromarray(pixels)
    grey = np.asarray(image.convert("L").resize((HASH_SIDE + 1, HASH_SIDE), Image.Resampling.BOX), dtype=np.int16)
    small = image.resize((THUMBNAIL_SIDE, THUMBNAIL_SIDE), Image.Resampling.BOX)
    return Look((grey[:, :-1] > grey[:, 1:]).ravel(), np.asarray(small, dtype=np.int16))


def likeness(one: Look, other: Look) -> Likeness:
    """How far two looks are apart."""
    mean = float(np.mean(np.abs(one.thumbnail - other.thumbnail)))
    return Likeness(int(np.count_nonzero(one.bits != other.bits)), mean)


def find_duplicates(looks: Mapping[str, Look]) -> list[tuple[str, str, Likeness]]:
    """Each pair of names whose pictures are duplicates, in the order of `looks`."""
    pairs = ((one, other, likeness(looks[one], looks[other])) for one, other in combinations(looks, 2))
    return [(one, other, found) for one, other, found in pairs if found.is_duplicate]
