"""What was written is read again: every frame, its size and colour, and how long it stays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import av
import numpy as np
import pytest
from PIL import Image

from watercolour.errors import ConfigError, InfraError
from watercolour.show.video import write_video

if TYPE_CHECKING:
    from numpy.typing import NDArray


def frames(count: int, height: int, width: int) -> Iterator[NDArray[np.uint8]]:
    """Warm paper with a rose-coloured square that moves to the right."""
    for index in range(count):
        frame = np.full((height, width, 3), (251, 246, 238), np.uint8)
        frame[10:30, 4 * index : 4 * index + 20] = (216, 102, 123)
        yield frame


def decode(path: Path) -> list[NDArray[np.uint8]]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def test_mp4_holds_every_frame_and_the_last_one_longer(tmp_path: Path) -> None:
    path = tmp_path / "new" / "film.mp4"
    given = list(frames(12, 64, 96))
    assert write_video(path, given, 8) == 12
    shown = decode(path)
    assert len(shown) == 12 + 8
    for frame, wanted in zip(shown, given + given[-1:] * 8, strict=True):
        assert np.abs(frame.astype(int) - wanted).mean() < 3
    assert [file.name for file in path.parent.iterdir()] == ["film.mp4"]


def test_mp4_plays_in_browsers(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    write_video(path, frames(3, 64, 96), 8, hold_s=0)
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt, stream.average_rate) == ("h264", "yuv420p", 8)
        assert (stream.codec_context.colorspace, stream.codec_context.color_range) == (1, 1)
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_odd_sides_are_made_even_without_moving_the_picture(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    write_video(path, frames(2, 63, 95), 8, hold_s=0)
    last = decode(path)[-1]
    assert last.shape == (64, 96, 3)
    assert np.abs(last[:63, :95].astype(int) - list(frames(2, 63, 95))[-1]).mean() < 3


def test_webp_is_animated_and_holds_the_last_frame(tmp_path: Path) -> None:
    path = tmp_path / "film.webp"
    given = list(frames(5, 63, 95))
    assert write_video(path, iter(given), 10) == 5
    with Image.open(path) as film:
        assert (film.size, film.n_frames, film.info["loop"]) == ((95, 63), 5, 0)
        durations = []
        for index, wanted in enumerate(given):
            film.seek(index)
            assert np.abs(np.asarray(film.convert("RGB")).astype(int) - wanted).mean() < 3
            durations.append(film.info["duration"])
    assert durations == [100, 100, 100, 100, 1100]


@pytest.mark.parametrize("suffix", ["mp4", "webp"])
def test_one_frame_is_a_film(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"film.{suffix}"
    assert write_video(path, frames(1, 32, 32), 8) == 1
    assert path.stat().st_size > 0


def test_what_cannot_be_a_film(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"film.gif: a film is an .mp4 or a .webp"):
        write_video(tmp_path / "film.gif", frames(1, 32, 32), 8)
    path = tmp_path / "film.mp4"
    path.write_bytes(b"what was there before")
    with pytest.raises(ValueError, match="at least one frame"):
        write_video(path, [], 8)
    with pytest.raises(ValueError, match="of one size"):
        write_video(path, [*frames(1, 32, 32), *frames(1, 34, 32)], 8)
    with pytest.raises(InfraError, match=r"film.mp4/film.mp4: cannot be written"):
        write_video(path / "film.mp4", frames(1, 32, 32), 8)
    assert path.read_bytes() == b"what was there before"
    assert [file.name for file in tmp_path.iterdir()] == ["film.mp4"]
