"""A sketch cannot reach even this machine, and the attempt that proves it does reach it when nothing is cut."""

from __future__ import annotations

import asyncio

import pytest

from tests.render.conftest import Loop
from watercolour.render.browser import find_chromium
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.sketch import Sketch

pytestmark = pytest.mark.browser

ATTEMPTS = {
    "fetch": "await fetch(url, { mode: 'no-cors' })",
    "XMLHttpRequest": "const x = new XMLHttpRequest(); x.open('GET', url); x.send()",
    "image": "new Image().src = url",
    "beacon": "navigator.sendBeacon(url, 'x')",
    "EventSource": "new EventSource(url)",
    "WebSocket": "new WebSocket(url.replace('http', 'ws'))",
    "import": "await import(url)",
    "script": "const s = document.createElement('script'); s.src = url; document.head.append(s)",
    "frame": "const f = document.createElement('iframe'); f.src = url; document.body.append(f)",
    "stylesheet": "document.head.append(document.createElement('style')); document.styleSheets[0].insertRule("
    "`body { background: url(${url}) }`)",
    "navigation": "location.href = url",
}  # fmt: skip


async def hits_of(attempt: str, *, cut: bool) -> int:
    """Connections that one attempt makes to a listener on this machine."""
    hits = 0

    async def on_connection(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal hits
        hits += 1
        writer.close()

    server = await asyncio.start_server(on_connection, "127.0.0.1", 0)
    async with server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        body = (
            f"const url = '{url}'; try {{ {attempt} }} catch {{}} await new Promise((done) => setTimeout(done, 400));"
        )
        if cut:
            async with RendererPool(RenderSettings(timeout_s=5), workers=1) as pool:
                await pool.paint(Sketch(f"async function setup() {{ createCanvas(600, 600, WEBGL); {body} }}"))
        else:
            await run_uncut(body)
    return hits


async def run_uncut(body: str) -> None:
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = await browser.new_page()
        await page.set_content(f"<body><script>(async () => {{ {body} }})()</script></body>")
        await page.wait_for_timeout(600)
        await browser.close()


@pytest.mark.parametrize("name", ATTEMPTS)
def test_attempt_reaches_nothing(loop: Loop, name: str) -> None:
    assert loop.run(hits_of(ATTEMPTS[name], cut=True)) == 0


def test_the_same_attempts_do_reach_the_listener_when_nothing_is_cut(loop: Loop) -> None:
    together = "; ".join(f"try {{ {attempt} }} catch {{}}" for attempt in ATTEMPTS.values())
    assert loop.run(hits_of(together, cut=False)) >= len(ATTEMPTS) - 1
