"""Whatever a page reports, a Painting comes of it."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from watercolour.painting import RenderOutcome
from watercolour.render.report import painting_of, parse_report
from watercolour.sketch import Sketch

SKETCH = Sketch("x")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)
KEYS = ["outcome", "errors", "asked", "paper", "brushMarks", "picture", "sketch_ms", "read_ms"]
PICTURE = st.dictionaries(st.sampled_from(["kind", "width", "height", "base64"]), VALUES)


def report(rgba: np.ndarray, **changes: object) -> dict[str, object]:
    height, width, _ = rgba.shape
    picture = {"kind": "webgl2", "width": width, "height": height, "base64": base64.b64encode(rgba.tobytes()).decode()}
    return {"outcome": "ok", "errors": [], "picture": picture, "paper": [1, 1, 1, 1], "brushMarks": 4} | changes


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, VALUES) | {"picture": PICTURE | VALUES}))
def test_any_report_gives_a_painting(given_report: dict[str, object]) -> None:
    assert painting_of(given_report, SKETCH, 1).outcome in RenderOutcome


@given(st.text() | VALUES.map(json.dumps))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(parse_report(text), dict)


def test_picture_is_turned_upright_and_laid_on_its_paper() -> None:
    rgba = np.zeros((2, 3, 4), np.uint8)
    rgba[0] = (100, 0, 0, 200)  # premultiplied, and WebGL's first row is the lowest
    rgba[1] = (255, 255, 255, 255)
    painting = painting_of(report(rgba, paper=None), SKETCH, 1)
    assert painting.pixels is not None
    assert (painting.pixels[0] == 255).all()
    assert painting.pixels[1, 0].tolist() == pytest.approx([100 + 55, 55, 55], abs=1)
    assert painting.coverage == 0.5
    assert painting.brush_fills == 4


def test_paint_that_the_record_gives_to_the_brush_counts() -> None:
    rgba = np.full((2, 5, 4), 255, np.uint8)
    rgba[:, 1:4, 0] = 0
    bits = np.packbits([[0, 1, 1, 0, 0], [1, 0, 0, 0, 0]])  # the top row first; the first of the lower row is bare
    recorded = report(rgba)
    recorded["picture"]["brush"] = base64.b64encode(bits.tobytes()).decode()  # type: ignore[index]
    painting = painting_of(recorded, SKETCH, 1)
    assert (painting.coverage, painting.painted_by_brush) == (0.6, 0.2)
    assert painting_of(report(rgba), SKETCH, 1).painted_by_brush is None
    flat = report(rgba)
    flat["picture"]["kind"] = "2d"  # type: ignore[index]
    assert painting_of(flat, SKETCH, 1).painted_by_brush == 0.0


def test_paper_is_the_clear_colour_on_white() -> None:
    rgba = np.full((2, 2, 4), 255, np.uint8)
    assert painting_of(report(rgba, paper=[0.5, 0.25, 0, 1]), SKETCH, 1).paper == (128, 64, 0)
    assert painting_of(report(rgba, paper=[0, 0, 0, 0]), SKETCH, 1).paper == (255, 255, 255)


def test_picture_of_the_wrong_length_is_a_crash_not_an_error() -> None:
    broken = report(np.zeros((2, 2, 4), np.uint8))
    broken["picture"]["height"] = 3  # type: ignore[index]
    painting = painting_of(broken, SKETCH, 1)
    assert painting.outcome == RenderOutcome.CRASHED
    assert "unreadable report" in painting.errors[0]
