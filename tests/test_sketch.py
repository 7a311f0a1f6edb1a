"""Extraction: whatever a reply looks like, its last program comes out whole, or the reply says why not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from watercolour.sketch import ExtractionProblem, Sketch, extract

NO_SKETCH, TRUNCATED = ExtractionProblem.NO_SKETCH, ExtractionProblem.TRUNCATED
PROGRAM = "function setup(){createCanvas(600,600,WEBGL);}\nfunction draw(){brush.circle(300,300,90);}\n"
DRAFT = "function setup(){createCanvas(60,60);}\nfunction draw(){brush.circle(1,1,1);}\n"


def fence(body: str, info: str = "js", mark: str = "```") -> str:
    return f"{mark}{info}\n{body}{mark}\n"


WHOLE = {
    "one fence": fence(PROGRAM),
    "words around it": f"Here it is.\n\n{fence(PROGRAM)}\nsetup() runs once and draw() paints.",
    "no info string": fence(PROGRAM, ""),
    "javascript": fence(PROGRAM, "javascript"),
    "upper case with a title": fence(PROGRAM, 'JS title="sketch.js"'),
    "attributes": fence(PROGRAM, "{.javascript .numberLines}"),
    "space before the info string": fence(PROGRAM, " js "),
    "tildes": fence(PROGRAM, "js", "~~~"),
    "a long fence": fence(PROGRAM, "js", "`````"),
    "carriage returns": fence(PROGRAM).replace("\n", "\r\n"),
    "old carriage returns": fence(PROGRAM).replace("\n", "\r"),
    "no line end at the end": fence(PROGRAM).rstrip("\n"),
    "in a list": "1. The sketch:\n   " + fence(PROGRAM).replace("\n", "\n   "),
    "two fences: the last": fence(DRAFT) + "Better:\n" + fence(PROGRAM),
    "then a shell fence": fence(PROGRAM) + fence("npm install p5.brush\n", "bash"),
    "then a fragment of it": fence(PROGRAM) + "For red:\n" + fence("brush.fill('#f00', 90);\n"),
    "in a longer fence": fence("# Sketch\n" + fence(PROGRAM), "markdown", "````"),
    "in tildes": fence("# Sketch\n" + fence(PROGRAM), "", "~~~"),
    "in a fence of the same length": fence("# Sketch\n" + fence(PROGRAM), "markdown"),
    "after a draft left open": f"```js\n{DRAFT}no, again:\n{fence(PROGRAM)}",
    "closing fence behind the last brace": f"```js\n{PROGRAM.rstrip()}```\nDone.",
    "the prompt had opened the fence": f"{PROGRAM}```\nThat paints it.",
    "after thinking": f"<think>\nPerhaps:\n{fence(DRAFT)}</think>\n{fence(PROGRAM)}",
    "after thinking with a fence left open": f"<think>\n```js\n{DRAFT}hm\n</think>\n{fence(PROGRAM)}",
    "after thinking that the prompt had begun": f"Perhaps {fence(DRAFT)}So be it.</think>\n{fence(PROGRAM)}",
    "before thinking that never ends": f"{fence(PROGRAM)}<think>\nbut then\n{fence(DRAFT)}",
    "between two thoughts": f"<think>a</think>\n{fence(PROGRAM)}\n<thinking>\n{fence(DRAFT)}</thinking>",
    "bare": PROGRAM,
    "bare with a byte order mark": "\ufeff" + PROGRAM,
    "bare after thinking": f"<think>{DRAFT}</think>{PROGRAM}",
}


@pytest.mark.parametrize("reply", WHOLE.values(), ids=WHOLE)
def test_whole_program_comes_out(reply: str) -> None:
    sketch = extract(reply)
    assert sketch.problem is None
    assert sketch.source.rstrip() == PROGRAM.rstrip()


@pytest.mark.parametrize(
    "reply",
    [
        "",
        " \n\t\n",
        "I cannot paint.",
        "I would call setup() and draw(), and then brush.circle would paint.",
        "```js\n```",
        "```\n",
        fence("pip install watercolour\n", "bash"),
        f"<think>\n{fence(PROGRAM)}",
        f"<think>{PROGRAM}",
        "\0",
        "\ud800",
    ],
)
def test_reply_without_a_program(reply: str) -> None:
    assert extract(reply) == Sketch("", NO_SKETCH)


@pytest.mark.parametrize(
    ("reply", "source"),
    [
        (f"Here:\n```js\n{PROGRAM}", PROGRAM + "\n"),
        ("```javascript\nconst PAPER = '#fff'", "const PAPER = '#fff'\n"),
        ("```\nfunction setup(){", "function setup(){\n"),
        (f"<think>no</think>~~~\n{PROGRAM}", PROGRAM + "\n"),
        (fence("brush.noFill();\n") + "Whole:\n```js\nfunction setup(){", "function setup(){\n"),
    ],
)
def test_open_fence_is_truncated(reply: str, source: str) -> None:
    assert extract(reply) == Sketch(source, TRUNCATED)


def test_complete_fence_goes_before_a_later_open_one() -> None:
    assert extract(f"{fence(PROGRAM)}Or:\n```js\n{DRAFT}") == Sketch(PROGRAM)


@pytest.mark.parametrize(
    "source", ["while(true){}", "let a = [];\nfor(;;) a.push(new Array(1e9));\n", "throw 'x';", "a=1"]
)
def test_bare_file_need_not_mention_p5(source: str) -> None:
    assert extract(source).source == source


def test_indentation_of_the_fence_is_taken_off_and_no_more() -> None:
    assert extract("  ```js\n  function setup(){\n      brush.noFill();\n }\n  ```").source == (
        "function setup(){\n    brush.noFill();\n}\n"
    )


def test_tilde_and_backtick_fences_do_not_close_each_other() -> None:
    body = "const s = `\n~~~\n`;\n" + PROGRAM
    assert extract(fence(body)).source == body


def test_hash_is_of_the_source_in_utf8_and_takes_lone_surrogates() -> None:
    assert Sketch("").sha256 == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert Sketch("\ud800").sha256 != Sketch("\udbff").sha256


PIECES = st.sampled_from(
    [*"``` ~~~ ```` js \n \r\n <think> </think> setup( brush. { } prose \0 \ud800".split(" "), " "]
)
REPLIES = st.one_of(st.text(), st.lists(PIECES, max_size=60).map("".join))


@given(REPLIES)
@settings(max_examples=300, deadline=None)
def test_any_text_gives_the_same_sketch_each_time(reply: str) -> None:
    sketch = extract(reply)
    assert extract(reply) == sketch
    assert "\r" not in sketch.source
    assert (sketch.source == "") == (sketch.problem is NO_SKETCH)
    assert len(sketch.source) <= len(reply) + 1


@given(REPLIES)
@settings(max_examples=200, deadline=None)
def test_bare_code_is_its_own_sketch(reply: str) -> None:
    source = extract(reply).source
    if extract(source).problem is None and not any(mark in source for mark in ("```", "~~~", "think")):
        assert extract(source).source == source


BORING = (
    "```\n",
    "```js\n",
    "~~~\n````\n",
    "`",
    "~",
    "<think>\n",
    "</think>",
    "\n",
    " ",
    "setup ",
    "}```\n",
    "(",
    "```a",
)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", BORING)
def test_a_long_boring_reply_is_read(piece: str) -> None:
    """A second or so; were the time quadratic in the length, the limit would end it."""
    assert isinstance(extract(piece * (2_000_000 // len(piece))), Sketch)
