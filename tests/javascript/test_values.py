"""Values: an expression stands for what the program's own bindings make of it."""

from __future__ import annotations

import pytest
from tree_sitter import Node

from watercolour.javascript.bindings import Bindings
from watercolour.javascript.syntax import parse
from watercolour.javascript.values import Const, Named, Value, Values


def argument_of_probe(source: str) -> Value:
    """What the first argument of the call `probe(...)` in the source stands for."""
    bindings = Bindings(parse(source).root_node)
    values = Values(bindings, frozenset({"ellipse"}), frozenset({"createGraphics"}))
    for call, scope in bindings.calls:
        callee: Node | None = call.child_by_field_name("function")
        arguments = call.child_by_field_name("arguments")
        if callee is not None and callee.text == b"probe" and arguments is not None:
            return values.of(arguments.named_children[0], scope)
    raise AssertionError("no call of probe()")


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("probe('a' + \"b\" + `c${'d'}`)", "abcd"),
        ("probe('\\x66\\u0069\\u{6c}\\154')", "fill"),
        ("probe('a' + 1)", "a1"),
        ("probe(2 * (3 + 4) - -1)", 15.0),
        ("probe(0x258 / 2 % 7)", 6.0),
        ("probe(2 ** 3)", 8.0),
        ("const W = 600; function f(){ probe(W) }", 600.0),
        ("let W; W = 600; probe(W)", 600.0),
        ("const [w, h] = [600, 400]; probe(h)", 400.0),
        ("const [, h] = [600, 400]; probe(h)", 400.0),
        ("function f(size){ const {w = 3} = size; probe(w) }", None),
        ("let W = 600; W = 64; probe(W)", None),
        ("let i = 0; i++; probe(i)", None),
        ("let i = 0; i += 600; probe(i)", None),
        ("for (const i of [600]) probe(i)", None),
        ("function f(w){ probe(w) } f(600)", None),
        ("probe(1 / 0)", None),
        ("probe(9e999 % 2)", None),
        ("const a = a + 'x'; probe(a)", None),
    ],
)
def test_constants(source: str, value: str | float | None) -> None:
    assert argument_of_probe(source) == (None if value is None else Const(value))


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("probe(fetch)", "fetch"),
        ("probe(window.self.globalThis.fetch)", "fetch"),
        ("probe(this.fetch)", "fetch"),
        ("function setup(){ [1].map(() => probe(this.fetch)) }", "fetch"),
        ("function helper(){ probe(this.fetch) }", "?.fetch"),
        ("const b = brush; probe(b.fill)", "brush.fill"),
        ("let b; function setup(){ b = brush; probe(b['fi' + 'll']) }", "brush.fill"),
        ("const {fill: f} = brush; probe(f)", "brush.fill"),
        ("const {['fi' + 'll']: f} = brush; probe(f)", "brush.fill"),
        ("const {brush: {fill}} = window; probe(fill)", "brush.fill"),
        ("const {...b} = brush; probe(b.fill)", "brush.fill"),
        ("let f; ({fill: f} = brush); probe(f)", "brush.fill"),
        ("probe((0, brush.fill))", "brush.fill"),
        ("probe(brush.fill.bind(brush))", "brush.fill"),
        ("probe(Reflect.get(brush, 'fill'))", "brush.fill"),
        ("probe(ok ? brush.fill : own)", "brush.fill"),
        ("probe(own || brush.fill)", "own"),
        ("function own(){} probe(own || brush.fill)", "brush.fill"),
        ("(b => probe(b.fill))(brush)", "brush.fill"),
        ("function f(b){ probe(b.fill) } f(brush)", "brush.fill"),
        ("window.b = brush; probe(b)", "brush"),
        ("class A { constructor(){ this.b = brush } go(){ probe(this.b.fill) } }", "brush.fill"),
        ("const tools = {b: brush}; probe(tools.b)", "brush"),
        ("probe(document.defaultView.fetch)", "fetch"),
        ("const p = new p5(s); probe(p.ellipse)", "ellipse"),
        ("new p5(p => { probe(p.ellipse) })", "ellipse"),
        ("const s = p => { probe(p.ellipse) }; new p5(s)", "ellipse"),
        ("probe(createGraphics(9, 9).ellipse)", "ellipse"),
        ("probe(p5.prototype.ellipse)", "ellipse"),
        ("probe(brush[k])", "brush.?"),
        ("ellipse = ellipse; probe(ellipse)", "ellipse"),
    ],
)
def test_things_from_outside_keep_their_name(source: str, path: str) -> None:
    assert argument_of_probe(source) == Named(path)


@pytest.mark.parametrize(
    "source",
    [
        "function line(){} probe(line)",
        "probe(line); var line = () => 1",
        "function f(line){ probe(line) }",
        "for (const line of lines) probe(line)",
        "try {} catch (line) { probe(line) }",
        "class line {} probe(line)",
        "import line from 'x'; probe(line)",
        "{ function line(){} } probe(line)",
        "probe(window.line); function line(){}",
        "const f = function line(){ probe(line) }",
        "switch (1) { case 1: let line = 1; default: line = g(); probe(line) }",
    ],
)
def test_own_names_are_the_programs_own(source: str) -> None:
    assert argument_of_probe(source) is None


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("{ let line = 1 } probe(line)", "line"),
        ("for (let line = 0; ;) {} probe(line)", "line"),
        ("const line = () => 1; probe(window.line)", "line"),
        ("function f(){ function line(){} } probe(line)", "line"),
    ],
)
def test_own_names_end_with_their_scope(source: str, path: str) -> None:
    assert argument_of_probe(source) == Named(path)
