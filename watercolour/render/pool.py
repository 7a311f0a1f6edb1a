"""The renderer pool: sketches in, Paintings out, on a few Chromium processes. Everything that renders uses it.

Each sketch gets a page of its own, made ahead of time with the libraries loaded, so that nothing outlives a sketch and
the loading is off its path. A page that hangs is ended by killing its browser: that always works, takes a second, and
is rare.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from watercolour.errors import ConfigError, InfraError
from watercolour.painting import Painting, RenderOutcome
from watercolour.render.backend import WASM, AskedBackend, Backend, find_backend
from watercolour.render.browser import find_chromium
from watercolour.render.fast import fast_path
from watercolour.render.libraries import library_sources
from watercolour.render.worker import Worker
from watercolour.sketch import ExtractionProblem, Sketch

if TYPE_CHECKING:
    from playwright.async_api import Playwright

    from watercolour.rollout import OnPainted

DEFAULT_SEED = 1

CONTENT_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data: blob:; style-src 'unsafe-inline'"
)
GPU_SCRIPT = """() => {
  const gl = new OffscreenCanvas(1, 1).getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  return gl && gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
}"""


@dataclass(frozen=True)
class RenderSettings:
    """What decides a picture besides its sketch.

    `canvas` is the medium's canvas in sketch units; what the sketch asks beyond it is clamped. `size_px` is the
    picture's width in pixels: the whole painting is made at that density. `frames` is how many times draw() runs for a
    sketch that loops. `timeout_s` is wall time from the sketch's first line; `cpu_s` is CPU time of all the browser's
    processes from there on, None for any amount, so that a sketch with many threads cannot slow everything else.
    """

    canvas: tuple[int, int] = (600, 600)
    size_px: int | None = None
    frames: int = 1
    timeout_s: float = 20.0
    cpu_s: float | None = 30.0

    @property
    def density(self) -> float:
        """Pixels a sketch unit."""
        return 1.0 if self.size_px is None else self.size_px / self.canvas[0]


def cores() -> int:
    """The CPU cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_workers() -> int:
    """One browser a core that this process may use, four at the most."""
    return min(4, cores())


