"""The eight pictures that ours and the original are compared on: four of the pool and four made here, of all shapes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from watercolour.painting import flatten, read_picture

POOL = Path(__file__).parents[3] / "pool" / "hibiscus"
FROM_POOL = (
    "love/coral-two-on-a-branch",
    "love/peach-loose-wet",
    "okay/plain-magenta-side",
    "okay/pale-peach-one-leaf",
)


def pictures() -> dict[str, NDArray[np.uint8]]:
    """(height, width, 3) uint8 each, by name."""
    found = {name: _pool(name) for name in FROM_POOL[:3]}
    found["pool, cut to 230 x 411"] = _pool(FROM_POOL[3])[100:511, 50:280].copy()
    found["waves 640 x 360"] = flatten(_waves(640, 360))
    found["waves with alpha 300 x 500"] = flatten(_waves(300, 500, alpha=True))
    found["a strip 2100 x 28, 75 to 1"] = flatten(_waves(2100, 28))
    found["a stamp 31 x 29"] = flatten(_waves(31, 29))
    return found


def _pool(name: str) -> NDArray[np.uint8]:
    pixels = read_picture(POOL / f"{name}.png").pixels
    assert pixels is not None
    return pixels


def _waves(width: int, height: int, alpha: bool = False) -> NDArray[np.uint8]:
    """Triangle waves of whole numbers, the same on every machine; RGBA."""
    y, x = np.mgrid[:height, :width]
    channels = [(x * 7 + y * 3) % 511, (x * 2 + y * 11) % 511, (x * 5 + y * y // 40) % 511]
    colours = [np.where(channel > 255, 510 - channel, channel) for channel in channels]
    opacity = (x * 3 + y * 5) % 256 if alpha else np.full_like(x, 255)
    return np.stack([*colours, opacity], axis=-1).astype(np.uint8)


def save(folder: Path) -> dict[str, Path]:
    """Each picture as a PNG under `folder`, by name."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {}
    for index, (name, pixels) in enumerate(pictures().items()):
        paths[name] = folder / f"{index}.png"
        Image.fromarray(pixels).save(paths[name])
    return paths
