"""The renderer pool: sketches in, Paintings out, on a few Chromium processes. Everything that renders uses it.

Each sketch gets a page of its own, made ahead of time with the libraries loaded, so that nothing outlives a sketch and
the loading is off its path. A page that hangs is ended by killing its browser: that always works, takes a second, and
is rare.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import logging
import os
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from watercolour.errors import InfraError
from watercolour.painting import BLANK_COVERAGE, Painting, RenderOutcome, flatten, measure_coverage
from watercolour.render.browser import BrowserProcess, find_chromium, launch
from watercolour.render.fast import fast_path
from watercolour.render.libraries import library_sources
from watercolour.sketch import ExtractionProblem, Sketch

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.async_api import CDPSession, Page, Playwright

logger = logging.getLogger(__name__)

LAUNCH_TRIES = 3
LOAD_TIMEOUT_S = 30.0
DEFAULT_SEED = 1

CONTENT_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data: blob:; style-src 'unsafe-inline'"
)


@dataclass(frozen=True)
class RenderSettings:
    """What decides a picture besides its sketch.

    `canvas` is the medium's canvas in sketch units; what the sketch asks beyond it is clamped. `size_px` is the
    picture's width in pixels: the whole painting is made at that density. `frames` is how many times draw() runs for a
    sketch that loops. `timeout_s` is wall time from the sketch's first line.
    """

    canvas: tuple[int, int] = (600, 600)
    size_px: int | None = None
    frames: int = 1
    timeout_s: float = 20.0

    @property
    def density(self) -> float:
        """Pixels a sketch unit."""
        return 1.0 if self.size_px is None else self.size_px / self.canvas[0]


def default_workers() -> int:
    """One browser a core that this process may use, four at the most."""
    return max(1, min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1))


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
    ) -> None:
        """`workers` is the number of browsers, by default one a core. Raises PrerequisiteError without a Chromium."""
        self.settings = settings or RenderSettings()
        self.chromium = chromium or find_chromium()
        self._libraries = library_sources()
        self._fast_path = fast_path()
        self._workers = [_Worker(self) for _ in range(workers or default_workers())]
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._playwright: Playwright | None = None
        self._starting = asyncio.Lock()

    async def __aenter__(self) -> Self:
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
        scripts = [random, _page_file("look.js"), self._fast_path, self._libraries.p5, self._libraries.brush, harness]
        body = "".join(f"<script>{script}</script>" for script in scripts)
        return (
            f'<!doctype html><html><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_POLICY}">{body}</head><body></body></html>'
        )

    async def paint(self, sketch: Sketch, *, seed: int = DEFAULT_SEED) -> Painting:
        """Paint one sketch. Never raises for what the sketch does, nor for a browser that cannot be had (INFRA)."""
        if sketch.problem is ExtractionProblem.NO_SKETCH or not sketch.source.strip():
            return Painting(sketch, RenderOutcome.NO_SKETCH, errors=("there is no program in it",), seed=seed)
        queued = time.perf_counter()
        worker = await self._idle.get()
        try:
            waited = time.perf_counter() - queued
            painting = await self._paint_on(worker, sketch, seed)
            return replace(painting, stages={"queue_s": waited, **painting.stages})
        finally:
            self._idle.put_nowait(worker)

    async def _paint_on(self, worker: _Worker, sketch: Sketch, seed: int) -> Painting:
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

    async def paint_all(self, sketches: Sequence[Sketch], *, seed: int = DEFAULT_SEED) -> list[Painting]:
        """Paint several, as many at a time as there are workers; results in order."""
        return list(await asyncio.gather(*(self.paint(sketch, seed=seed) for sketch in sketches)))


def _page_file(name: str) -> str:
    return resources.files("watercolour.render").joinpath("page", name).read_text("utf-8")


@dataclass
class _Page:
    """A loaded page that waits for its sketch."""

    page: Page
    session: CDPSession
    run: str
    seed: int
    reply: asyncio.Future[dict[str, Any]]


class _Worker:
    """One browser process and its next page."""

    def __init__(self, pool: RendererPool) -> None:
        self.pool = pool
        self.process: BrowserProcess | None = None
        self.next_page: asyncio.Task[_Page] | None = None

    async def close(self) -> None:
        """End this worker's browser."""
        if self.next_page is not None:
            self.next_page.cancel()
            with contextlib.suppress(BaseException):
                await self.next_page
            self.next_page = None
        await self._end_process()

    async def _end_process(self) -> None:
        if self.process is not None:
            process, self.process = self.process, None
            await process.kill()

    async def ensure_process(self) -> BrowserProcess:
        """The running browser, started if need be. Raises InfraError after `LAUNCH_TRIES` failures."""
        if self.process is not None and not self.process.browser.is_connected():
            await self._end_process()
        for attempt in range(LAUNCH_TRIES):
            if self.process is not None:
                break
            try:
                self.process = await launch(await self.pool.playwright(), self.pool.chromium)
            except InfraError:
                if attempt + 1 == LAUNCH_TRIES:
                    raise
                await asyncio.sleep(0.5 * 2**attempt)
        assert self.process is not None
        return self.process

    async def paint(self, sketch: Sketch, seed: int) -> Painting:
        started = time.perf_counter()
        try:
            page = await self._take_page(seed)
        except Exception as error:  # whatever Playwright says of a browser that is not there
            await self.close()
            return Painting(sketch, RenderOutcome.INFRA, errors=(f"no browser: {error}",), seed=seed)
        loaded = time.perf_counter()
        reply = await self._run(page, sketch)
        seconds = time.perf_counter() - started
        painting = self._painting(sketch, seed, reply)
        stages = {"page_s": loaded - started, **painting.stages}
        if reply["outcome"] in ("timed_out", "crashed"):
            await self.close()
        else:
            self._preload(seed, replaces=page)
        return replace(painting, seconds=seconds, stages=stages)

    async def _take_page(self, seed: int) -> _Page:
        for attempt in range(2):
            task, self.next_page = self.next_page, None
            try:
                if task is not None:
                    page = await task
                    if page.seed == seed:
                        return page
                    await self._retire(page)
                return await asyncio.wait_for(self._load(seed), LOAD_TIMEOUT_S)
            except Exception:
                await self.close()
                if attempt:
                    raise
        raise InfraError("no page could be loaded")

    def _preload(self, seed: int, *, replaces: _Page) -> None:
        async def load() -> _Page:
            await self._retire(replaces)
            return await asyncio.wait_for(self._load(seed), LOAD_TIMEOUT_S)

        self.next_page = asyncio.create_task(load())

    async def _load(self, seed: int) -> _Page:
        process = await self.ensure_process()
        settings = self.pool.settings
        width, height = settings.canvas
        context = await process.browser.new_context(
            offline=True,
            viewport={"width": width, "height": height},
            device_scale_factor=1,
            locale="en-US",
            timezone_id="UTC",
            accept_downloads=False,
            service_workers="block",
        )
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        binding, run = (f"w{secrets.token_hex(12)}" for _ in range(2))
        reply: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

        def settle(value: dict[str, Any]) -> None:
            if not reply.done():
                reply.set_result(value)

        def on_binding(event: dict[str, Any]) -> None:
            if event.get("name") == binding:
                with contextlib.suppress(ValueError):
                    settle(json.loads(event["payload"]))

        session.on("Runtime.bindingCalled", on_binding)
        page.on("crash", lambda _: settle({"outcome": "crashed", "errors": ["the page crashed"]}))
        process.browser.on("disconnected", lambda _: settle({"outcome": "crashed", "errors": ["the browser died"]}))
        page.on("dialog", lambda dialog: asyncio.ensure_future(_quietly(dialog.dismiss())))
        page.on("popup", lambda popup: asyncio.ensure_future(_quietly(popup.close())))
        await session.send("Runtime.enable")
        await session.send("Runtime.addBinding", {"name": binding})
        await page.set_content(
            self.pool.page_html(
                seed,
                {
                    "binding": binding,
                    "run": run,
                    "width": width,
                    "height": height,
                    "density": settings.density,
                    "frames": settings.frames,
                },
            ),
            wait_until="load",
        )
        page.on(
            "framenavigated",
            lambda frame: (
                settle({"outcome": "threw", "errors": ["it left its page"]}) if frame is page.main_frame else None
            ),
        )
        return _Page(page, session, run, seed, reply)

    async def _run(self, page: _Page, sketch: Sketch) -> dict[str, Any]:
        expression = f"{page.run}({json.dumps(sketch.source)})"
        # Not awaited: a sketch that hangs in its first line would hold this call for ever.
        sending = asyncio.ensure_future(_quietly(page.session.send("Runtime.evaluate", {"expression": expression})))
        try:
            return await asyncio.wait_for(asyncio.shield(page.reply), self.pool.settings.timeout_s)
        except TimeoutError:
            seconds = f"{self.pool.settings.timeout_s:g}"
            return {"outcome": "timed_out", "errors": [f"still running after {seconds} s"]}
        finally:
            sending.cancel()

    async def _retire(self, page: _Page) -> None:
        try:
            await asyncio.wait_for(page.page.context.close(), 5)
        except Exception:
            logger.debug("a page would not close; its browser is replaced")
            await self._end_process()

    def _painting(self, sketch: Sketch, seed: int, reply: dict[str, Any]) -> Painting:
        errors = tuple(str(error) for error in reply.get("errors", ()))
        outcome = _OUTCOMES.get(str(reply.get("outcome")), RenderOutcome.CRASHED)
        stages = {
            "sketch_s": float(reply.get("sketch_ms", 0)) / 1000,
            "read_s": float(reply.get("read_ms", 0)) / 1000,
        }
        base = Painting(sketch, outcome, errors=errors, seed=seed, stages=stages)
        picture = reply.get("picture")
        if outcome not in (RenderOutcome.OK, RenderOutcome.THREW):
            return base
        if picture is None:
            return replace(base, outcome=RenderOutcome.NO_CANVAS if outcome is RenderOutcome.OK else outcome)
        pixels = flatten(_decode(picture))
        paper = _paper(reply.get("paper"))
        coverage = measure_coverage(pixels, paper)
        if outcome is RenderOutcome.OK and coverage < BLANK_COVERAGE:
            outcome = RenderOutcome.BLANK
        asked = reply.get("asked")
        return replace(
            base,
            outcome=outcome,
            pixels=pixels,
            paper=paper,
            coverage=coverage,
            canvas=(asked[0], asked[1]) if asked else None,
            brush_fills=int(reply["brushMarks"]),
        )


