"""Every hostile sketch ends as it should, paints nothing that counts, and leaves neither trace nor process behind.

Each file beside this one is one sketch with one property; the table says what must come of it. They are painted two at
a time before the first test looks at its own: each on a browser that a golden sketch is painted on right afterwards.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.render.conftest import Loop
from watercolour.painting import BLANK_COVERAGE, Painting, RenderOutcome
from watercolour.render.browser import find_chromium
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.render.processes import group_members
from watercolour.reward.gate import MAX_FOREIGN_SHARE
from watercolour.sketch import Sketch

pytestmark = [pytest.mark.browser, pytest.mark.alone]

HERE = Path(__file__).parent
LIMIT_S = 12.0
LIMIT_CPU_S = 2.5
GRACE_S = 2.0
LANES = 2

OK, BLANK, THREW = RenderOutcome.OK, RenderOutcome.BLANK, RenderOutcome.THREW
TIMED_OUT, CRASHED, NO_CANVAS = RenderOutcome.TIMED_OUT, RenderOutcome.CRASHED, RenderOutcome.NO_CANVAS
OUT_OF_MEMORY = (CRASHED, THREW, TIMED_OUT)
LEFT = (THREW, BLANK)


@dataclass(frozen=True)
class Expected:
    """The outcomes that are right, and whether the picture counts as painted by the brush (None: either)."""

    outcomes: tuple[RenderOutcome, ...]
    counts: bool | None = False
    error: str = ""


def ends(*outcomes: RenderOutcome, counts: bool | None = False, error: str = "") -> Expected:
    return Expected(outcomes, counts, error)


GOLDEN = """function setup() {
  createCanvas(600, 600, WEBGL);
  background("#f4efe6");
  brush.noStroke();
  brush.fill("#a04030", 180);
  brush.circle(20, 10, 40);
  noLoop();
}"""

TABLE = {
    "loop_top": ends(TIMED_OUT),
    "loop_setup": ends(TIMED_OUT),
    "loop_draw": ends(TIMED_OUT),
    "loop_promise": ends(TIMED_OUT, BLANK),
    "loop_timer": ends(TIMED_OUT),
    "loop_regex": ends(TIMED_OUT),
    "loop_worker": ends(BLANK),
    "setup_never": ends(TIMED_OUT, error="still running after 12 s"),
    "frame_storm": ends(TIMED_OUT),
    "throw_from_getter": ends(THREW, error="cannot be shown"),
    "memory_arrays": ends(*OUT_OF_MEMORY),
    "memory_buffers": ends(*OUT_OF_MEMORY),
    "memory_strings": ends(*OUT_OF_MEMORY),
    "memory_wasm": ends(*OUT_OF_MEMORY),
    "giant_canvas": ends(OK, counts=True),
    "giant_density": ends(OK, counts=True),
    "giant_element": ends(BLANK, OK, NO_CANVAS, CRASHED, THREW, TIMED_OUT),
    "many_contexts": ends(CRASHED, BLANK, error=""),
    "million_vertices": ends(TIMED_OUT, OK, CRASHED, THREW, counts=None),
    "many_circles": ends(TIMED_OUT),
    "error_flood": ends(BLANK, TIMED_OUT),
    "console_flood": ends(OK, TIMED_OUT, counts=None),
    "lost_context": ends(CRASHED),
    "deep_recursion": ends(THREW, error="RangeError"),
    "script_tag": ends(OK, counts=True),
    "document_write": ends(BLANK),
    "document_open": ends(BLANK, THREW, NO_CANVAS),
    "navigation": ends(THREW, error="it left its page"),
    "navigation_data": ends(THREW, error="it left its page"),
    "navigation_blob": ends(THREW, error="it left its page"),
    "navigation_javascript": ends(THREW, error="it left its page"),
    "reload": ends(THREW, error="it left its page"),
    "popups": ends(BLANK),
    "dialogs": ends(OK, counts=True),
    "print": ends(OK, counts=True),
    "downloads": ends(BLANK),
    "history": ends(*LEFT),
    "service_worker": ends(BLANK),
    "opener": ends(BLANK),
    "post_message": ends(BLANK),
    "storage": ends(BLANK),
    "fullscreen": ends(BLANK),
    "file_read": ends(BLANK),
    "file_navigation": ends(THREW, error="it left its page"),
    "paints_nothing": ends(BLANK),
    "forge_read_back": ends(BLANK),
    "forge_array": ends(OK, counts=True),
    "forge_iterator": ends(BLANK),
    "forge_report": ends(BLANK),
    "forge_binding": ends(BLANK),
    "forge_names": ends(OK, counts=True),
    "forge_promise": ends(BLANK, THREW, TIMED_OUT),
    "forge_clock": ends(OK, TIMED_OUT, counts=None),
    "forge_math": ends(OK, BLANK, THREW, TIMED_OUT, counts=None),
    "forge_p5": ends(THREW, TIMED_OUT),
    "forge_brush": ends(OK),
    "forge_p5_shapes": ends(OK),
    "forge_webgl": ends(OK),
    "forge_shader": ends(OK),
    "forge_under_wash": ends(OK),
    "forge_over_wash": ends(OK),
    "forge_beside_dot": ends(OK),
    "forge_transparent": ends(OK),
    "forge_instanced": ends(OK),
    "forge_blit": ends(OK),
    "forge_2d": ends(OK, THREW),
    "forge_swapped_canvas": ends(OK, BLANK),
    "forge_pixels": ends(OK),
    "forge_data_picture": ends(OK),
    "forge_graphics": ends(OK),
    "forge_mask": ends(OK, counts=None),
} | {path.stem: ends(*LEFT) for path in sorted(HERE.glob("network_*.js"))}

BEYOND_REACH = {
    "network_web_transport": "it speaks QUIC alone",
}
"""Attempts that do not get to a plain listener even when nothing is cut."""


@dataclass
class Result:
    """What came of one sketch, and of what was looked at after it."""

    painting: Painting
    seconds: float
    golden: str | None
    hits: int
    left_behind: list[str] = field(default_factory=list)


class Listener:
    """Counts whoever connects to a port of this machine, or sends a packet there."""

    def __init__(self) -> None:
        self.hits = 0

    async def __aenter__(self) -> Listener:
        async def on_connection(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.hits += 1
            writer.close()

        self.server = await asyncio.start_server(on_connection, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()

    def aim(self, name: str) -> str:
        """A sketch's source, told of this listener."""
        return (HERE / f"{name}.js").read_text().replace("LISTENER", f'"http://127.0.0.1:{self.port}/"')


