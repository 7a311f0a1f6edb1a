"""What a page reports of its sketch, as a Painting."""

from __future__ import annotations

import base64
import contextlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from watercolour.painting import BLANK_COVERAGE, Painting, RenderOutcome, find_paint, flatten
from watercolour.render.film import film_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from watercolour.sketch import Sketch

_OUTCOMES = {
    "ok": RenderOutcome.OK,
    "threw": RenderOutcome.THREW,
    "syntax_error": RenderOutcome.SYNTAX_ERROR,
    "no_canvas": RenderOutcome.NO_CANVAS,
    "timed_out": RenderOutcome.TIMED_OUT,
    "crashed": RenderOutcome.CRASHED,
    "context_lost": RenderOutcome.CRASHED,
}


def parse_report(text: str) -> dict[str, Any]:
    """A page's report from its JSON; what is none counts as a crash."""
    with contextlib.suppress(ValueError, RecursionError):
        if isinstance(report := json.loads(text), dict):
            return report
    return {"outcome": "crashed", "errors": ["the page's report could not be read"]}


def painting_of(report: dict[str, Any], sketch: Sketch, seed: int) -> Painting:
    """The Painting that a page's report tells of. A report that makes no sense counts as a crash, never as an error."""
    try:
        return _read(report, sketch, seed)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, ArithmeticError) as error:
        return Painting(sketch, RenderOutcome.CRASHED, errors=(f"unreadable report: {error}",), seed=seed)


def _read(reply: dict[str, Any], sketch: Sketch, seed: int) -> Painting:
    errors = tuple(str(error) for error in reply.get("errors", ()))
    outcome = _OUTCOMES.get(str(reply.get("outcome")), RenderOutcome.CRASHED)
    clocked = {f"{stage}_s": float(ms) / 1000 for stage, ms in (reply.get("stages_ms") or {}).items()}
    stages = {
        "sketch_s": float(reply.get("sketch_ms", 0)) / 1000 - sum(clocked.values()),
        **clocked,
        "read_s": float(reply.get("read_ms", 0)) / 1000,
    }
    base = Painting(sketch, outcome, errors=errors, seed=seed, stages=stages)
    picture = reply.get("picture")
    if outcome not in (RenderOutcome.OK, RenderOutcome.THREW):
        return base
    if picture is None:
        return replace(base, outcome=RenderOutcome.NO_CANVAS if outcome is RenderOutcome.OK else outcome)
    pixels = flatten(_decode(picture))
    if pixels.size == 0:  # a canvas whose context was lost has no size
        return base
    paper = _paper(reply.get("paper"))
    paint = find_paint(pixels, paper)
    coverage = float(paint.mean())
    if outcome is RenderOutcome.OK and coverage < BLANK_COVERAGE:
        outcome = RenderOutcome.BLANK
    asked = reply.get("asked")
    return replace(
        base,
        outcome=outcome,
        pixels=pixels,
        paper=paper,
        coverage=coverage,
        canvas=(asked[0], asked[1]) if asked else None,
        painted_by_brush=_share_of_brush(picture, paint),
        brush_fills=int(reply["brushMarks"]),
        film=film_of(reply.get("frames", ())),
    )


def _decode(picture: dict[str, Any]) -> NDArray[np.uint8]:
    """The page's picture as straight-alpha (H, W, 4), top row first."""
    height, width = int(picture["height"]), int(picture["width"])
    rgba = np.frombuffer(base64.b64decode(picture["base64"]), np.uint8).reshape(height, width, 4)
    if picture["kind"] == "2d":
        return rgba
    rgba = rgba[::-1]
    alpha = rgba[..., 3:].astype(np.uint16)
    if np.all(alpha == 255):
        return rgba
    # WebGL keeps its colours premultiplied.
    colour = (rgba[..., :3].astype(np.uint16) * 255 + alpha // 2) // np.maximum(alpha, 1)
    return np.concatenate([np.minimum(colour, 255), alpha], axis=2).astype(np.uint8)


def _share_of_brush(picture: dict[str, Any], paint: NDArray[np.bool_]) -> float | None:
    """The share of pixels, 0..1, that carry paint which is the brush's alone; None where there is no record of it."""
    if picture["kind"] == "2d":
        return 0.0
    if picture.get("brush") is None:
        return None
    bits = np.frombuffer(base64.b64decode(picture["brush"]), np.uint8)
    by_brush = np.unpackbits(bits)[: paint.size].reshape(paint.shape)
    return float(np.mean(paint & (by_brush == 1)))


def _paper(clear_colour: list[float] | None) -> tuple[int, int, int]:
    """The RGB of the bare paper from a premultiplied clear colour, 0..1 each; white where the canvas is transparent."""
    if clear_colour is None:
        return (255, 255, 255)
    red, green, blue, alpha = (float(value) for value in clear_colour)
    return tuple(round(255 * min(1.0, value + 1 - alpha)) for value in (red, green, blue))  # type: ignore[return-value]
