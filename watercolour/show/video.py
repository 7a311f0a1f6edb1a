"""Films: pictures in a row as MP4 that every browser plays, or as animated WebP."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Iterable, Iterator
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watercolour.errors import ConfigError
from watercolour.files import cannot_write, sync_folder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HOLD_S = 1.0
"""How long the last picture stays."""

BT709 = 1
"""H.273's number for BT.709 as matrix, primaries and transfer: without it players guess the colours from the size."""
LIMITED_RANGE = 1
"""FFmpeg's number for the usual range of video levels."""


class FilmFormat(StrEnum):
    """What a film is written as; the value is the file's suffix without its dot."""

    MP4 = "mp4"
    """H.264: small, and plays everywhere."""
    WEBP = "webp"
    """An animated picture: runs in a loop wherever a picture can stand."""


def write_video(path: Path, frames: Iterable[NDArray[np.uint8]], fps: int, *, hold_s: float = HOLD_S) -> int:
    """Write frames of (height, width, 3) uint8 RGB, all of one size, as .mp4 or .webp; the last is held for `hold_s`.

    An MP4's sides are even: an odd one repeats its last row or column. The file appears at once or not at all. Returns
    the number of frames given. Raises ConfigError for another suffix, ValueError without frames or for frames of
    different sizes, and InfraError when it cannot be written.
    """
    if path.suffix not in (".mp4", ".webp"):
        raise ConfigError(f"{path}: a film is an .mp4 or a .webp")
    write = _write_mp4 if path.suffix == ".mp4" else _write_webp
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=path.suffix, dir=path.parent)
        os.close(descriptor)
        temporary = Path(name)
        count = write(temporary, _of_one_size(frames), fps, hold_s)
        temporary.chmod(0o666 & ~_umask())
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
        sync_folder(path.parent)
        return count
    except OSError as error:
        cannot_write(path, error)
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _of_one_size(frames: Iterable[NDArray[np.uint8]]) -> Iterator[NDArray[np.uint8]]:
    shape: tuple[int, ...] | None = None
    for frame in frames:
        if frame.ndim != 3 or frame.shape[2] != 3 or frame.shape != (shape or frame.shape):
            raise ValueError(f"a film's frames are all (height, width, 3) of one size; got {frame.shape} after {shape}")
        shape = frame.shape
        yield frame
    if shape is None:
        raise ValueError("a film needs at least one frame")


def _write_mp4(path: Path, frames: Iterator[NDArray[np.uint8]], fps: int, hold_s: float) -> int:
    import av
    import numpy as np
    from av.video.reformatter import ColorRange, Colorspace

    first = next(frames)
    height, width = (side + side % 2 for side in first.shape[:2])
    count, last = 0, first
    # The index in front of the pictures, so that a browser can start before it has all of the file.
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=fps, options={"crf": "16", "preset": "veryfast"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.time_base = Fraction(1, fps)
        context = stream.codec_context
        context.color_primaries = context.color_trc = context.colorspace = BT709
        context.color_range = LIMITED_RANGE

        def encode(pixels: NDArray[np.uint8], at: int) -> None:
            rows, columns = height - pixels.shape[0], width - pixels.shape[1]
            even = np.pad(pixels, ((0, rows), (0, columns), (0, 0)), mode="edge") if rows or columns else pixels
            frame: Any = av.VideoFrame.from_ndarray(np.ascontiguousarray(even), format="rgb24").reformat(
                format="yuv420p", dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG
            )
            frame.pts, frame.time_base = at, Fraction(1, fps)
            container.mux(stream.encode(frame))

        for last in itertools.chain([first], frames):
            encode(last, count)
            count += 1
        for held in range(round(hold_s * fps)):
            encode(last, count + held)
        container.mux(stream.encode(None))
    return count


def _write_webp(path: Path, frames: Iterator[NDArray[np.uint8]], fps: int, hold_s: float) -> int:
    from PIL import Image

    first, *rest = [Image.fromarray(frame) for frame in frames]
    durations = [round(1000 / fps)] * (1 + len(rest))
    durations[-1] += round(1000 * hold_s)
    first.save(path, "WEBP", save_all=True, append_images=rest, duration=durations, loop=0, quality=85, method=4)
    return len(durations)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
