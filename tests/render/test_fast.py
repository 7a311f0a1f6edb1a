"""The fast path against what it stands in for: a real canvas on a GPU, and the library's own blend in WebGL."""

from __future__ import annotations

import base64
import io
import subprocess
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from tests.render.conftest import Loop, Paint
from watercolour.render.browser import FLAGS, find_chromium
from watercolour.render.fast import fast_path
from watercolour.render.libraries import library_sources
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.sketch import Sketch

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.async_api import Page

WASM_DIR = Path(__file__).parents[2] / "watercolour" / "render" / "wasm"
TOOLCHAIN = "clang version 14.0.6"

# The browser's own way, with the 2D canvas on the GPU (which SwiftShader plays).
REFERENCE_FLAGS = [flag for flag in FLAGS if flag != "--disable-accelerated-2d-canvas"]


def test_building_gives_the_committed_bytes(tmp_path: Path) -> None:
    try:
        version = subprocess.run(["clang", "--version"], capture_output=True, text=True, check=True).stdout
        subprocess.run(["wasm-ld", "--version"], capture_output=True, check=True)
    except (OSError, subprocess.SubprocessError):
        pytest.skip("no clang with lld here")
    if TOOLCHAIN not in version:
        pytest.skip(f"the committed file is of {TOOLCHAIN}")
    subprocess.run([WASM_DIR / "build.sh", tmp_path / "paint.wasm"], check=True)
    committed = resources.files("watercolour.render").joinpath("page", "paint.wasm").read_bytes()
    assert (tmp_path / "paint.wasm").read_bytes() == committed


