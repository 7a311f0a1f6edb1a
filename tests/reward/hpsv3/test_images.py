"""The resize rule and the cut into patches, against numbers worked out from the original's code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from watercolour.reward.hpsv3.images import AREA_PX, MEAN, STD, ShapeError, patchify, resized_shape


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ((600, 600), (420, 420)),  # not 448: the quotient falls a hair short in floating point
        ((448, 448), (448, 448)),
        ((1200, 600), (616, 308)),
        ((29, 31), (448, 476)),
        ((28, 2100), (56, 3892)),
        ((1, 200), (56, 6356)),
    ],
)
def test_resize_rule(shape: tuple[int, int], expected: tuple[int, int]) -> None:
    assert resized_shape(*shape) == expected
    assert resized_shape(*reversed(shape)) == tuple(reversed(expected))


@given(st.integers(1, 4000), st.integers(1, 4000))
def test_sides_are_multiples_of_28_and_the_area_near_the_wanted(height: int, width: int) -> None:
    try:
        resized = resized_shape(height, width)
    except ShapeError:
        assert max(height, width) / min(height, width) > 100
        return
    assert all(side >= 28 and side % 28 == 0 for side in resized)
    assert 0.5 * AREA_PX < resized[0] * resized[1] < 2.1 * AREA_PX


@pytest.mark.parametrize("shape", [(1, 201), (4020, 20), (100, 20_000)])
def test_long_thin_pictures_are_refused_with_their_size(shape: tuple[int, int]) -> None:
    """The last is 200 to 1 itself, and 226 to 1 after the resize; the original refuses it then."""
    with pytest.raises(ShapeError, match=f"{'6328 x 28' if shape[0] == 100 else f'{shape[1]} x {shape[0]}'}"):
        resized_shape(*shape)


def test_a_patch_holds_its_own_pixels_twice_channel_by_channel() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (448, 448, 3), dtype=np.uint8)
    patches = patchify(pixels)
    assert (patches.rows, patches.columns, patches.tokens) == (32, 32, 256)
    assert patches.values.shape == (1024, 1176)
    assert patches.values.dtype == np.float32
    # The seventh patch is the third of the second token: row 1, column 2.
    third_of_second = patches.values[6].reshape(3, 2, 14, 14)
    for channel in range(3):
        expected = (pixels[14:28, 28:42, channel] / 255 - MEAN[channel]) / STD[channel]
        for frame in range(2):
            np.testing.assert_allclose(third_of_second[channel, frame], expected, atol=1e-6)


def test_pillow_does_the_resize_before_the_cut() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (600, 600, 3), dtype=np.uint8)
    small = np.asarray(Image.fromarray(pixels).resize((420, 420), Image.Resampling.BICUBIC))
    patches = patchify(pixels)
    assert (patches.rows, patches.columns) == (30, 30)
    expected = (small[:14, :14, 0] / 255 - MEAN[0]) / STD[0]
    np.testing.assert_allclose(patches.values[0].reshape(3, 2, 14, 14)[0, 0], expected, atol=1e-6)
