"""Probes: pictures that nobody rated and nobody could like, to see that the taste agrees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIDE_PX = 600
PAPERS = {"white paper": (255, 255, 255), "cream paper": (251, 246, 238)}
FLAT = {"flat pink": (230, 120, 150), "flat yellow": (240, 210, 80), "flat grey": (128, 128, 128)}


def probe_pictures() -> dict[str, NDArray[np.uint8]]:
    """By name, (600, 600, 3) each: bare papers, flat colours, noise by the pixel and in squares of 8 pixels."""
    rng = np.random.default_rng(0)
    noise = rng.integers(0, 256, (SIDE_PX, SIDE_PX, 3), dtype=np.uint8)
    coarse = rng.integers(0, 256, (SIDE_PX // 8, SIDE_PX // 8, 3), dtype=np.uint8).repeat(8, axis=0).repeat(8, axis=1)
    sheets = {name: np.full((SIDE_PX, SIDE_PX, 3), colour, np.uint8) for name, colour in (PAPERS | FLAT).items()}
    return sheets | {"noise": noise, "coarse noise": coarse}