class Reference:
    """A browser that paints the slow way, with pages that have the fast path beside the real canvas."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop

    async def start(self) -> None:
        from playwright.async_api import async_playwright

        self.playwright = await async_playwright().start()
        self.browser = await self.playwright.chromium.launch(
            executable_path=find_chromium(), args=[*REFERENCE_FLAGS, "--no-sandbox"]
        )

    async def stop(self) -> None:
        await self.browser.close()
        await self.playwright.stop()

    async def page(self, *scripts: str) -> Page:
        page = await self.browser.new_page()
        await page.set_content("".join(f"<script>{script}</script>" for script in scripts))
        return page

    def compare(self, draw: str) -> dict[str, Any]:
        """Runs `draw(context, random, blob)` on a real canvas and on ours, and compares every pixel."""

        async def run() -> dict[str, Any]:
            page = await self.page("const RealCanvas = OffscreenCanvas;", fast_path(), COMPARE)
            try:
                result: dict[str, Any] = await page.evaluate(f"compare((context, random, blob) => {{ {draw} }})")
                return result
            finally:
                await page.close()

        return self.loop.run(run())

    def paint(self, source: str, *, script: str = "") -> NDArray[np.uint8]:
        """The picture that a sketch paints with p5 and p5.brush as they are, after an optional script."""

        async def run() -> NDArray[np.uint8]:
            libraries = library_sources()
            seed = "{ let s = 1; Math.random = () => (s = (Math.imul(s, 1103515245) + 12345) >>> 0) / 2 ** 32 }"
            page = await self.page(seed, script, libraries.p5, libraries.brush, source)
            try:
                await page.wait_for_function("window.frameCount > 0 && (typeof draw !== 'function' || !isLooping())")
                url = await page.evaluate("document.querySelector('canvas').toDataURL()")
            finally:
                await page.close()
            picture = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))
            paper = Image.new("RGBA", picture.size, "white")
            return np.asarray(Image.alpha_composite(paper, picture.convert("RGBA")).convert("RGB"))

        return self.loop.run(run())


# `compare` gives the painted pixels, the share of them that differ, their mean and greatest difference in 255ths.
COMPARE = """
function compare(draw) {
  const SIDE = 400;
  const shots = [RealCanvas, OffscreenCanvas].map((Canvas) => {
    let s = 7;
    const random = () => (s = (Math.imul(s, 1103515245) + 12345) >>> 0) / 2 ** 32;
    const mask = new Canvas(SIDE, SIDE);
    const context = mask.getContext("2d");
    const blob = (corners, radius, jag, x = 200, y = 200) => {
      context.beginPath();
      for (let i = 0; i < corners; i++) {
        const angle = (i / corners) * 2 * Math.PI, r = radius * (1 + jag * (random() - 0.5));
        context[i ? "lineTo" : "moveTo"](x + r * Math.cos(angle), y + r * Math.sin(angle));
      }
      context.closePath();
    };
    context.fillStyle = context.strokeStyle = "rgb(255 0 0 / 1)";
    draw(context, random, blob);
    const copy = new Canvas(SIDE, SIDE).getContext("2d");
    copy.drawImage(mask, 0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE);
    if (Canvas === OffscreenCanvas) return copy.coverage?.bytes;
    return copy.getImageData(0, 0, SIDE, SIDE).data.filter((_, i) => i % 4 === 3);
  });
  const [theirs, ours] = shots;
  if (!ours) return { standsIn: false };
  let painted = 0, differing = 0, sum = 0, greatest = 0;
  for (let i = 0; i < ours.length; i++) {
    const difference = Math.abs(ours[i] - theirs[i]);
    painted += ours[i] || theirs[i] ? 1 : 0;
    differing += difference ? 1 : 0;
    sum += difference;
    greatest = Math.max(greatest, difference);
  }
  return { standsIn: true, painted, differing: differing / painted, mean: sum / painted, greatest };
}
"""


@pytest.fixture(scope="module")
def reference(loop: Loop) -> Iterator[Reference]:
    reference = Reference(loop)
    loop.run(reference.start())
    yield reference
    loop.run(reference.stop())


LAYERS = "for (let i = 0; i < 12; i++) {{ {} }}"
DISC = (
    "context.beginPath(); context.moveTo({x} + {r}, {y}); context.arc({x}, {y}, {r}, 0, 2 * Math.PI); context.fill();"
)


@pytest.mark.browser
@pytest.mark.parametrize(
    "draw",
    [
        "blob(60, 25, 0.3); context.fill();",
        "blob(400, 150, 0.3); context.fill();",
        "blob(5, 90, 1.5); context.fill();",
        'context.fillStyle = "rgb(255 0 0 / 1.6%)";' + LAYERS.format("blob(200, 40, 0.3); context.fill();"),
        'context.fillStyle = "rgb(255 0 0 / 0.017)";' + LAYERS.format("blob(200, 140, 0.3); context.fill();"),
        "blob(30, 250, 0.3, 0, 390); context.fill();",
    ],
    ids=["small", "large", "spiky", "small layers", "large layers", "over the rim"],
)
def test_fills_are_those_of_a_canvas(reference: Reference, draw: str) -> None:
    assert_alike(reference.compare(draw))


@pytest.mark.browser
@pytest.mark.parametrize(
    "draw",
    [
        "context.lineWidth = 6; blob(60, 100, 0.3); context.stroke();",
        "context.lineWidth = 0.4; blob(300, 100, 0.3); context.stroke();",
        "context.lineWidth = 9; context.lineJoin = 'round'; blob(8, 100, 0.9); context.stroke();",
        "context.lineWidth = 9; context.lineJoin = 'bevel'; blob(8, 100, 0.9); context.stroke();",
        "context.lineWidth = 9; context.miterLimit = 1.5; blob(8, 100, 0.9); context.stroke();",
        *(
            f"context.lineWidth = 14; context.lineCap = '{cap}'; context.beginPath(); context.moveTo(80, 90);"
            "context.lineTo(300, 120); context.lineTo(260, 310); context.stroke();"
            for cap in ("butt", "round", "square")
        ),
        "context.setTransform(1.5, 0.3, -0.2, 0.7, 40, 80); context.lineWidth = 8;"
        "blob(60, 80, 0.3, 120, 120); context.stroke();",
        "context.setTransform(-1, 0, 0, 1, 400, 0); context.lineWidth = 8; blob(20, 80, 0.6); context.stroke();",
    ],
    ids=[
        "wide",
        "thin",
        "round",
        "bevel",
        "miter limit",
        "butt cap",
        "round cap",
        "square cap",
        "squeezed",
        "mirrored",
    ],
)
def test_strokes_are_those_of_a_canvas(reference: Reference, draw: str) -> None:
    assert_alike(reference.compare(draw))


@pytest.mark.browser
@pytest.mark.parametrize("radius", [0.4, 3, 10, 30, 63.9, 64.2, 150])
def test_discs_are_those_of_a_canvas(reference: Reference, radius: float) -> None:
    assert_alike(reference.compare(DISC.format(x=200.3, y=199.63, r=radius)))


@pytest.mark.browser
def test_erasing_is_that_of_a_canvas(reference: Reference) -> None:
    erase = 'context.globalCompositeOperation = "destination-out"; context.fillStyle = "rgb(255 0 0 / 0.066)";'
    disc = "const x = 400 * random(), y = 400 * random(), r = 2 + 60 * random() ** 2;"
    disc += DISC.format(x="x", y="y", r="r")
    strokes = 'context.strokeStyle = "rgb(255 0 0 / 0.3)"; context.lineWidth = 0.7; blob(200, 90, 0.4);'
    strokes += "context.stroke();"
    draw = f"blob(60, 150, 0.2); context.fill(); {strokes} {erase} for (let i = 0; i < 200; i++) {{ {disc} }}"
    assert_alike(reference.compare(draw))


def assert_alike(result: dict[str, Any]) -> None:
    assert result["standsIn"]
    assert result["painted"] > 0
    assert result["mean"] <= 0.5, result
    assert result["differing"] <= 0.03, result


@pytest.mark.browser
@pytest.mark.parametrize(
    "draw",
    [
        "context.fillStyle = 'rgb(0 120 255)'; context.fillRect(50, 50, 100, 100);",
        "blob(60, 90, 0.3); context.fill(); context.save(); context.translate(30, 0); context.restore();"
        "context.fillRect(0, 0, 9, 9);",
        "context.translate(20, 10); blob(60, 90, 0.3); context.fill('evenodd');",
        "blob(60, 90, 0.3); context.fill(); context.fillText('ink', 200, 200);",
    ],
    ids=["other colour", "rectangle", "even-odd", "text"],
)
def test_what_we_do_not_paint_a_real_canvas_does(reference: Reference, draw: str) -> None:
    async def run() -> list[bool]:
        page = await reference.page("const RealCanvas = OffscreenCanvas;", fast_path(), REAL)
        result: list[bool] = await page.evaluate(f"painted((context, blob) => {{ {draw} }})")
        await page.close()
        return result

    became_real, alike = reference.loop.run(run())
    assert became_real
    assert alike


# Whether our canvas is a real one now, and whether the pixels of it are within the two canvases' rounding.
REAL = """
function painted(draw) {
  const shots = [RealCanvas, OffscreenCanvas].map((Canvas) => {
    const canvas = new Canvas(400, 400), context = canvas.getContext("2d");
    const blob = (corners, radius) => {
      context.beginPath();
      for (let i = 0; i < corners; i++) {
        const angle = (i / corners) * 2 * Math.PI;
        context[i ? "lineTo" : "moveTo"](200 + radius * Math.cos(angle), 200 + radius * Math.sin(angle));
      }
      context.closePath();
    };
    context.fillStyle = "rgb(255 0 0 / 0.5)";
    draw(context, blob);
    return context.getImageData(0, 0, 400, 400).data;
  });
  let sum = 0;
  for (let i = 0; i < shots[0].length; i++) sum += Math.abs(shots[0][i] - shots[1][i]);
  return [shots[1].some((value) => value > 0), sum / shots[0].length < 0.5];
}
"""


START = 'createCanvas(160, 160, WEBGL); background("#f4efe6"); brush.scaleBrushes(1.5);'


def read_sketches() -> dict[str, str]:
    """The sketches of tests/data/methods.js by name."""
    sections = (Path(__file__).parents[1] / "data" / "methods.js").read_text().split("//// ")[1:]
    bodies = {name: body.strip() for name, _, body in (section.partition("\n") for section in sections)}
    return {
        name: body
        if "function setup" in body
        else f"function setup() {{ {START} {body} noLoop(); }} function draw() {{}}"
        for name, body in bodies.items()
    }


SKETCHES = read_sketches()


@pytest.mark.browser
@pytest.mark.parametrize("name", SKETCHES)
def test_every_method_paints_what_it_paints_without_us(reference: Reference, name: str) -> None:
    theirs = reference.paint(SKETCHES[name])
    ours = reference.paint(SKETCHES[name], script=fast_path())
    assert len(np.unique(theirs.reshape(-1, 3), axis=0)) > 2, "a sketch that paints nothing tests nothing"
    difference = np.abs(ours.astype(int) - theirs.astype(int))
    assert difference.mean() <= 0.2
    assert (difference.max(axis=2) > 8).mean() <= 0.01


@pytest.mark.browser
@pytest.mark.parametrize("name", ["fill", "2B", "overlaps", "wash and stroke"])
def test_blend_is_that_of_the_shader(reference: Reference, name: str) -> None:
    ours = reference.paint(SKETCHES[name], script=fast_path())
    shaders = reference.paint(SKETCHES[name], script=fast_path(blend=False))
    difference = np.abs(ours.astype(int) - shaders.astype(int))
    assert difference.mean() <= 0.15
    assert (difference.max(axis=2) > 8).mean() <= 0.01


@pytest.mark.browser
def test_same_bytes_in_every_page_and_browser(paint: Paint, loop: Loop) -> None:
    source = SKETCHES["overlaps"]
    first = paint(source).sha256
    paint(SKETCHES["2B"])

    async def fresh_browsers() -> list[str | None]:
        async with RendererPool(RenderSettings(), workers=2) as pool:
            return [painting.sha256 for painting in await pool.paint_all([Sketch(source)] * 4)]

    assert set(loop.run(fresh_browsers())) == {first}


CROWDED = (
    "function setup() { createCanvas(600, 600, WEBGL); noLoop(); angleMode(DEGREES); brush.scaleBrushes(3); }"
    "function draw() { translate(-300, -300); background('#fff'); brush.noStroke(); brush.fillBleed(0.3);"
    " for (let i = 0; i < 24; i++) { brush.fill(i % 2 ? '#c33' : '#27a', 90);"
    " brush.circle(90 + 70 * (i % 7), 90 + 130 * floor(i / 7), 60, 0.3); } }"
)
ASKED_BACK = (
    "function setup() { createCanvas(300, 300, WEBGL); pixelDensity(1); noLoop(); } function draw() {"
    " background('#eef'); brush.noStroke(); brush.fill('#c33', 160); brush.circle(0, 0, 60, 0.3); loadPixels();"
    " brush.fill(pixels[4 * (150 * 300 + 150)] > 200 ? '#27a' : '#2a7', 160); brush.circle(40, 40, 60, 0.3);"
    " push(); noStroke(); fill(0); box(9); pop(); brush.circle(-60, 40, 40, 0.3); }"
)


@pytest.mark.browser
def test_a_second_thread_paints_the_same_bytes(loop: Loop) -> None:
    names = ["fill", "2B", "overlaps", "wash and stroke", "resized and not cleared", "erased in part"]
    sketches = [Sketch(source) for source in [*(SKETCHES[name] for name in names), CROWDED, ASKED_BACK]]

    async def hashes(threaded: bool) -> list[str | None]:
        async with RendererPool(RenderSettings(timeout_s=60), workers=1, threaded=threaded) as pool:
            # The first page's second thread may not have come up in time, and then the first paints alone.
            await pool.paint(sketches[0])
            return [painting.sha256 for painting in await pool.paint_all(sketches)]

    alone = loop.run(hashes(threaded=False))
    assert None not in alone
    assert loop.run(hashes(threaded=True)) == alone
