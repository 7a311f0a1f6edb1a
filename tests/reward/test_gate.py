"""The gate: source and run are weighed together, and the run wins."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import numpy as np
import pytest

from watercolour.inspection import GateCode, Violation
from watercolour.painting import BLANK_COVERAGE, Painting, RenderOutcome
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.gate import GateTerm, explain
from watercolour.sketch import Sketch, extract

METHODS = frozenset("scaleBrushes noStroke fill noFill fillBleed fillTexture beginShape vertex endShape circle".split())
CANVAS = (60, 40)
SETUP = "function setup(){createCanvas(60,40,WEBGL);}\n"
GOOD = f"{SETUP}function draw(){{ brush.circle(30, 20, 9) }}"
PAPER = np.full((40, 60, 3), 250, np.uint8)


def painted(source: str = GOOD, **facts: Any) -> Painting:
    """A painting that went well, but for `facts`."""
    usual: dict[str, Any] = {"pixels": PAPER, "paper": (250, 250, 250), "coverage": 0.2}
    outcome = facts.pop("outcome", RenderOutcome.OK)
    usual["painted_by_brush"] = facts.get("coverage", 0.2)
    return Painting(facts.pop("sketch", Sketch(source)), outcome, **(usual | facts))


def failed(outcome: RenderOutcome, *errors: str, source: str = GOOD) -> Painting:
    return Painting(Sketch(source), outcome, errors=errors)


def codes(painting: Painting, **options: Any) -> list[str]:
    (result,) = score(painting, **options)
    return [found["code"] for found in result.parts["violations"]]


def score(*paintings: Painting, strict_allowlist: bool = True, **options: Any) -> list[Score]:
    term = GateTerm(METHODS, CANVAS, strict_allowlist=strict_allowlist, **options)
    return asyncio.run(term.score(paintings, ScoreContext()))


def test_good_painting_passes() -> None:
    (result,) = score(painted())
    assert result == Score(1.0, "passed: it runs, and the brush painted it", {"violations": [], "notes": []})


def test_name_outside_the_closed_list_fails_and_is_forgiven_as_a_method_is() -> None:
    names = {"fill": ("#e87",)}
    (strict,) = score(painted(f"{GOOD}\nbrush.fill('spray', 9);"), names=names)
    assert strict.value == 0
    assert strict.why == "unknown_name on line 3: brush.fill(spray): the medium lists no such name; the nearest is #e87"
    (loose,) = score(painted(f"{GOOD}\nbrush.fill('spray', 9);"), names=names, strict_allowlist=False)
    assert loose.value == 1
    assert [note["code"] for note in loose.parts["notes"]] == ["unknown_name"]
    assert codes(painted(f"{GOOD}\nbrush.fill('sprays', 9);"), names=names, strict_allowlist=False) == ["unknown_name"]


def test_scores_come_in_order_and_with_their_reasons() -> None:
    results = score(painted(), failed(RenderOutcome.INFRA, "no browser"), painted(f"{GOOD}\nellipse(1, 2, 3);"))
    assert [result.value for result in results] == [1.0, None, 0.0]
    assert results[2].why == "bare_primitives on line 3: ellipse() draws with plain p5 instead of the brush"
    assert results[2].parts["violations"] == [
        {"code": "bare_primitives", "line": 3, "message": "ellipse() draws with plain p5 instead of the brush"}
    ]
    assert json.loads(json.dumps(results[2].parts)) == results[2].parts


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(f"{GOOD}\nlet = ;", id="the parser takes it for broken"),
        pytest.param(GOOD.rstrip("}"), id="the parser takes it for cut off"),
        pytest.param(f"{SETUP}Object.values(brush)[7](30, 20, 9);", id="the painting call is not seen"),
    ],
)
def test_what_ran_and_was_painted_by_the_brush_passes(source: str) -> None:
    assert codes(painted(source)) == []
    assert codes(painted(source, coverage=0.0, outcome=RenderOutcome.BLANK)) != []


def test_canvas_without_webgl_is_refuted_by_paint() -> None:
    source = GOOD.replace("createCanvas(", "canvasOf(createCanvas)(")
    assert codes(painted(source)) == []
    assert codes(failed(RenderOutcome.NO_CANVAS, source=source)) == ["not_webgl", "render_failed"]


def test_missing_setup_is_refuted_by_paint() -> None:
    source = "createCanvas(60, 40, WEBGL); brush.circle(30, 20, 9);"
    assert codes(painted(source)) == []
    assert codes(painted(source, painted_by_brush=0.0)) == ["missing_entry_points"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("fetch('x');", "external_access"),
        ("eval('x');", "dynamic_code"),
        ("text('x', 1, 2);", "text_label"),
        ("ellipse(1, 2, 3);", "bare_primitives"),
        ("brush.sparkle();", "unknown_brush_method"),
        ("createCanvas(6000, 6000, WEBGL);", "wrong_canvas"),
        ("canvas.toDataURL = () => 'data:';", "forged"),
    ],
)
def test_paint_does_not_excuse_what_a_sketch_must_not_do(body: str, code: str) -> None:
    assert codes(painted(f"{GOOD}\n{body}")) == [code]


@pytest.mark.parametrize(
    "outcome",
    [
        RenderOutcome.SYNTAX_ERROR,
        RenderOutcome.TIMED_OUT,
        RenderOutcome.CRASHED,
        RenderOutcome.NO_CANVAS,
        RenderOutcome.THREW,
    ],
)
def test_failed_render_carries_the_renderers_message(outcome: RenderOutcome) -> None:
    (result,) = score(failed(outcome, "ReferenceError: q\n  at draw", "later"))
    (violation,) = result.parts["violations"]
    assert violation["code"] == GateCode.RENDER_FAILED
    assert violation["message"].endswith(": ReferenceError: q at draw")


def test_failed_render_without_a_message_still_says_what_happened() -> None:
    (result,) = score(failed(RenderOutcome.TIMED_OUT))
    assert result.why == "render_failed: it did not come to an end"


def test_syntax_error_of_both_layers_names_the_line_first() -> None:
    (result,) = score(failed(RenderOutcome.SYNTAX_ERROR, "SyntaxError: Unexpected token", source=f"{GOOD}\nlet = ;"))
    assert result.why.startswith("syntax_error on line 3: ")
    assert [found["code"] for found in result.parts["violations"]] == ["syntax_error", "render_failed"]


def test_sketch_that_threw_after_painting_is_admitted() -> None:
    assert codes(painted(outcome=RenderOutcome.THREW, errors=("TypeError: x",))) == []
    assert codes(painted(outcome=RenderOutcome.THREW, coverage=0.0)) == ["render_failed"]


@pytest.mark.parametrize("outcome", [RenderOutcome.OK, RenderOutcome.BLANK])
def test_blank_canvas_fails(outcome: RenderOutcome) -> None:
    assert codes(painted(outcome=outcome, coverage=BLANK_COVERAGE / 2)) == ["blank_canvas"]
    assert codes(painted(coverage=BLANK_COVERAGE)) == []


def test_wash_over_the_whole_canvas_is_not_blank() -> None:
    assert codes(painted(coverage=1.0)) == []


def test_paint_that_the_brush_did_not_lay_is_forged() -> None:
    assert codes(painted(painted_by_brush=0.0)) == ["forged"]
    assert codes(painted(painted_by_brush=0.01)) == ["forged"]
    assert codes(painted(painted_by_brush=0.19)) == []
    assert codes(painted(painted_by_brush=None)) == []
    assert codes(painted(f"{SETUP}ellipse(1, 2, 3);", painted_by_brush=0.0)) == ["bare_primitives", "no_painting_calls"]


def test_other_canvas_asked_for_at_run_time_fails() -> None:
    source = GOOD.replace("60,40", "side(),side()") + "function side(){ return 20 }"
    assert codes(painted(source)) == []
    assert codes(painted(source, canvas=(20, 20))) == ["wrong_canvas"]
    assert codes(painted(source, pixels=np.zeros((80, 120, 3), np.uint8))) == []


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("I cannot paint.", ["no_sketch_in_response"]),
        (f"<think>\n```js\n{GOOD}\n```", ["no_sketch_in_response"]),
        (f"```js\n{GOOD}", ["truncated"]),
        (f"```js\n{GOOD[:-3]}", ["truncated"]),
        (f"```js\n{GOOD}\n```", []),
    ],
)
def test_fault_of_the_reply(reply: str, expected: list[str]) -> None:
    assert codes(painted(sketch=extract(reply))) == expected


def test_reply_without_a_sketch_that_was_never_rendered() -> None:
    assert codes(Painting(extract("no"), RenderOutcome.NO_SKETCH)) == ["no_sketch_in_response"]


def test_allowlist_decides_whether_a_real_method_fails_or_shows() -> None:
    painting = painted(f"{GOOD}\nbrush.line(1, 2, 3, 4);")
    (strict,), (lenient,) = score(painting), score(painting, strict_allowlist=False)
    assert (strict.value, strict.parts["notes"]) == (0.0, [])
    assert (lenient.value, lenient.parts["violations"]) == (1.0, [])
    assert lenient.parts["notes"] == strict.parts["violations"] != []
    assert codes(painted(f"{GOOD}\nbrush.sparkle();"), strict_allowlist=False) == ["unknown_brush_method"]


def test_our_own_failure_is_unscored() -> None:
    (result,) = score(failed(RenderOutcome.INFRA, "the browser would not start"))
    assert result == Score(None, "not judged: the browser would not start")


def test_picture_alone_is_unscored() -> None:
    (result,) = score(Painting(None, RenderOutcome.OK, pixels=PAPER, coverage=0.2))
    assert result.value is None
    assert GateTerm.needs_source


def test_explanation_names_the_first_and_counts_the_rest() -> None:
    violations = [Violation(GateCode.TEXT_LABEL, 4, "text() writes words"), Violation(GateCode.FORGED, None, "x")]
    assert explain(violations) == "text_label on line 4: text() writes words (and 1 more)"
    assert explain(violations[1:]) == "forged: x"


def test_hostile_messages_stay_on_one_line() -> None:
    (result,) = score(failed(RenderOutcome.THREW, "a\n\x1b[31m\u202eb" + "c" * 10_000))
    assert result.why.isprintable()
    assert len(result.why) < 400
