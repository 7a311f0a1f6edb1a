"""Paintings that a run has made before, found again by all that decides them: replaying steps after a crash is free."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from watercolour.files import append_line, read_lines
from watercolour.painting import Painting, RenderOutcome, hash_pixels, read_picture, restore
from watercolour.render.pool import DEFAULT_SEED

if TYPE_CHECKING:
    from watercolour.render.pool import RendererPool
    from watercolour.runs import RunDir
    from watercolour.sketch import Sketch

KEPT = frozenset(
    {
        RenderOutcome.OK,
        RenderOutcome.BLANK,
        RenderOutcome.THREW,
        RenderOutcome.SYNTAX_ERROR,
        RenderOutcome.NO_CANVAS,
    }
)
"""What a sketch does again whenever it is run. A sketch that was cut may end in time on a machine that is less busy."""

_FACTS = ("coverage", "errors", "seed", "seconds")
"""What is kept of a painting besides its measures."""


class CachedRenderer:
    """`RendererPool.paint_all`, with every picture put into the run and none painted twice.

    The index is renders.jsonl in the run; the pictures are the run's own images. A painting that comes from there has
    the seconds that it took when it was painted.
    """

    def __init__(self, pool: RendererPool, run: RunDir, browser: str) -> None:
        """`browser` is the build's version. Raises InfraError when the index cannot be read."""
        self.pool = pool
        self.cached = 0
        """How many paintings were had without painting, so far."""
        self._run = run
        self._browser = browser
        self._known = {str(record.get("key")): record for record in read_lines(run.renders_path)}
        self._page = cache(lambda seed: hashlib.sha256(pool.page_html(seed, {}).encode()).hexdigest())

    def key(self, sketch: Sketch, seed: int) -> str:
        """A hash of what decides the painting: source, seed, settings, the page's scripts, browser build, backend."""
        decides = {
            "source": sketch.source,
            "page": self._page(seed),
            "settings": asdict(self.pool.settings),
            "browser": self._browser,
            "backend": asdict(self.pool.backend),
        }
        return hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()

    async def paint_all(self, sketches: Sequence[Sketch], *, seed: int = DEFAULT_SEED) -> list[Painting]:
        """Paint a group, results in order. Raises FatalInfraError when the run's folder takes no more."""
        keys = [self.key(sketch, seed) for sketch in sketches]
        first = dict(reversed(list(zip(keys, sketches, strict=True))))
        painted = await asyncio.gather(*(self._paint(key, sketch, seed) for key, sketch in first.items()))
        by_key = dict(zip(first, painted, strict=True))
        self.cached += sum(by_key[key].outcome in KEPT for key in keys) - sum(p.outcome in KEPT for p in painted)
        return [replace(by_key[key], sketch=sketch) for key, sketch in zip(keys, sketches, strict=True)]

    async def _paint(self, key: str, sketch: Sketch, seed: int) -> Painting:
        if known := await asyncio.to_thread(self._find, key, sketch):
            self.cached += 1
            return known
        (painting,) = await self.pool.paint_all([sketch], seed=seed)
        await asyncio.to_thread(self._run.add_image, painting)
        if painting.outcome in KEPT:
            facts = {name: getattr(painting, name) for name in _FACTS}
            record = {
                "key": key,
                "outcome": painting.outcome,
                "painting": painting.sha256,
                **facts,
                "measures": painting.measures(),
            }
            append_line(self._run.renders_path, record)
            self._known[key] = record
        return painting

    def _find(self, key: str, sketch: Sketch) -> Painting | None:
        """The painting as it was, or None where it is not known or its picture is not what it was."""
        record = self._known.get(key)
        if record is None:
            return None
        try:
            name = record["painting"]
            pixels = None if name is None else read_picture(self._run.image_path(name)).pixels
            if pixels is not None and hash_pixels(pixels) != name:
                return None
            facts: dict[str, Any] = {fact: record[fact] for fact in _FACTS} | {"errors": tuple(record["errors"])}
            return restore(Painting(sketch, RenderOutcome(record["outcome"]), pixels, **facts), record["measures"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