class RendererPool:
    """`async with RendererPool() as pool: painting = await pool.paint(sketch)`.

    Use it on one event loop. Browsers start when they are first needed.
    """

    def __init__(
        self,
        settings: RenderSettings | None = None,
        *,
        workers: int | None = None,
        chromium: Path | None = None,
        backend: AskedBackend | Backend = "wasm",
        trace: bool = False,
        film: bool = False,
        threaded: bool | None = None,
    ) -> None:
        """`workers` is the number of browsers, by default one a core. Raises PrerequisiteError without a Chromium.

        `backend` is looked for when the pool is entered, which raises PrerequisiteError where it cannot be had. `trace`
        splits the sketch's time in `Painting.stages` and `film` fills in `Painting.film`: both cost a little time and
        leave the picture as it is. Only wasm keeps a film: entering raises ConfigError when another was taken.
        `threaded` gives each painting a second thread, by default where there are two cores a browser or more; not with
        `trace` or `film`.
        """
        self.settings = settings or RenderSettings()
        self.chromium = chromium or find_chromium()
        self._libraries = library_sources()
        self._asked = backend
        self.backend = backend if isinstance(backend, Backend) else WASM
        self.films = film
        workers = workers or default_workers()
        threaded = 2 * workers <= cores() if threaded is None else threaded
        self._threaded = threaded and not trace and not film
        self._fast_path = fast_path(trace=trace, film=film, threaded=threaded)
        self._workers = [Worker(self) for _ in range(workers)]
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._playwright: Playwright | None = None
        self._starting = asyncio.Lock()

    async def __aenter__(self) -> Self:
        if not isinstance(self._asked, Backend):
            self.backend = await find_backend(self._asked, self.chromium)
        if self.films and self.backend.name != "wasm":
            raise ConfigError(f"backend {self.backend.name} keeps no film; film with backend wasm")
        for worker in self._workers:
            self._idle.put_nowait(worker)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End every browser. The pool cannot be used afterwards."""
        await asyncio.gather(*(worker.close() for worker in self._workers))
        if self._playwright is not None:
            with contextlib.suppress(Exception):
                await self._playwright.stop()
            self._playwright = None

    @property
    def page_workers(self) -> int:
        """The workers that each page has of us, before its sketch."""
        return 1 if self._threaded and self.backend.name == "wasm" else 0

    @property
    def sandboxed(self) -> bool | None:
        """Whether the browsers run in Chromium's sandbox; None before the first has started."""
        states = [worker.process.sandboxed for worker in self._workers if worker.process]
        return all(states) if states else None

    async def browser_version(self) -> str:
        """The running browser's version, such as "156.0.8078.73". Raises InfraError when none can be started."""
        worker = await self._idle.get()
        try:
            return (await worker.ensure_process()).browser.version
        finally:
            self._idle.put_nowait(worker)

    async def gpu(self) -> str | None:
        """What WebGL stands on, in its own words; None without WebGL. Raises InfraError when no browser starts."""
        worker = await self._idle.get()
        try:
            context = await (await worker.ensure_process()).browser.new_context(offline=True)
            name = await (await context.new_page()).evaluate(GPU_SCRIPT)
            await context.close()
            return str(name) if name else None
        except InfraError:
            raise
        except Exception as error:  # whatever Playwright says of a browser that died of its driver
            raise InfraError(f"the browser died when it was asked for its GPU: {error}") from error
        finally:
            self._idle.put_nowait(worker)

    async def playwright(self) -> Playwright:
        """The one Playwright driver of this pool, started at the first call."""
        async with self._starting:
            if self._playwright is None:
                from playwright.async_api import async_playwright

                self._playwright = await async_playwright().start()
            return self._playwright

    def page_html(self, seed: int, settings: dict[str, Any]) -> str:
        """The page that a sketch is put into: seeded random numbers, our look, p5, p5.brush, the harness."""
        # The generator and its constants are the usual ones of a C library (ISO C's example, BSD's multiplier), so that
        # the same stream is easily had elsewhere. p5.brush seeds its own streams from it while it loads.
        random = (
            f"{{ let s = {seed} >>> 0; Math.random = () => (s = (Math.imul(s, 1103515245) + 12345) >>> 0) / 2 ** 32 }}"
        )
        harness = _page_file("harness.js").replace("SETTINGS", json.dumps(settings), 1)
        # A GPU rounds as it should, and paints itself.
        ours = [_page_file("rounding.js"), self._fast_path] if self.backend.name == "wasm" else []
        before = _scripts(random, _page_file("look.js"), *ours)
        after = _scripts(self._libraries.p5, self._libraries.brush, harness)
        policy = f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_POLICY}">'
        return f'<!doctype html><html><head><meta charset="utf-8">{before}{policy}{after}</head><body></body></html>'

    async def paint(self, sketch: Sketch, *, seed: int = DEFAULT_SEED) -> Painting:
        """Paint one sketch. Never raises for what the sketch does, nor for a browser that cannot be had (INFRA)."""
        if sketch.problem is ExtractionProblem.NO_SKETCH or not sketch.source.strip():
            return Painting(sketch, RenderOutcome.NO_SKETCH, errors=("there is no program in it",), seed=seed)
        painting = await self._paint_once(sketch, seed)
        if painting.outcome is RenderOutcome.INFRA:
            # The queue gives out another worker before this one, if another is idle.
            painting = await self._paint_once(sketch, seed)
        return painting

    async def _paint_once(self, sketch: Sketch, seed: int) -> Painting:
        queued = time.perf_counter()
        worker = await self._idle.get()
        try:
            waited = time.perf_counter() - queued
            painting = await self._paint_on(worker, sketch, seed)
            return replace(painting, stages={"queue_s": waited, **painting.stages})
        finally:
            self._idle.put_nowait(worker)

    async def _paint_on(self, worker: Worker, sketch: Sketch, seed: int) -> Painting:
        painting = await worker.paint(sketch, seed)
        if painting.outcome is RenderOutcome.CRASHED:
            # Perhaps not the sketch's doing: once more, in a fresh browser.
            painting = await worker.paint(sketch, seed)
        return painting

    async def ready(self) -> list[int]:
        """Wait until the idle browsers have their next pages loaded. Returns the browsers' process groups."""
        for worker in self._workers:
            if worker.next_page is not None:
                await asyncio.wait([worker.next_page])
        return [worker.process.pid for worker in self._workers if worker.process]

    async def paint_all(
        self, sketches: Sequence[Sketch], *, seed: int = DEFAULT_SEED, on_painted: OnPainted | None = None
    ) -> list[Painting]:
        """Paint several, as many at a time as there are workers; results in order."""

        async def paint(sketch: Sketch) -> Painting:
            painting = await self.paint(sketch, seed=seed)
            if on_painted is not None:
                await on_painted(painting)
            return painting

        return list(await asyncio.gather(*(paint(sketch) for sketch in sketches)))


def _scripts(*sources: str) -> str:
    return "".join(f"<script>{source}</script>" for source in sources)


def _page_file(name: str) -> str:
    return resources.files("watercolour.render").joinpath("page", name).read_text("utf-8")
