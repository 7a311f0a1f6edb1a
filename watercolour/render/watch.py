"""What one page says and does: the report on its sketch, and whatever the sketch does beyond its page."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from watercolour.render.report import parse_report

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Frame, Page

LEFT = {"outcome": "threw", "errors": ["it left its page"]}


class Watch:
    """Listens to a page that is about to be loaded.

    `reply` gets the report of the sketch, or what became of the page instead. `strayings` is what the sketch did beyond
    its page; with any, nothing of that browser may serve another one.
    """

    def __init__(self, page: Page, session: CDPSession, binding: str, page_workers: int) -> None:
        """`binding` is the function by which the page reports; `page_workers` are the workers that it has of us."""
        self.reply: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self.strayings: list[object] = []
        self._page, self._session, self._binding = page, session, binding
        self._page_workers = page_workers
        self._realms: list[tuple[int, str]] = []
        """Numbers and frames of what scripts run in; the first is the page's own."""
        self._frames: list[Any] = []
        session.on("Runtime.executionContextCreated", self._on_realm)
        session.on("Runtime.bindingCalled", self._on_binding)
        page.on("crash", lambda _: self.settle({"outcome": "crashed", "errors": ["the page crashed"]}))
        page.on("dialog", lambda dialog: asyncio.ensure_future(quietly(dialog.dismiss())))
        page.on("popup", lambda popup: asyncio.ensure_future(quietly(popup.close())))
        page.on("worker", self._on_worker)

    async def enable(self) -> None:
        """Have the page tell all this."""
        await self._session.send("Page.enable")
        await self._session.send("Runtime.enable")
        await self._session.send("Runtime.addBinding", {"name": self._binding})

    def loaded(self) -> None:
        """From now on what the page does is the sketch's doing."""
        for message in ("Page.frameScheduledNavigation", "Page.frameRequestedNavigation"):
            self._session.on(message, self._on_leaving)
        self._page.on("framenavigated", self._on_navigated)
        for event in ("framenavigated", "frameattached", "popup", "dialog", "download"):
            self._page.on(event, self._on_straying)

    def settle(self, value: dict[str, Any]) -> None:
        """The reply, unless there is one."""
        if not self.reply.done():
            self.reply.set_result(value)

    def _on_realm(self, event: dict[str, Any]) -> None:
        data = event["context"]["auxData"]
        if data["isDefault"]:  # and not Playwright's
            self._realms.append((event["context"]["id"], data["frameId"]))

    def _on_binding(self, event: dict[str, Any]) -> None:
        # A frame that the sketch makes gets the binding too; only the realm that the harness runs in may report.
        if event.get("name") != self._binding or event.get("executionContextId") != self._realms[0][0]:
            return
        report = parse_report(event["payload"])
        if "frame" in report:
            self._frames.append(report["frame"])
        else:
            self.settle({**report, "frames": self._frames})

    def _on_leaving(self, event: dict[str, Any]) -> None:
        # The page says so itself, before anything that it reports later: how fast it goes makes no difference.
        self.strayings.append(event)
        if event["frameId"] == self._realms[0][1] and event.get("disposition", "currentTab") == "currentTab":
            self.settle(LEFT)

    def _on_navigated(self, frame: Frame) -> None:
        if frame is self._page.main_frame:
            self.settle(LEFT)

    def _on_straying(self, straying: object) -> None:
        self.strayings.append(straying)

    def _on_worker(self, worker: object) -> None:
        if self._page_workers:
            self._page_workers -= 1
        else:
            self.strayings.append(worker)


async def quietly(awaitable: Any) -> None:
    """Await it, whatever it raises."""
    with contextlib.suppress(Exception):
        await awaitable
