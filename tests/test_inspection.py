"""Inspection: what a sketch does is found however it is written, and what it only mentions is not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from watercolour.inspection import MAX_VIOLATIONS, GateCode, Inspection, Violation, inspect
from watercolour.javascript.bindings import Bindings, child_of, name_of
from watercolour.javascript.syntax import parse, text_of
from watercolour.render.libraries import library_sources
from watercolour.vocabulary import BRUSH_METHODS, PAINTING_METHODS

METHODS = frozenset("scaleBrushes noStroke fill noFill fillBleed fillTexture beginShape vertex endShape circle".split())
SETUP = "function setup(){createCanvas(600,600,WEBGL);noLoop();}"


def look(source: str, methods: frozenset[str] = METHODS) -> Inspection:
    return inspect(source, methods, (600, 600))


def codes(source: str) -> set[str]:
    return {violation.code.value for violation in look(source).violations}


def in_draw(body: str) -> str:
    """A sketch that is fine but for `body`, which stands in draw() on line 3."""
    return f"{SETUP}\nfunction draw(){{ brush.circle(300, 300, 90);\n{body}\n}}"


def test_good_sketch_has_no_violations() -> None:
    inspection = look(in_draw("brush.fill('#e87', 170); brush.circle(300, 300, 60, 0.3);"))
    assert inspection == Inspection((), (), {"circle": 2, "fill": 1})


WORDS_ONLY = {
    "text in a comment": "// no text (x) and no fetch('x')",
    "brace in a comment": "/* { */ // ( [ `",
    "code in a string": "const s = \"ellipse(1,2); fetch('x'); eval('y'); text('z')\";",
    "code in a template": "const s = `new Function() ${1} import('x') }`;",
    "code in a regular expression": "const r = /text(fetch|eval)[{(]/;",
    "easing": "function easeFunction(t){ return t * t } easeFunction(0.5);",
    "helper named point": "function point(x){ brush.circle(x, x, 9) } point(3);",
    "helper named line, as a constant": "const line = (a) => a; line(3);",
    "helper named rect, declared later": "rect(1); var rect = function(){};",
    "helper named ellipse on an object": "const kit = { ellipse(){}, text(){} }; kit.ellipse(); kit.text();",
    "method named image": "class Petal { image(){ this.vertex() } vertex(){} } new Petal().image();",
    "parameter named text": "const say = (text) => text(); say(() => 1);",
    "own function named fetch": "function fetch(){} fetch();",
    "own variable named top": "const top = 3; let parent = top; parent.x = location2;",
    "text settings": "textSize(12); textAlign(CENTER);",
    "p5 settings": "background('#fff'); fill(0); stroke(1); rectMode(CENTER); push(); pop();",
    "property named eval": "const o = {eval: 1, fetch: 2, location: 3}; o.eval + o.fetch + o.location.x;",
    "frames of an animation": "const film = {data: {frames: [1]}}; let i = 0; film.data.frames[i];",
    "computed property of an own object": "const o = {}; const k = random(); o[k] = o[k] + 1;",
    "timer with a function": "setTimeout(() => brush.noFill(), 5); setInterval(redraw, 9);",
    "constructor's name": "const k = [].constructor.name;",
    "filter of a list": "[1, 2].filter(x => x > 1); const own = {filter(){}}; own.filter();",
    "background of another sheet": "const g = createGraphics(9, 9); g.background('#fff'); background('#fee', 9);",
    "array methods": "[3, 1].sort().reverse().fill(2); new Float32Array(9).set([1]);",
    "map of a set": "new Set([1]).forEach(v => brush.vertex(v, v)); new Map().set(1, 2);",
    "canvas style": "document.addEventListener('contextmenu', e => e.preventDefault());",
}


@pytest.mark.parametrize("body", WORDS_ONLY.values(), ids=WORDS_ONLY)
def test_harmless_code_passes(body: str) -> None:
    assert look(in_draw(body)).violations == ()


FOUND = {
    GateCode.EXTERNAL_ACCESS: [
        "fetch('x');",
        "fetch`x`;",
        "const f = fetch; f('x');",
        "window['fe' + 'tch']('x');",
        "const k = 'fetch'; globalThis[k]('x');",
        "self[`fe${'tch'}`]('x');",
        "\\u0066etch('x');",
        "window['\\x66etch']('x');",
        "const {fetch: f} = window; f('x');",
        "const w = window; w.fetch('x');",
        "this.fetch('x');",
        "Reflect.get(window, 'fetch')('x');",
        "const k = nameOf(); window[k]('x');",
        "Reflect.get(window, nameOf())('x');",
        "document[nameOf()]('x');",
        "new XMLHttpRequest();",
        "new WebSocket('ws://x');",
        "new EventSource('x');",
        "navigator.sendBeacon('x');",
        "new Image().src = 'x';",
        "importScripts('x');",
        "import('x');",
        "loadImage('x');",
        "loadJSON('x');",
        "loadFont('x');",
        "httpGet('x');",
        "p5.prototype.loadShader('x');",
        "new Worker('x');",
        "new SharedWorker('x');",
        "document.write('x');",
        "document.createElement('img');",
        "const d = document; d.createElement('img');",
        "window.open('x');",
        "open('x');",
        "location = 'x';",
        "window.location = 'x';",
        "location.href = 'x';",
        "localStorage.x = 1;",
        "indexedDB.open('x');",
        "new RTCPeerConnection();",
        "parent.postMessage('x');",
        "top.x = 1;",
        "select('canvas').elt.innerHTML = '<img>';",
        "createDiv('<img src=x>');",
        "saveCanvas('x');",
    ],
    GateCode.DYNAMIC_CODE: [
        "eval('x');",
        "(0, eval)('x');",
        "window['ev' + 'al']('x');",
        "new Function('x')();",
        "Function('x')();",
        "setTimeout('x()', 5);",
        "setInterval(`x(${1})`, 5);",
        "const code = 'x()'; setTimeout(code, 5);",
        "setTimeout('x' + n, 5);",
        "[].constructor.constructor('x')();",
        "const F = Object.getPrototypeOf(async function(){}).constructor; new F('x')();",
        "with (o) { f() }",
    ],
    GateCode.TEXT_LABEL: [
        "text('x', 1, 2);",
        "window.text('x', 1, 2);",
        "const g = createGraphics(9, 9); g.text('x', 1, 2);",
        "createGraphics(9, 9)['te' + 'xt']('x', 1, 2);",
        "drawingContext.fillText('x', 1, 2);",
        "const c = canvas.getContext('2d'); c.strokeText('x', 1, 2);",
        "text.call(this, 'x', 1, 2);",
        "['x'].forEach(text);",
    ],
    GateCode.BARE_PRIMITIVES: [
        "ellipse(1, 2, 3);",
        "rect(1, 2, 3, 4);",
        "line(1, 2, 3, 4);",
        "triangle(1, 2, 3, 4, 5, 6);",
        "quad(1);",
        "point(1, 2);",
        "arc(1);",
        "circle(1, 2, 3);",
        "plane(9);",
        "sphere(9);",
        "box(9);",
        "cylinder(9);",
        "cone(9);",
        "torus(9);",
        "ellipsoid(9);",
        "beginShape();",
        "vertex(1, 2);",
        "endShape();",
        "image(img, 1, 2);",
        "set(1, 2, 3);",
        "updatePixels();",
        "pixels[4] = 255;",
        "pixels.fill(9);",
        "const p = pixels; p[4] = 255;",
        "filter(INVERT);",
        "const g = createGraphics(9, 9); background(g);",
        "background(createGraphics(9, 9));",
        "window.background(createFramebuffer());",
        "const i = createImage(9, 9); i.pixels.fill(9);",
        "const i = createImage(9, 9); i.set(1, 2, 3);",
        "window.ellipse(1, 2, 3);",
        "globalThis['ell' + 'ipse'](1, 2, 3);",
        "self.ellipse(1, 2, 3);",
        "this.ellipse(1, 2, 3);",
        "const e = ellipse; e(1, 2, 3);",
        "ellipse.apply(null, [1, 2, 3]);",
        "Reflect.apply(ellipse, null, [1, 2, 3]);",
        "const b = ellipse.bind(null); b(1, 2, 3);",
        "const g = createGraphics(9, 9); g.ellipse(1, 2, 3);",
        "let g; function make(){ g = createGraphics(9, 9) } g.ellipse(1, 2, 3);",
        "function dot(g){ g.ellipse(1, 2, 3) } dot(createGraphics(9, 9));",
        "class A { constructor(){ this.g = createGraphics(9, 9) } go(){ this.g.ellipse(1, 2, 3) } }",
        "new p5(p => { p.draw = () => p.ellipse(1, 2, 3) });",
        "const p = new p5(() => {}); p.pixels[4] = 255;",
        "const line = () => 1; window.line(1, 2, 3, 4);",
        "{ function ellipse2(){ let rect = 1 } } rect(1, 2, 3, 4);",
    ],
    GateCode.FORGED: [
        "HTMLCanvasElement.prototype.toDataURL = () => 'data:';",
        "canvas.toDataURL = () => 'data:';",
        "canvas['toData' + 'URL'] = () => 'data:';",
        "Object.defineProperty(canvas, 'toBlob', {value: 1});",
        "Object.assign(canvas, {toDataURL(){ return 'data:' }});",
        "WebGL2RenderingContext.prototype.readPixels = () => 1;",
        "canvas.getContext = () => 1;",
        "canvas.getContext('webgl2').clear(1);",
        "drawingContext.clearColor(1, 0, 0, 1);",
        "this._renderer.GL.clear(1);",
        "const {drawingContext: c} = window; c.clear(1);",
        "new OffscreenCanvas(9, 9);",
        "brush.circle = () => 1;",
        "p5.prototype.createCanvas = () => 1;",
        "Object.assign(brush, {circle: () => 1});",
    ],
    GateCode.WRONG_CANVAS: [
        "createCanvas(64, 64, WEBGL);",
        "createCanvas(6000, 6000, WEBGL);",
        "createCanvas(600, 601, WEBGL);",
        "const S = 32 * 2; createCanvas(S, S, WEBGL);",
        "window.createCanvas(64, h, WEBGL);",
        "resizeCanvas(64, 64);",
        "createCanvas();",
    ],
    GateCode.NOT_WEBGL: [
        "createCanvas(600, 600);",
        "createCanvas(600, 600, P2D);",
        "createCanvas(600, 600, '2d');",
        "const mode = P2D; createCanvas(600, 600, mode);",
    ],
    GateCode.UNKNOWN_BRUSH_METHOD: [
        "brush.sparkle(3);",
        "const b = brush; b.sparkle(3);",
        "const {sparkle: s} = brush; s(3);",
        "brush['spar' + 'kle'](3);",
        "brush.line(1, 2, 3, 4);",
        "new brush.Polygon([[1, 2]]);",
    ],
}


@pytest.mark.parametrize(("code", "body"), [(code, body) for code, bodies in FOUND.items() for body in bodies])
def test_what_a_sketch_must_not_do_is_found_with_its_line(code: GateCode, body: str) -> None:
    found = [violation for violation in look(in_draw(body)).violations if violation.code is code]
    assert found, look(in_draw(body))
    assert {violation.line for violation in found} == {3}


@pytest.mark.parametrize("body", FOUND[GateCode.BARE_PRIMITIVES] + FOUND[GateCode.UNKNOWN_BRUSH_METHOD])
def test_one_fault_is_reported_once(body: str) -> None:
    assert len(look(in_draw(body)).violations) == 1


def test_import_statement_reaches_outside() -> None:
    assert codes(f"import x from 'y';\n{in_draw('')}") == {"external_access"}


@pytest.mark.parametrize(
    "setup",
    [
        "function setup(){ CANVAS }",
        "async function setup(){ CANVAS }",
        "function* setup(){ CANVAS }",
        "const setup = () => { CANVAS };",
        "let setup = async () => { CANVAS };",
        "var setup = function(){ CANVAS };",
        "let setup; setup = () => { CANVAS };",
        "setup = () => { CANVAS };",
        "window.setup = function(){ CANVAS };",
        "globalThis.setup = () => { CANVAS };",
        "window['set' + 'up'] = () => { CANVAS };",
        "(() => { window.setup = () => { CANVAS } })();",
        "function start(){ CANVAS } const setup = start;",
        "if (true) { function setup(){ CANVAS } }",
        "new p5(p => { p.setup = () => { p.createCanvas(600, 600, p.WEBGL) } });",
    ],
)
def test_every_form_of_setup_is_an_entry_point(setup: str) -> None:
    source = setup.replace("CANVAS", "createCanvas(600, 600, WEBGL)") + "\nbrush.circle(1, 2, 3);"
    assert look(source).violations == ()


@pytest.mark.parametrize(
    "source",
    [
        "createCanvas(600, 600, WEBGL); brush.circle(1, 2, 3);",
        "function draw(){ createCanvas(600, 600, WEBGL); brush.circle(1, 2, 3); }",
        "(() => { function setup(){ createCanvas(600, 600, WEBGL); brush.circle(1, 2, 3) } })();",
        "let setup; createCanvas(600, 600, WEBGL); brush.circle(1, 2, 3);",
        "const setup = 5; createCanvas(600, 600, WEBGL); brush.circle(1, 2, 3);",
        "// function setup(){}\ncreateCanvas(600, 600, WEBGL); brush.circle(1, 2, 3);",
    ],
)
def test_sketch_without_setup(source: str) -> None:
    assert codes(source) == {"missing_entry_points"}


@pytest.mark.parametrize(
    "call",
    [
        "createCanvas(600, 600, WEBGL)",
        "createCanvas(6e2, 0x258, WEBGL2)",
        "createCanvas(600, 600, 'webgl')",
        "createCanvas(SIZE, SIZE, WEBGL)",
        "createCanvas(2 * HALF, 2 * HALF, MODE)",
        "createCanvas(side(), side(), WEBGL)",
        "createCanvas(...ARGUMENTS)",
        "createCanvas(600, 600, modeOf())",
        "createCanvas(windowWidth, windowHeight, WEBGL)",
        "const make = createCanvas; make(600, 600, WEBGL)",
    ],
)
def test_right_canvas_and_one_that_only_a_run_can_tell(call: str) -> None:
    constants = "const SIZE = 600, HALF = 300, MODE = WEBGL, ARGUMENTS = [600, 600, WEBGL];"
    own = "function side(){ return 600 } function modeOf(){ return WEBGL }"
    assert look(f"{constants}{own}function setup(){{ {call}; brush.circle(1, 2, 3) }}").violations == ()


def test_sketch_without_a_canvas() -> None:
    assert codes("function setup(){ brush.circle(1, 2, 3); } // createCanvas(600, 600, WEBGL)") == {"not_webgl"}


@pytest.mark.parametrize(
    "body",
    [
        "const b = brush; b.circle(1, 2, 3);",
        "let b; b = brush; b.circle(1, 2, 3);",
        "const {circle} = brush; circle(1, 2, 3);",
        "const {circle: dab} = window.brush; dab(1, 2, 3);",
        "brush['circle'](1, 2, 3);",
        "const k = 'circle'; brush[k](1, 2, 3);",
        "brush['cir' + 'cle'](1, 2, 3);",
        "for (const k of ['circle']) brush[k](1, 2, 3);",
        "brush?.circle?.(1, 2, 3);",
        "brush.circle.call(brush, 1, 2, 3);",
        "brush.endShape(true);",
        "const paint = (b) => b.circle(1, 2, 3); paint(brush);",
        "[[1, 2]].forEach(p => brush.circle(p[0], p[1], 3));",
        "function never(){ brush.circle(1, 2, 3) }",
    ],
)
def test_painting_call_is_seen_through_aliases(body: str) -> None:
    assert look(f"{SETUP}function draw(){{ {body} }}").violations == ()


@pytest.mark.parametrize(
    "body",
    [
        "",
        "// brush.circle(1, 2, 3)",
        "const s = 'brush.circle(1, 2, 3)';",
        "brush.fill('#f00', 90); brush.noStroke();",
        "const brush = {circle(){}}; brush.circle(1, 2, 3);",
        "brush.circle;",
    ],
)
def test_sketch_that_lays_no_paint(body: str) -> None:
    assert codes(f"{SETUP}function draw(){{ {body}\n}}") == {"no_painting_calls"}


def test_painting_calls_are_those_that_the_medium_lists() -> None:
    source = f"{SETUP}function draw(){{ brush.line(1, 2, 3, 4) }}"
    assert codes(source) == {"unknown_brush_method", "no_painting_calls"}
    assert look(source, METHODS | {"line"}).violations == ()


def test_missing_method_is_told_from_one_that_is_not_listed() -> None:
    inspection = look(in_draw("brush.line(1, 2, 3, 4); brush.sparkle();"))
    unlisted, missing = inspection.violations
    assert inspection.unlisted == (unlisted,)
    assert unlisted.message == "brush.line() exists in p5.brush, but this medium does not list it"
    assert missing.message == "brush.sparkle() does not exist in p5.brush"
    assert inspection.brush_calls == {"circle": 1, "line": 1, "sparkle": 1}


def test_known_methods_are_those_of_the_pinned_library() -> None:
    library = library_sources().brush
    exports = Bindings(parse(library[library.rindex("t.Plot=") :]).root_node).writes
    assert {
        name_of(child_of(node, "property")) for node, _, _ in exports if text_of(node).startswith("t.")
    } == BRUSH_METHODS
    assert PAINTING_METHODS < BRUSH_METHODS


@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        (f"{SETUP}\nfunction draw(){{\n brush.circle(1, 2, 3);\n", GateCode.TRUNCATED, 3),
        (f"{SETUP}\nfunction draw(){{ brush.circle(1, 2", GateCode.TRUNCATED, 2),
        (f"{SETUP}\nfunction draw(){{ let = ; }}", GateCode.SYNTAX_ERROR, 2),
        ("I cannot paint that.", GateCode.SYNTAX_ERROR, 1),
    ],
)
def test_broken_source_is_one_violation_with_its_line(source: str, code: GateCode, line: int) -> None:
    (violation,) = look(source).violations
    assert (violation.code, violation.line) == (code, line)


def test_broken_source_is_still_searched() -> None:
    assert codes(f"{SETUP}function draw(){{ fetch('x'); ellipse(1, 2, 3); let = ; }}") == {
        "syntax_error",
        "external_access",
        "bare_primitives",
    }


def test_same_fault_on_many_lines_is_counted() -> None:
    (violation,) = look(in_draw("ellipse(1, 2, 3);\n" * 12)).violations
    assert violation == Violation(
        GateCode.BARE_PRIMITIVES, 3, "ellipse() draws with plain p5 instead of the brush (12 times)"
    )


def test_violations_come_by_code_then_line_and_are_capped() -> None:
    body = "\n".join(f"brush.made{i}();" for i in reversed(range(200))) + "\ntext('x');fetch('x');"
    violations = look(in_draw(body)).violations
    order = list(GateCode)
    assert list(violations) == sorted(violations, key=lambda found: (order.index(found.code), found.line or 0))
    assert len(violations) == MAX_VIOLATIONS
    assert violations[0].code is GateCode.EXTERNAL_ACCESS


def test_messages_are_one_printable_line_whatever_a_name_holds() -> None:
    inspection = look(in_draw("brush['a\\nb\\x1b' + 'x'](); brush['y'.repeat(9)](); " + f"brush.{'z' * 999}();"))
    assert len(inspection.violations) == 2
    assert all(violation.message.isprintable() and len(violation.message) < 120 for violation in inspection.violations)


NESTED = [
    "(",
    "[",
    "{",
    "`${",
    "!",
    "if(a)",
    "a.b(",
    "a.b().",
    "x=>",
    "a+",
    "'a'+",
    "{let a;",
    "const {a:",
    "function f(a){",
    "f(a);",
]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", NESTED)
def test_any_depth_is_read(piece: str) -> None:
    """A second or so; were the time quadratic in the depth, the limit would end it."""
    assert look(piece * (100_000 // len(piece))).violations


def test_folding_neither_grows_nor_loops() -> None:
    doubling = "".join(f"const s{i + 1} = s{i} + s{i};" for i in range(500))
    assert codes(in_draw(f"const s0 = 'x'; {doubling} window[s500];")) == {"external_access"}
    assert codes(in_draw("let a = b, b = a; a(); var c = c.c; c.c();")) == set()


WORDS = "=> ... const let brush window this fetch text( new function class async for( of in ${ 1 catch( import"
SNIPPETS = st.sampled_from([*"(){}[];,.=+:?`'\"/*\\ \n\0\ud800", *(f"{word} " for word in WORDS.split())])


@given(st.one_of(st.text(), st.lists(SNIPPETS, max_size=80).map("".join)))
@settings(max_examples=400, deadline=None)
def test_any_text_can_be_inspected(source: str) -> None:
    inspection = look(source)
    assert inspection == look(source)
    lines = source.count("\n") + 1
    assert all(violation.line is None or 1 <= violation.line <= lines for violation in inspection.violations)
