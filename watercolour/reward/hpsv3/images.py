"""A painting as HPSv3 sees it: resized to about 448 x 448 pixels, then cut into patches.

Pillow's bicubic resize, as HPSv3 was trained with: torchvision's moves mu by 5e-3, and another major version of Pillow
by as much. So Pillow's version is recorded with the scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from numpy.typing import NDArray

PATCH_PX = 14
MERGED = 2
"""Patches that become one token, each way."""
FRAMES = 2
"""Qwen2-VL takes pictures as films of two frames, both the same."""
STEP_PX = PATCH_PX * MERGED
AREA_PX = 256 * STEP_PX * STEP_PX
"""Pixels that a picture is resized to, about."""
MAX_RATIO = 200
"""Longer side to shorter side; beyond, HPSv3 refuses a picture."""

# CLIP's, over the RGB channels in 0..1.
MEAN = (0.48145466, 0.4578275, 0.40821073)
STD = (0.26862954, 0.26130258, 0.27577711)


class ShapeError(ValueError):
    """A picture that is too long and thin to be scored; the message is a sentence."""


@dataclass(frozen=True)
class Patches:
    """A picture ready for the vision tower.

    `values` is (rows * columns, 1176) float32: each patch's 3 channels x 2 frames x 14 x 14, four patches of a token
    after another. `rows` and `columns` count patches.
    """

    values: NDArray[np.float32]
    rows: int
    columns: int

    @property
    def tokens(self) -> int:
        """How many tokens the picture takes in the prompt."""
        return self.rows * self.columns // MERGED**2


def resized_shape(height: int, width: int) -> tuple[int, int]:
    """Height and width in pixels after the resize: multiples of 28, near `AREA_PX`, the ratio about kept.

    600 x 600 becomes 420 x 420, not 448 x 448: 600 / sqrt(600 * 600 / 200704) is a hair below 448 in floating point,
    and is rounded down. HPSv3 was trained with that. Raises ShapeError for a ratio over 200, before or after.
    """
    _check_ratio(height, width)
    rounded_height = max(STEP_PX, round(height / STEP_PX) * STEP_PX)
    rounded_width = max(STEP_PX, round(width / STEP_PX) * STEP_PX)
    area = rounded_height * rounded_width
    if area > AREA_PX:
        shrink = math.sqrt((height * width) / AREA_PX)
        rounded_height = math.floor(height / shrink / STEP_PX) * STEP_PX
        rounded_width = math.floor(width / shrink / STEP_PX) * STEP_PX
    elif area < AREA_PX:
        grow = math.sqrt(AREA_PX / (height * width))
        rounded_height = math.ceil(height * grow / STEP_PX) * STEP_PX
        rounded_width = math.ceil(width * grow / STEP_PX) * STEP_PX
    _check_ratio(rounded_height, rounded_width)
    return rounded_height, rounded_width


def patchify(pixels: NDArray[np.uint8]) -> Patches:
    """(height, width, 3) uint8 RGB as patches. Raises ShapeError for a ratio of its sides over 200."""
    height, width = resized_shape(*pixels.shape[:2])
    resized = Image.fromarray(pixels).resize((width, height), Image.Resampling.BICUBIC)
    scaled = np.asarray(resized, np.float32) * np.float32(1 / 255)
    normal = np.asarray((scaled - np.asarray(MEAN, np.float32)) / np.asarray(STD, np.float32), np.float32)
    rows, columns = height // PATCH_PX, width // PATCH_PX
    # row of tokens, row in the token, row in the patch, the same for columns, channel
    cut = normal.reshape(rows // MERGED, MERGED, PATCH_PX, columns // MERGED, MERGED, PATCH_PX, 3)
    patches = cut.transpose(0, 3, 1, 4, 6, 2, 5)[..., None, :, :].repeat(FRAMES, axis=-3)
    return Patches(patches.reshape(rows * columns, -1), rows, columns)


def _check_ratio(height: int, width: int) -> None:
    ratio = max(height, width) / max(1, min(height, width))
    if ratio > MAX_RATIO:
        raise ShapeError(f"a picture of {width} x {height} is too long and thin: HPSv3 takes up to {MAX_RATIO} to 1")
