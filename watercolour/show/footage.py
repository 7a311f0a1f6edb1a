"""What a film is made of: so many frames at such a pace, of runs step by step or of one painting stroke by stroke."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from watercolour.errors import ConfigError, InfraError
from watercolour.show.frame import film_frames
from watercolour.show.reel import all_steps, open_run, read_reel
from watercolour.show.video import write_video
from watercolour.sketch import extract

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from watercolour.medium import Medium

PLAY_S = 12.0
"""How long a film of a run plays, about."""
SLOWEST_FPS, FASTEST_FPS = 2, 10
MOST_WEBP_FRAMES = 240
"""A WebP is held in memory while it is written: of a longer film it shows every second frame, or third, and so on."""
SIDE_PX, GRID_SIDE_PX = 600, 420
TIMEOUT_S = 60.0
"""A film makes a sketch slower, and nobody waits for it to be scored."""


@dataclass(frozen=True)
class Footage:
    """`frames` gives `count` pictures, (height, width, 3) uint8, anew each time; `fps` is a pleasant pace."""

    name: str
    count: int
    fps: int
    frames: Callable[[], Iterator[NDArray[np.uint8]]]


def of_runs(names: Sequence[str], *, best: bool, group: int | None, side_px: int | None) -> Footage:
    """Runs step by step, several in a grid. Raises ConfigError for what is no run, or has no rollouts yet."""
    reels = [read_reel(open_run(name), best=best, group=group) for name in names]
    count = len(all_steps(reels))
    side = side_px or (SIDE_PX if len(reels) == 1 else GRID_SIDE_PX)
    fps = min(FASTEST_FPS, max(SLOWEST_FPS, round(count / PLAY_S)))
    name = "-".join(dict.fromkeys(reel.name for reel in reels))[:80]
    return Footage(name, count, fps, lambda: film_frames(reels, side))


async def of_strokes(
    reply: str, name: str, *, medium: Medium, render_seed: int = 1, size_px: int | None = None
) -> Footage:
    """One sketch, or a whole reply, as it grows. It is painted anew.

    Raises ConfigError where it paints nothing, InfraError where no browser can be had.
    """
    from watercolour.render.film import fps_of
    from watercolour.render.pool import RendererPool, RenderSettings

    settings = RenderSettings(medium.size, size_px=size_px, frames=medium.frames, timeout_s=TIMEOUT_S, cpu_s=None)
    async with RendererPool(settings, workers=1, film=True) as pool:
        painting = await pool.paint(extract(reply), seed=render_seed)
    if painting.outcome.is_ours:
        raise InfraError(f"{name}: could not be painted ({'; '.join(painting.errors)}); run: watercolour doctor")
    film, pixels = painting.film, painting.pixels
    if film is None or pixels is None:
        why = " ".join("; ".join(painting.errors).split())[:200] or "nothing was painted"
        raise ConfigError(f"{name}: {painting.outcome.value}, there is nothing to film: {why}")
    count = sum(1 for _ in film.frames(pixels))
    return Footage(name, count, fps_of(count), lambda: film.frames(pixels))


def shoot(footage: Footage, path: Path, *, fps: int, hold_s: float, on_frame: Callable[[], None]) -> None:
    """Write the film as its suffix says. Raises what `write_video` raises."""
    stride = -(-footage.count // MOST_WEBP_FRAMES) if path.suffix == ".webp" else 1

    def counted() -> Iterator[NDArray[np.uint8]]:
        for frame in footage.frames():
            on_frame()
            yield frame

    # Counted from the end, so that the last frame, which is held, is always there.
    skipped = (footage.count - 1) % stride
    write_video(path, itertools.islice(counted(), skipped, None, stride), max(1, round(fps / stride)), hold_s=hold_s)