async def run_one(pool: RendererPool, name: str, usual: int) -> Result:
    """Paints one hostile sketch and the golden one after it on the same browser, and looks for what is left."""
    await pool.ready()
    group = pool._workers[0].process.pid if pool._workers[0].process else 0
    async with Listener() as listener:
        painting = await pool.paint(Sketch(listener.aim(name)))
    after = await pool.paint(Sketch(GOLDEN))
    (now,) = await pool.ready()
    allowed = usual if now == group else 0
    deadline = time.monotonic() + 10
    while len(alive := living(group)) > allowed and time.monotonic() < deadline:
        await asyncio.sleep(0.1)
    seconds = painting.seconds - painting.stages.get("page_s", 0)
    return Result(painting, seconds, after.sha256, listener.hits, alive if len(alive) > allowed else [])


def living(group: int) -> list[str]:
    return [f"{process.name} {process.pid}" for process in group_members(group) if process.state != "Z"]


async def run_lane(names: list[str]) -> tuple[str | None, dict[str, Result]]:
    """One browser that takes the next sketch of the list until it is empty: the golden hash before, and results."""
    results = {}
    settings = RenderSettings(timeout_s=LIMIT_S, cpu_s=LIMIT_CPU_S)
    async with RendererPool(settings, workers=1) as pool:
        first = await pool.paint(Sketch(GOLDEN))
        (group,) = await pool.ready()
        usual = len(living(group))
        while names:
            name = names.pop(0)
            results[name] = await run_one(pool, name, usual)
    return first.sha256, results


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture(scope="module")
def results(loop: Loop, request: pytest.FixtureRequest) -> dict[str, Result]:
    """The results of those sketches that this run of pytest asks for."""
    asked = {item.name for item in request.session.items}
    names = [name for name in TABLE if f"test_hostile_sketch[{name}]" in asked]

    async def run() -> dict[str, Result]:
        lanes = await asyncio.gather(*(run_lane(names) for _ in range(LANES)))
        goldens = {golden for golden, _ in lanes}
        assert len(goldens) == 1 and None not in goldens
        return {"golden": Result(Painting(None, OK), 0, goldens.pop(), 0)} | lanes[0][1] | lanes[1][1]

    return asyncio.run_coroutine_threadsafe(run(), loop.loop).result()


def counts(painting: Painting) -> bool:
    """Whether the gate would take the picture for the brush's."""
    if painting.outcome not in (OK, THREW) or painting.coverage < BLANK_COVERAGE:
        return False
    assert painting.painted_by_brush is not None
    return 1 - painting.painted_by_brush / painting.coverage <= MAX_FOREIGN_SHARE


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", TABLE)
def test_hostile_sketch(results: dict[str, Result], name: str) -> None:
    result, expected = results[name], TABLE[name]
    painting = result.painting
    said = "; ".join(painting.errors)
    assert painting.outcome in expected.outcomes, said
    assert expected.error in said
    assert "escaped" not in said
    if expected.counts is not None:
        assert counts(painting) == expected.counts, (painting.coverage, painting.painted_by_brush)
    if painting.pixels is not None:
        assert max(painting.pixels.shape[:2]) <= 600  # never more than the medium's canvas
    assert result.seconds < LIMIT_S + GRACE_S
    assert result.golden == results["golden"].golden
    assert result.hits == 0
    assert result.left_behind == []


def test_every_sketch_is_in_the_table_and_says_what_it_tries() -> None:
    assert sorted(path.stem for path in HERE.glob("*.js")) == sorted(TABLE)
    assert all(re.match(r"// [A-Z].*\.\n", path.read_text()) for path in HERE.glob("*.js"))


@pytest.mark.parametrize("name", [name for name in TABLE if name.startswith("network") and name not in BEYOND_REACH])
def test_the_same_attempt_reaches_the_listener_when_nothing_is_cut(loop: Loop, uncut: Uncut, name: str) -> None:
    async def attempt() -> int:
        page = await uncut.browser.new_page()
        async with Listener() as listener:
            await page.set_content(f"<body><script>{listener.aim(name)}</script></body>")
            deadline = time.monotonic() + 10
            while not listener.hits and time.monotonic() < deadline:
                await asyncio.sleep(0.05)
        await page.close()
        return listener.hits

    assert loop.run(attempt()) > 0


class Uncut:
    """A browser without any of the renderer's flags, policies and contexts."""

    async def start(self) -> None:
        from playwright.async_api import async_playwright

        self.playwright = await async_playwright().start()
        self.browser = await self.playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])

    async def stop(self) -> None:
        await self.browser.close()
        await self.playwright.stop()


@pytest.fixture(scope="module")
def uncut(loop: Loop) -> Iterator[Uncut]:
    uncut = Uncut()
    loop.run(uncut.start())
    yield uncut
    loop.run(uncut.stop())
