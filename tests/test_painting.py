"""Measures on pixels, and the name of a painting."""

from __future__ import annotations

import io
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from watercolour.painting import (
    Painting,
    RenderOutcome,
    flatten,
    guess_paper,
    hash_pixels,
    measure_coverage,
    read_picture,
)

PAPER = (251, 246, 238)


def paper(height: int = 20, width: int = 30) -> np.ndarray:
    return np.full((height, width, 3), PAPER, np.uint8)


def test_coverage_counts_pixels_farther_than_32_from_the_paper() -> None:
    pixels = paper()
    pixels[:10, :15] = (251, 246, 238 - 33)
    pixels[10:, :15] = (251, 246, 238 - 32)
    assert measure_coverage(pixels, PAPER) == pytest.approx(0.25)


def test_coverage_is_against_the_given_paper_not_white() -> None:
    assert measure_coverage(paper(), PAPER) == 0.0
    assert measure_coverage(np.full((4, 4, 3), (20, 40, 80), np.uint8), PAPER) == 1.0


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 255))
def test_flat_picture_is_its_own_paper(height: int, width: int, level: int) -> None:
    pixels = np.full((height, width, 3), level, np.uint8)
    assert guess_paper(pixels) == (level, level, level)
    assert measure_coverage(pixels, guess_paper(pixels)) == 0.0


def test_name_depends_on_shape_and_every_pixel() -> None:
    pixels = paper()
    other = pixels.copy()
    other[7, 3, 2] ^= 1
    names = {hash_pixels(pixels), hash_pixels(other), hash_pixels(pixels.reshape(30, 20, 3))}
    assert len(names) == 3
    assert hash_pixels(pixels[::-1].copy()[::-1]) == hash_pixels(pixels)


@given(st.integers(0, 255), st.integers(0, 255))
def test_transparent_picture_lies_on_white(value: int, alpha: int) -> None:
    flat = flatten(np.array([[[value, value, value, alpha]]], np.uint8))
    assert abs(int(flat[0, 0, 0]) - (value * alpha + 255 * (255 - alpha)) / 255) <= 0.5


def test_png_round_trip(tmp_path: Path) -> None:
    pixels = paper()
    pixels[5:15, 5:25] = (200, 60, 90)
    painting = Painting(None, RenderOutcome.OK, pixels=pixels)
    path = tmp_path / "a.png"
    path.write_bytes(painting.png())
    again = read_picture(path)
    assert again.sha256 == painting.sha256
    assert again.paper == PAPER
    assert again.coverage == pytest.approx(200 / 600)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(painting.png()))), pixels)


def test_blank_picture_file_is_blank(tmp_path: Path) -> None:
    path = tmp_path / "blank.png"
    Image.fromarray(paper()).save(path)
    assert read_picture(path).outcome == RenderOutcome.BLANK


@pytest.mark.parametrize("side", [11_000, 30_000])
def test_picture_too_large_for_memory_is_refused(tmp_path: Path, side: int) -> None:
    path = tmp_path / "bomb.png"
    Image.new("1", (8, 8)).save(path)
    data = bytearray(path.read_bytes())
    data[16:24] = side.to_bytes(4) * 2
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4)
    path.write_bytes(data)
    with pytest.raises(ValueError, match="too many pixels"):
        read_picture(path)


def test_painting_without_a_picture_has_no_name_and_no_png() -> None:
    painting = Painting(None, RenderOutcome.TIMED_OUT)
    assert painting.sha256 is None
    with pytest.raises(ValueError, match="timed_out"):
        painting.png()


def test_only_our_own_fault_is_ours() -> None:
    assert [outcome for outcome in RenderOutcome if outcome.is_ours] == [RenderOutcome.INFRA]
