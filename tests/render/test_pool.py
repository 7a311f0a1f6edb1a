"""The renderer on a real browser: the look, repeatability, and every way in which a sketch can end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.render.conftest import TIMEOUT_S, Loop, Paint
from watercolour.medium import load_medium, shipped_media
from watercolour.painting import Painting, RenderOutcome
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.sketch import ExtractionProblem, Sketch

pytestmark = pytest.mark.browser

LOOK = Path(__file__).parent.parent / "data" / "look"
CANVAS = "createCanvas(600, 600, WEBGL); "
DOT = (
    'background("#eee"); brush.noStroke(); brush.fillTexture(0.2, 0.4); '
    'brush.fill("#2040c0", 200); brush.circle(0, 0, 150);'
)
INSTANCE_DOT = DOT.replace("background", "p.background")
DOT_SKETCH = f"function setup() {{ {CANVAS}{DOT} noLoop(); }}"


@pytest.mark.parametrize("name", ["light", "dots"])
def test_look_is_the_reference_look(paint: Paint, name: str) -> None:
    painting = paint((LOOK / f"{name}.js").read_text())
    assert painting.outcome == RenderOutcome.OK
    assert painting.pixels is not None
    reference = np.asarray(Image.open(LOOK / f"{name}.png").convert("RGB")).astype(int)
    difference = np.abs(painting.pixels.astype(int) - reference)
    assert difference.mean() <= 0.8
    assert (difference.max(axis=2) > 8).mean() <= 0.01


def test_same_sketch_and_seed_give_the_same_bytes(paint: Paint, loop: Loop) -> None:
    source = (LOOK / "light.js").read_text()
    first = paint(source)
    paint(DOT_SKETCH)
    again = paint(source)
    other_seed = paint(source, seed=2)

    async def fresh_browsers() -> list[Painting]:
        async with RendererPool(workers=2) as pool:
            return await pool.paint_all([Sketch(source), Sketch(DOT_SKETCH), Sketch(source)])

    fresh = loop.run(fresh_browsers())
    assert again.sha256 == first.sha256
    assert [fresh[0].sha256, fresh[2].sha256] == [first.sha256, first.sha256]
    assert other_seed.sha256 != first.sha256


def test_sketch_that_paints_nothing_is_blank_whatever_came_before(paint: Paint) -> None:
    assert paint(DOT_SKETCH).coverage > 0.05
    empty = paint(f'function setup() {{ {CANVAS} background("#eee"); noLoop(); }} function draw() {{}}')
    assert (empty.outcome, empty.coverage, empty.brush_fills) == (RenderOutcome.BLANK, 0.0, 0)
    assert empty.pixels is not None
    assert (empty.pixels == 0xEE).all()


@pytest.mark.parametrize(
    "source",
    [
        DOT_SKETCH,
        f"const setup = () => {{ {CANVAS}{DOT} }}",
        f"window.setup = function () {{ {CANVAS}{DOT} }}",
        f"async function setup() {{ {CANVAS} await new Promise((done) => setTimeout(done, 50)); {DOT} }}",
        f"function setup() {{ {CANVAS} }} function draw() {{ {DOT} noLoop(); }}",
        f"function setup() {{ {CANVAS} }} const draw = () => {{ {DOT} }}",
        f"new p5((p) => {{ p.setup = () => {{ p.createCanvas(600, 600, p.WEBGL); {INSTANCE_DOT} }} }})",
        f"function setup() {{ createCanvas(20000, 20000, WEBGL); {DOT} }}",
        f"fetch('http://127.0.0.1/').catch(() => {{}}); Promise.reject(new Error('loose')); alert(1); {DOT_SKETCH}",
        f"const s = '</script><script>document.title = 1</script>'; {DOT_SKETCH}",
    ],
    ids=[
        "function",
        "arrow",
        "assigned",
        "async",
        "draw",
        "no noLoop",
        "instance",
        "giant",
        "loose ends",
        "script tag",
    ],
)
def test_every_form_of_sketch_paints_the_same_dot(paint: Paint, source: str) -> None:
    painting = paint(source)
    assert painting.outcome == RenderOutcome.OK, painting.errors
    assert painting.pixels is not None
    assert painting.pixels.shape == (600, 600, 3)
    assert painting.sha256 == paint(DOT_SKETCH).sha256


@pytest.mark.parametrize(
    ("source", "outcome", "message"),
    [
        ("function setup( {", RenderOutcome.SYNTAX_ERROR, "SyntaxError: Unexpected end of input (line 1)"),
        ("function setup() {}\nlet x = ;", RenderOutcome.SYNTAX_ERROR, "Unexpected token ';' (line 2)"),
        ("JSON.parse('{');", RenderOutcome.THREW, "SyntaxError"),
        (f"function setup() {{ {CANVAS}\n  throw new Error('boom'); }}", RenderOutcome.THREW, "Error: boom (line 2)"),
        (f"function setup() {{ {CANVAS} }}\nfunction draw() {{ no(); }}", RenderOutcome.THREW, "no is not defined"),
        (f"async function setup() {{ {CANVAS} await null; null.x; }}", RenderOutcome.THREW, "TypeError"),
        ("const x = 1;", RenderOutcome.NO_CANVAS, None),
        ("while (true) {}", RenderOutcome.TIMED_OUT, "still running after 4 s"),
        (f"function setup() {{ {CANVAS} }} function draw() {{ while (true) {{}} }}", RenderOutcome.TIMED_OUT, None),
        ("async function setup() { await new Promise(() => {}); }", RenderOutcome.TIMED_OUT, None),
        (f"function setup() {{ {CANVAS} document.write('gone'); }}", RenderOutcome.BLANK, None),
        ("function setup() { createCanvas(600, 600); ellipse(9, 9, 2); }", RenderOutcome.THREW, "WEBGL"),
    ],
)  # fmt: skip
def test_the_sketchs_faults_are_outcomes_and_the_next_one_paints(
    paint: Paint, source: str, outcome: RenderOutcome, message: str | None
) -> None:
    started = time.monotonic()
    painting = paint(source)
    assert time.monotonic() - started < TIMEOUT_S + 30
    assert painting.outcome == outcome, painting.errors
    if message:
        assert any(message in error for error in painting.errors), painting.errors
    assert paint(DOT_SKETCH).outcome == RenderOutcome.OK


def test_what_was_painted_before_a_throw_is_kept(paint: Paint) -> None:
    painting = paint(f"function setup() {{ {CANVAS}{DOT} }} function draw() {{ throw 7; }}")
    assert painting.outcome == RenderOutcome.THREW
    assert painting.errors == ("7",)
    assert painting.coverage > 0.05
    assert painting.brush_fills == 4


@pytest.mark.parametrize("bite", ["new Array(1e6).fill(1.5)", "new Uint8Array(1e8).fill(1)"])
def test_memory_bomb_ends_its_page_and_no_more(paint: Paint, bite: str) -> None:
    bomb = f"function setup() {{ {CANVAS} const a = []; for (;;) a.push({bite}); }}"
    assert paint(bomb).outcome in (RenderOutcome.CRASHED, RenderOutcome.THREW, RenderOutcome.TIMED_OUT)
    assert paint(DOT_SKETCH).outcome == RenderOutcome.OK


def test_leaving_the_page_does_not_hang(paint: Paint) -> None:
    painting = paint(f"function setup() {{ {CANVAS} }} function draw() {{ location.href = 'https://example.com/'; }}")
    assert painting.outcome in (RenderOutcome.BLANK, RenderOutcome.THREW)
    assert paint(DOT_SKETCH).outcome == RenderOutcome.OK


def test_forged_picture_is_not_read(paint: Paint) -> None:
    forged = (
        "HTMLCanvasElement.prototype.toDataURL = () => 'data:,';"
        "WebGL2RenderingContext.prototype.readPixels = (x, y, w, h, f, t, out) => out.fill(7);"
        "Uint8Array.prototype.toBase64 = () => '';"
        f'function setup() {{ {CANVAS} background("#eee"); noLoop(); }}'
    )
    painting = paint(forged)
    assert painting.outcome == RenderOutcome.BLANK
    assert painting.pixels is not None
    assert (painting.pixels == 0xEE).all()


def test_wash_over_everything_is_paint_and_flat_background_is_not(paint: Paint) -> None:
    corners = "".join(f"brush.vertex({x}, {y});" for x, y in [(-299, -299), (299, -299), (299, 299), (-299, 299)])
    style = 'background("#fff"); brush.noStroke(); brush.fillTexture(0, 0.4); brush.fill("#2040c0", 250);'
    wash = paint(f"function setup() {{ {CANVAS} {style} brush.beginShape(0); {corners} brush.endShape(true); }}")
    assert (wash.outcome, wash.coverage > 0.9) == (RenderOutcome.OK, True)
    assert paint(f'function setup() {{ {CANVAS} background("#2040c0"); }}').outcome == RenderOutcome.BLANK


def test_transparent_canvas_lies_on_white_paper(paint: Paint) -> None:
    painting = paint(
        f'function setup() {{ {CANVAS} brush.noStroke(); brush.fill("#2040c0", 250); brush.circle(0, 0, 200); }}'
    )
    assert painting.paper == (255, 255, 255)
    assert painting.pixels is not None
    assert tuple(painting.pixels[2, 2]) == (255, 255, 255)
    assert 0.05 < painting.coverage < 0.6


def test_size_sets_the_density(loop: Loop) -> None:
    async def at(size_px: int) -> Painting:
        async with RendererPool(RenderSettings(size_px=size_px), workers=1) as pool:
            return await pool.paint(Sketch(DOT_SKETCH))

    small, large = loop.run(at(300)), loop.run(at(1200))
    assert small.pixels is not None
    assert large.pixels is not None
    assert small.pixels.shape == (300, 300, 3)
    assert large.pixels.shape == (1200, 1200, 3)
    assert abs(small.coverage - large.coverage) < 0.05


@pytest.mark.parametrize("sketch", [Sketch(""), Sketch("  \n"), Sketch("no code", ExtractionProblem.NO_SKETCH)])
def test_nothing_to_run(loop: Loop, pool: RendererPool, sketch: Sketch) -> None:
    assert loop.run(pool.paint(sketch)).outcome == RenderOutcome.NO_SKETCH


@pytest.mark.parametrize("medium", shipped_media())
def test_every_allowed_method_exists_in_the_pinned_library(paint: Paint, medium: str) -> None:
    names = sorted(load_medium(medium).method_names)
    checks = "".join(f"if (typeof brush.{name} !== 'function') throw new Error('{name}');" for name in names)
    painting = paint(f"function setup() {{ {CANVAS} {checks} noLoop(); }}")
    assert painting.errors == ()
    assert paint("function setup() { if (typeof brush.paintFlower !== 'function') throw new Error('x'); }").errors


def test_browser_that_cannot_start_is_ours(loop: Loop) -> None:
    async def attempt() -> Painting:
        async with RendererPool(workers=1, chromium=Path("/bin/false")) as pool:
            return await pool.paint(Sketch(DOT_SKETCH))

    painting = loop.run(attempt())
    assert painting.outcome == RenderOutcome.INFRA
    assert painting.outcome.is_ours
    assert "did not start" in painting.errors[0]


def test_killed_browser_costs_one_retry(loop: Loop) -> None:
    async def kill_during() -> Painting:
        async with RendererPool(workers=1) as pool:
            await pool.paint(Sketch(DOT_SKETCH))
            process = pool._workers[0].process
            assert process is not None
            painting = asyncio.ensure_future(pool.paint(Sketch((LOOK / "dots.js").read_text())))
            await asyncio.sleep(0.6)
            os.killpg(process.pid, 9)
            return await painting

    assert loop.run(kill_during()).outcome == RenderOutcome.OK


def test_closed_pool_leaves_no_process_and_no_folder(loop: Loop) -> None:
    async def use() -> tuple[int, Path]:
        async with RendererPool(RenderSettings(timeout_s=2), workers=1) as pool:
            await pool.paint(Sketch(DOT_SKETCH))
            process = pool._workers[0].process
            assert process is not None
            await pool.paint(Sketch("while (true) {}"))
            return process.pid, process.folder

    group, folder = loop.run(use())
    assert not folder.exists()
    deadline = time.monotonic() + 10
    while (alive := living(group)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert alive == []


def test_parent_that_is_killed_leaves_no_browser() -> None:
    code = (
        "import asyncio, os, signal\n"
        "from watercolour.render.pool import RendererPool\n"
        "from watercolour.sketch import Sketch\n"
        "async def main():\n"
        "    async with RendererPool(workers=1) as pool:\n"
        f"        await pool.paint(Sketch({DOT_SKETCH!r}))\n"
        "        print(pool._workers[0].process.pid, flush=True)\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    group = int(done.stdout)
    deadline = time.monotonic() + 10
    while (alive := living(group)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert done.returncode == -signal.SIGKILL
    assert alive == []


def living(group: int) -> list[str]:
    """Processes of a group that still run (a zombie that waits for its parent does not)."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, _, rest = entry.read_text().rpartition(")")
            state, _, process_group = rest.split()[:3]
            if int(process_group) == group and state != "Z":
                found.append(f"{name}) {state}")
    return found
