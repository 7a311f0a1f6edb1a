"""Paintings that a run has made before, found again by all that decides them: replaying steps after a crash is free.

A painting may also be begun ahead of its group, while the rest of the group is still being written.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Awaitable, Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from watercolour.files import append_line, read_lines
from watercolour.painting import Painting, RenderOutcome, hash_pixels, read_picture, restore
from watercolour.render.pool import DEFAULT_SEED

if TYPE_CHECKING:
    from watercolour.render.pool import RendererPool
    from watercolour.rollout import OnPainted
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
        self.ahead_s = 0.0
        """Seconds in which something of the last group was being painted before the group was asked for."""
        self._ahead: dict[str, asyncio.Task[tuple[Painting, bool]]] = {}
        self._clock = _Clock()
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

    def paint_ahead(self, sketch: Sketch, *, seed: int = DEFAULT_SEED, on_painted: OnPainted | None = None) -> None:
        """Begin to paint a sketch of the next group, on the running event loop; `paint_all` takes it up.

        What goes wrong is raised there.
        """
        key = self.key(sketch, seed)
        if key not in self._ahead:
            self._ahead[key] = asyncio.create_task(self._paint_timed(key, sketch, seed, on_painted))

    async def paint_all(
        self, sketches: Sequence[Sketch], *, seed: int = DEFAULT_SEED, on_painted: OnPainted | None = None
    ) -> list[Painting]:
        """Paint a group, results in order. Raises FatalInfraError when the run's folder takes no more.

        What was begun ahead is awaited, not painted again; what was begun and is not in the group is called off.
        """
        ahead, self._ahead = self._ahead, {}
        self.ahead_s = self._clock.restart()
        keys = [self.key(sketch, seed) for sketch in sketches]
        first = dict(reversed(list(zip(keys, sketches, strict=True))))
        works: list[Awaitable[tuple[Painting, bool]]] = [
            ahead.pop(key) if key in ahead else self._paint(key, sketch, seed, on_painted)
            for key, sketch in first.items()
        ]
        _call_off(ahead)
        painted = dict(zip(first, await asyncio.gather(*works), strict=True))
        self._clock.restart()  # what was waited for here is not ahead of the next group
        kept = [key for key in keys if painted[key][0].outcome in KEPT]
        self.cached += len(kept) - sum(not painted[key][1] for key in set(kept))
        return [replace(painted[key][0], sketch=sketch) for key, sketch in zip(keys, sketches, strict=True)]

    def forget_ahead(self) -> None:
        """Call off what was begun ahead. On the event loop that began it."""
        ahead, self._ahead = self._ahead, {}
        _call_off(ahead)

    async def _paint_timed(
        self, key: str, sketch: Sketch, seed: int, on_painted: OnPainted | None
    ) -> tuple[Painting, bool]:
        with self._clock:
            return await self._paint(key, sketch, seed, on_painted)

    async def _paint(self, key: str, sketch: Sketch, seed: int, on_painted: OnPainted | None) -> tuple[Painting, bool]:
        """The painting, and whether it had been painted before."""
        known = await asyncio.to_thread(self._find, key, sketch)
        painting = known or await self._paint_anew(key, sketch, seed)
        if on_painted is not None:
            await on_painted(painting)
        return painting, known is not None

    async def _paint_anew(self, key: str, sketch: Sketch, seed: int) -> Painting:
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


def _call_off(tasks: dict[str, asyncio.Task[tuple[Painting, bool]]]) -> None:
    for task in tasks.values():
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody else will ask for it
        task.cancel()


class _Clock:
    """Wall time in which at least one of several overlapping works was under way."""

    def __init__(self) -> None:
        self._under_way = 0
        self._since = 0.0
        self._sum_s = 0.0

    def __enter__(self) -> None:
        if self._under_way == 0:
            self._since = time.perf_counter()
        self._under_way += 1

    def __exit__(self, *_: object) -> None:
        self._under_way -= 1
        if self._under_way == 0:
            self._sum_s += time.perf_counter() - self._since

    def restart(self) -> float:
        """Seconds since the last restart; counting begins anew."""
        now = time.perf_counter()
        seconds = self._sum_s + (now - self._since if self._under_way else 0.0)
        self._sum_s, self._since = 0.0, now
        return seconds
