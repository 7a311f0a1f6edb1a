"""The gate on real renders: each known fault of judging a sketch by its words alone, each way round."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from tests.render.conftest import Loop, Paint
from watercolour.medium import load_medium
from watercolour.painting import RenderOutcome
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.gate import GateTerm
from watercolour.sketch import extract

pytestmark = pytest.mark.browser

MEDIUM = load_medium("hibiscus")
CANVAS = "createCanvas(600, 600, WEBGL); noLoop();"
DAB = 'brush.noStroke(); brush.fill("#2040c0", 250); brush.circle(0, 0, 120);'
CORNERS = "".join(f"brush.vertex({x}, {y});" for x, y in [(-299, -299), (299, -299), (299, 299), (-299, 299)])
WASH = (
    'brush.noStroke(); brush.fillTexture(0, 0.4); brush.fill("#2040c0", 250);'
    f"brush.beginShape(0); {CORNERS} brush.endShape(true);"
)


@pytest.fixture(scope="module")
def pool(loop: Loop) -> Iterator[RendererPool]:
    """With time to spare: how long a sketch takes is not what is asked here."""
    pool = loop.run(RendererPool(RenderSettings(MEDIUM.size, timeout_s=30), workers=1).__aenter__())
    yield pool
    loop.run(pool.close())


def sketch(body: str, before: str = "") -> str:
    return f'{before}\nfunction setup() {{ {CANVAS} }}\nfunction draw() {{ background("#fff");\n{body}\n}}'


def judge(reply: str, loop: Loop, pool: RendererPool) -> Score:
    """The gate's answer to a reply that was really painted."""
    painting = loop.run(pool.paint(extract(reply)))
    assert painting.outcome is not RenderOutcome.INFRA
    (score,) = asyncio.run(GateTerm(MEDIUM.method_names, MEDIUM.size).score([painting], ScoreContext()))
    return score


HONEST = {
    "a comment that says text (x)": sketch(f"// no text (x)\n{DAB}"),
    "a brace in a comment": sketch(f"{DAB} /* {{ */ // ( [ `"),
    "an easeFunction": sketch(f"{DAB} easeFunction(1);", "function easeFunction(t) { return t * t }"),
    "a helper named point": sketch(f"const point = () => {{ {DAB} }}; point();"),
    "an alias of the brush": sketch(DAB.replace("brush.", "b."), "const b = brush;"),
    "a wash over the whole sheet": sketch(WASH),
    "a draft in thought, then the sketch": f"<think>```js\nfunction setup(){{}}\n```</think>```js\n{sketch(DAB)}\n```",
    "a thrown error after painting": sketch(f"{DAB} nowhere();"),
    "setup alone": f'function setup() {{ {CANVAS} background("#fff"); {DAB} }}',
    "an unlisted method that exists": sketch(f"brush.noHatch(); {DAB}"),
}


@pytest.mark.parametrize("reply", HONEST.values(), ids=HONEST)
def test_honest_sketch_passes(reply: str, loop: Loop, pool: RendererPool) -> None:
    score = judge(reply, loop, pool)
    assert (score.value, score.parts["violations"]) == (1.0, []), score.why


FAULTY = {
    "a fetch in pieces": (sketch(f"{DAB} window['fe' + 'tch']('x').catch(() => 0);"), "external_access"),
    "a picture from outside": (sketch(f"{DAB} new Image().src = 'x';"), "external_access"),
    "a dynamic import": (sketch(f"{DAB} import('x').catch(() => 0);"), "external_access"),
    "words on a second sheet": (sketch(f"{DAB} createGraphics(9, 9).text('A', 1, 2);"), "text_label"),
    "a window's ellipse": (sketch(f"{DAB} window.ellipse(0, 0, 200);"), "bare_primitives"),
    "a plane": (sketch(f"{DAB} plane(200);"), "bare_primitives"),
    "a sphere": (sketch(f"{DAB} sphere(90);"), "bare_primitives"),
    "a box": (sketch(f"{DAB} box(90);"), "bare_primitives"),
    "pixels": (sketch(f"{DAB} loadPixels(); pixels[0] = 9; updatePixels();"), "bare_primitives"),
    "a sheet of one colour for a background": (
        sketch(f"const g = createGraphics(600, 600); g.background('#24c'); background(g); {DAB}"),
        "bare_primitives",
    ),
    "an inverted picture": (sketch(f"{DAB} filter(INVERT);"), "bare_primitives"),
    "another picture handed in": (
        sketch(f"{DAB} HTMLCanvasElement.prototype.toDataURL = () => 'data:,';"),
        "forged",
    ),
    "a small canvas": (sketch(DAB).replace("600, 600", "64, 64"), "wrong_canvas"),
    "a huge canvas": (sketch(DAB).replace("600, 600", "6000, 6000"), "wrong_canvas"),
    "a small canvas that only the run shows": (
        sketch(DAB, "const side = () => 64;").replace("600, 600", "side(), side()"),
        "wrong_canvas",
    ),
    "a fence left open": (f"```js\n{sketch(DAB)}", "truncated"),
    "a program cut off": (f"```js\n{sketch(DAB)[:-8]}", "truncated"),
    "one flat background": (sketch('background("#2040c0");'), "blank_canvas"),
    "a background over the wash": (sketch(f'{WASH} background("#2040c0");'), "blank_canvas"),
    "a faint background over the wash": (sketch(f"{WASH} background(32, 64, 192, 120);"), "blank_canvas"),
}


@pytest.mark.parametrize(("reply", "code"), FAULTY.values(), ids=FAULTY)
def test_faulty_sketch_fails_with_its_code(reply: str, code: str, loop: Loop, pool: RendererPool) -> None:
    score = judge(reply, loop, pool)
    assert score.value == 0.0
    assert code in [found["code"] for found in score.parts["violations"]], score.why


@pytest.mark.parametrize(
    ("body", "covers"),
    [
        (WASH, True),
        (f'background("#2040c0"); background("#fff"); {WASH}', True),
        ('background("#2040c0"); background("#f00");', False),
        (f'{WASH} background("#2040c0");', False),
        (f"{WASH} background(32, 64, 192, 120);", False),
        (f"{WASH} clear();", False),
    ],
)
def test_coverage_is_of_the_paper_that_was_laid_last(body: str, covers: bool, paint: Paint) -> None:
    coverage = paint(sketch(body)).coverage
    assert coverage > 0.9 if covers else coverage == 0
