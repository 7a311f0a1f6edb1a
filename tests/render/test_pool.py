"""The renderer on a real browser: the look, repeatability, and every way in which a sketch can end."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.render.conftest import Loop, Paint
from watercolour.medium import load_medium, shipped_media
from watercolour.painting import Painting, RenderOutcome
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.sketch import ExtractionProblem, Sketch
from watercolour.vocabulary import BRUSH_NAMES

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
        f"fetch('http://127.0.0.1/').catch(() => {{}}); Promise.reject(new Error('loose')); alert(1); {DOT_SKETCH}",
    ],
    ids=[
        "function",
        "arrow",
        "assigned",
        "async",
        "draw",
        "no noLoop",
        "instance",
        "loose ends",
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
        ("function setup() { createCanvas(600, 600); ellipse(9, 9, 2); }", RenderOutcome.THREW, "WEBGL"),
    ],
)  # fmt: skip
def test_the_sketchs_faults_are_outcomes_and_the_next_one_paints(
    paint: Paint, source: str, outcome: RenderOutcome, message: str | None
) -> None:
    painting = paint(source)
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


def test_the_brushes_we_know_are_those_of_the_pinned_library(paint: Paint) -> None:
    names = " ".join(sorted(BRUSH_NAMES))
    check = f"const has = brush.box().sort().join(' '); if (has !== '{names}') throw new Error(has);"
    assert paint(f"function setup() {{ {CANVAS} {check} noLoop(); }}").errors == ()


def test_a_function_that_takes_one_of_p5s_names_throws_at_once(paint: Paint) -> None:
    painting = paint(f"function setup() {{ {CANVAS} noLoop(); }} function box(x) {{}} function draw() {{}}")
    assert painting.outcome is RenderOutcome.THREW
    assert painting.errors == ("TypeError: Cannot redefine property: box",)


@pytest.mark.parametrize("threaded", [False, True])
def test_pages_share_a_process_until_a_sketch_goes_beyond_its_page(loop: Loop, threaded: bool) -> None:
    async def homes() -> list[object]:
        found = []
        async with RendererPool(workers=1, threaded=threaded) as pool:
            strays = DOT_SKETCH + "document.body.appendChild(document.createElement('iframe'));"
            for source in (DOT_SKETCH, DOT_SKETCH, strays, DOT_SKETCH):
                await pool.paint(Sketch(source))
                await pool.ready()
                found.append(pool._workers[0]._home)
        return found

    first, second, third, fourth = loop.run(homes())
    assert first is second is not None
    assert third is not second
    assert fourth is third