_OUTCOMES = {
    "ok": RenderOutcome.OK,
    "threw": RenderOutcome.THREW,
    "syntax_error": RenderOutcome.SYNTAX_ERROR,
    "no_canvas": RenderOutcome.NO_CANVAS,
    "timed_out": RenderOutcome.TIMED_OUT,
    "crashed": RenderOutcome.CRASHED,
    "context_lost": RenderOutcome.CRASHED,
}


def _decode(picture: dict[str, Any]) -> NDArray[np.uint8]:
    """The page's picture as straight-alpha (H, W, 4), top row first."""
    height, width = int(picture["height"]), int(picture["width"])
    rgba = np.frombuffer(base64.b64decode(picture["base64"]), np.uint8).reshape(height, width, 4)
    if picture["kind"] == "2d":
        return rgba
    rgba = rgba[::-1]
    alpha = rgba[..., 3:].astype(np.uint16)
    if np.all(alpha == 255):
        return rgba
    # WebGL keeps its colours premultiplied.
    colour = (rgba[..., :3].astype(np.uint16) * 255 + alpha // 2) // np.maximum(alpha, 1)
    return np.concatenate([np.minimum(colour, 255), alpha], axis=2).astype(np.uint8)


def _paper(clear_colour: list[float] | None) -> tuple[int, int, int]:
    """The RGB of the bare paper from a premultiplied clear colour, 0..1 each; white where the canvas is transparent."""
    if clear_colour is None:
        return (255, 255, 255)
    red, green, blue, alpha = (float(value) for value in clear_colour)
    return tuple(round(255 * min(1.0, value + 1 - alpha)) for value in (red, green, blue))  # type: ignore[return-value]


async def _quietly(awaitable: Any) -> None:
    with contextlib.suppress(Exception):
        await awaitable
