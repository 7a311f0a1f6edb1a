"""One browser of the pool: its process, the page it holds ready, and the run of one sketch in it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from watercolour.errors import InfraError
from watercolour.painting import Painting, RenderOutcome
from watercolour.render.browser import BrowserProcess, launch
from watercolour.render.processes import group_cpu_s
from watercolour.render.report import painting_of
from watercolour.render.watch import Watch, quietly
from watercolour.sketch import Sketch

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Page

    from watercolour.render.pool import RendererPool

logger = logging.getLogger(__name__)

LAUNCH_TRIES = 3
PAGES_A_HOME = 24
"""After so many pages their process is replaced: a closed page leaves some 5 MB behind in it."""
LOAD_TIMEOUT_S = 90.0
"""Longer than a launch with the sandbox and one without it may take."""
FILM_SLACK_S = 30.0
"""What keeping a film and handing it over may take on top of a sketch's own time."""
CPU_CHECK_S = 0.5
"""How often a sketch's CPU time is looked at."""


@dataclass
class _Page:
    """A loaded page that waits for its sketch."""

    page: Page
    session: CDPSession
    run: str
    seed: int
    watch: Watch


class Worker:
    """One browser process and its next page."""

    def __init__(self, pool: RendererPool) -> None:
        self.pool = pool
        self.process: BrowserProcess | None = None
        self.next_page: asyncio.Task[_Page] | None = None
        self._home: BrowserContext | None = None
        self._pages_left = 0
        self._watches: set[Watch] = set()

    async def close(self) -> None:
        """End this worker's browser."""
        if self.next_page is not None:
            self.next_page.cancel()
            with contextlib.suppress(BaseException):
                await self.next_page
            self.next_page = None
        await self._end_process()

    def _browser_died(self) -> None:
        for watch in tuple(self._watches):
            watch.settle({"outcome": "crashed", "errors": ["the browser died"]})

    async def _end_process(self) -> None:
        if self.process is not None:
            process, self.process, self._home = self.process, None, None
            await process.kill()

    async def ensure_process(self) -> BrowserProcess:
        """The running browser, started if need be. Raises InfraError after `LAUNCH_TRIES` failures."""
        if self.process is not None and not self.process.browser.is_connected():
            await self._end_process()
        for attempt in range(LAUNCH_TRIES):
            if self.process is not None:
                break
            try:
                self.process = await launch(await self.pool.playwright(), self.pool.chromium, self.pool.backend)
                self.process.browser.on("disconnected", lambda _: self._browser_died())
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
        painting = painting_of(reply, sketch, seed)
        stages = {"page_s": loaded - started, **painting.stages}
        if painting.outcome in (RenderOutcome.TIMED_OUT, RenderOutcome.CRASHED):
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
            except Exception as error:
                await self.close()
                if attempt or isinstance(error, InfraError):
                    raise
        raise InfraError("no page could be loaded")

    def _preload(self, seed: int, *, replaces: _Page) -> None:
        async def load() -> _Page:
            await self._retire(replaces)
            return await asyncio.wait_for(self._load(seed), LOAD_TIMEOUT_S)

        self.next_page = asyncio.create_task(load())

    async def _load(self, seed: int) -> _Page:
        process = await self.ensure_process()
        if self._home is None or self._pages_left <= 0:
            await self._move(process)
        assert self._home is not None
        self._pages_left -= 1
        return await self._load_in(self._home, seed)

    async def _move(self, process: BrowserProcess) -> None:
        """Make the pages a new home: a context with one page of its own in it, which never gets a sketch.

        That page keeps their renderer process alive from one sketch to the next, and with it what it has compiled.
        """
        if self._home is not None:
            await self._home.close()
        width, height = self.pool.settings.canvas
        self._home = await process.browser.new_context(
            offline=True,
            viewport={"width": width, "height": height},
            device_scale_factor=1,
            locale="en-US",
            timezone_id="UTC",
            accept_downloads=False,
            service_workers="block",
        )
        self._pages_left = PAGES_A_HOME
        await self._load_in(self._home, seed=0)

    async def _load_in(self, context: BrowserContext, seed: int) -> _Page:
        settings = self.pool.settings
        width, height = settings.canvas
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        binding, run = (f"w{secrets.token_hex(12)}" for _ in range(2))
        watch = Watch(page, session, binding, self.pool.page_workers)
        self._watches.add(watch)
        watch.reply.add_done_callback(lambda _: self._watches.discard(watch))
        await watch.enable()
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
        watch.loaded()
        return _Page(page, session, run, seed, watch)

    async def _run(self, page: _Page, sketch: Sketch) -> dict[str, Any]:
        expression = f"{page.run}({json.dumps(sketch.source)})"
        # Not awaited: a sketch that hangs in its first line would hold this call for ever.
        sending = asyncio.ensure_future(quietly(page.session.send("Runtime.evaluate", {"expression": expression})))
        limits = asyncio.ensure_future(self._reach_a_limit())
        try:
            waiting: list[asyncio.Future[Any]] = [page.watch.reply, limits]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if page.watch.reply.done():
                return page.watch.reply.result()
            return {"outcome": "timed_out", "errors": [await limits]}
        finally:
            sending.cancel()
            limits.cancel()

    async def _reach_a_limit(self) -> str:
        """Ends when the sketch that runs has used up its wall or its CPU time, and says which."""
        settings = self.pool.settings
        slack_s = FILM_SLACK_S if self.pool.films else 0.0
        deadline = time.monotonic() + settings.timeout_s + slack_s
        group = self.process.pid if self.process and settings.cpu_s is not None else None
        before = None if group is None else await asyncio.to_thread(group_cpu_s, group)
        while (left := deadline - time.monotonic()) > 0:
            if group is None or before is None or settings.cpu_s is None:
                await asyncio.sleep(left)
                continue
            await asyncio.sleep(min(CPU_CHECK_S, left))
            used = await asyncio.to_thread(group_cpu_s, group)
            if used is not None and used - before > settings.cpu_s:
                return f"it used {used - before:.1f} s of CPU time, and the limit is {settings.cpu_s:g} s"
        return f"still running after {settings.timeout_s:g} s"

    async def _retire(self, page: _Page) -> None:
        try:
            async with asyncio.timeout(5):
                if not page.watch.strayings:
                    await page.page.close()
                if page.watch.strayings:  # perhaps heard of only just now
                    # Closing its home is not enough: a process that it navigated to may stay for a while.
                    await self._end_process()
        except Exception:
            logger.debug("a page would not close; its browser is replaced")
            await self._end_process()
