"""Films of a gallery's best paintings: each painted once more, with its strokes kept."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from watercolour.show.gallery.facts import Work

logger = logging.getLogger(__name__)

Wanted = tuple[Work, str, int]
"""A work, its medium and the seed that it was painted with."""


def film_path(folder: Path, name: str) -> Path:
    """Where the film of the painting of that name lies."""
    return folder / "films" / f"{name}.mp4"


def make_films(folder: Path, wanted: Sequence[Wanted], *, on_done: Callable[[], None] = lambda: None) -> None:
    """Paint the works again and keep how they grew, but for those that have their film already.

    One that does not come about again is left out, with a warning. Raises PrerequisiteError without a browser.
    """
    for medium in sorted({medium for _, medium, _ in wanted}):
        todo = [(work, seed) for work, name, seed in wanted if name == medium and not _has_film(folder, work)]
        if todo:
            asyncio.run(_paint(folder, todo, medium, on_done))


def _has_film(folder: Path, work: Work) -> bool:
    return film_path(folder, str(work.painting)).is_file()


async def _paint(folder: Path, todo: Sequence[tuple[Work, int]], medium_name: str, on_done: Callable[[], None]) -> None:
    from watercolour.medium import load_medium
    from watercolour.render.film import fps_of
    from watercolour.render.pool import RendererPool, RenderSettings, default_workers
    from watercolour.show.video import write_video
    from watercolour.sketch import Sketch

    medium = load_medium(medium_name)
    settings = RenderSettings(medium.size, frames=medium.frames)
    async with RendererPool(settings, workers=min(default_workers(), len(todo)), backend="wasm", film=True) as pool:

        async def paint(work: Work, seed: int) -> None:
            painting = await pool.paint(Sketch(work.detail["source"]), seed=seed)
            if painting.film is None or painting.pixels is None:
                logger.warning("no film of %s: it ended as %s", work.painting, painting.outcome.value)
            else:
                frames = list(painting.film.frames(painting.pixels))
                path = film_path(folder, str(work.painting))
                await asyncio.to_thread(write_video, path, frames, fps_of(len(frames)))
            on_done()

        await asyncio.gather(*(paint(work, seed) for work, seed in todo))
