"""Syntax: where a program is broken, whether it was cut off, and what of it is code."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from watercolour.javascript.syntax import MAX_TOKEN_CHARS, code_text, find_syntax_problem, parse, quote


@pytest.mark.parametrize(
    "source",
    [
        "",
        "// just words {",
        "function setup(){}",
        "async function setup(){ await f(); }",
        "const s = `a ${b + `c`} }`;",
        "let r = /[/{]/g; a ??= b?.c ?? 1_000n;",
        "class A { #p = 1; static { } get b() { return this.#p } }",
        "<!-- an old comment {\nf()",
    ],
)
def test_valid_program_has_no_problem(source: str) -> None:
    assert find_syntax_problem(parse(source)) is None


@pytest.mark.parametrize(
    ("source", "line", "opened"),
    [
        ("function setup(){\n  f();\n", 2, "'{' opened on line 1"),
        ("function setup(){\n  brush.circle(1,", 2, "'(' opened on line 2"),
        ("a = [1,\n2,", 2, "'[' opened on line 1"),
        ("f(`a ${b", 1, "'${' opened on line 1"),
        ("f();\nconst s = `a b", 2, "'`' opened on line 2"),
        ("const PAPER = '#fb", 1, "a string opened on line 1"),
        ("f();\n/* and then { (", 2, "a comment opened on line 2"),
        ("a; b /* ] ) }\nmore", 1, "a comment opened on line 1"),
        ("const x =", 1, "right after '='"),
        ("f();\nconst", 2, "right after 'const'"),
    ],
)
def test_program_that_ends_too_early_is_truncated(source: str, line: int, opened: str) -> None:
    problem = find_syntax_problem(parse(source))
    assert problem is not None
    assert (problem.truncated, problem.line) == (True, line)
    assert opened in problem.message


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("function setup(){\n let a = ;\n}", 2),
        ("function setup(){\n let a = 1\n let b = 2 +\n}", 3),
        ("function setup(){}\n}", 2),
        ("function draw(){\n f(1;\n}", 3),
        ("let 5 = 3", 1),
        ("I cannot paint that.", 1),
        ("f();\n'it\nf()", 2),
        ("a = [1, 2)", 1),
        ("\0", 1),
    ],
)
def test_broken_program_says_where(source: str, line: int) -> None:
    problem = find_syntax_problem(parse(source))
    assert problem is not None
    assert (problem.truncated, problem.line) == (False, line)
    assert problem.message.isprintable()


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("a = 1; // note", "a = 1;"),
        ("a/* {x} */=/**/1", "a = 1"),
        ("a;\n\n\n      b;", "a; b;"),
        ("a ;;;; b", "a ; b"),
        ("for(;;){}", "for(;;){}"),
        ("'just words'; `more`; /even/; 12345; a", "a"),
        ("a = 'not // a comment'", "a = 'not // a comment'"),
        ("a = 'x        y'", "a = 'x y'"),
        ("a = `x${b}        y`", "a = `x${b} y`"),
        ("<!-- old comment\na", "a"),
        ("", ""),
    ],
)
def test_code_text_keeps_code_alone(source: str, code: str) -> None:
    assert code_text(source) == code


@pytest.mark.parametrize("stuffing", ["'{}'", '"{}"', "`{}`", "/{}/", "v{}", "`{}${{a}}`"])
def test_one_long_token_counts_as_a_short_one(stuffing: str) -> None:
    long, longer = (len(code_text(f"f({stuffing.format('x' * size)})")) for size in (1_000, 100_000))
    assert long == longer <= 2 * MAX_TOKEN_CHARS


@given(st.text())
@settings(deadline=None)
def test_any_text_can_be_read(source: str) -> None:
    problem = find_syntax_problem(parse(source))
    assert problem is None or (problem.line >= 1 and problem.message.isprintable())
    assert len(code_text(source)) <= len(source.encode("utf-8", "surrogatepass"))


def test_quote_is_short_and_printable() -> None:
    assert quote("a\nb\x1b[31m\u202e") == "a?b?[31m?"
    assert quote("x" * 99) == "x" * MAX_TOKEN_CHARS + "..."
