"""The record of who painted what: all of the brush's work counts, and nobody else's."""

from __future__ import annotations

import re

import pytest

from tests.render.conftest import Paint
from tests.render.test_fast import SKETCHES
from watercolour.render.fast import blend_shader
from watercolour.render.libraries import library_sources

pytestmark = pytest.mark.browser

WASH = 'brush.noStroke(); brush.wash("#197278", 150); brush.rect(-70, -70, 100, 100);'
P5_RECT = "noStroke(); fill(200, 60, 60); rect(-20, -20, 90, 90);"
START = 'createCanvas(160, 160, WEBGL); background("#f4efe6");'


@pytest.mark.parametrize("name", ["fill", "wash and stroke", "hatch", "clip", "transparent", "two passes", "density"])
def test_all_paint_of_the_brush_is_the_brushs(paint: Paint, name: str) -> None:
    painting = paint(SKETCHES[name])
    assert painting.painted_by_brush == painting.coverage > 0


def test_paint_of_others_is_not(paint: Paint) -> None:
    brush_alone = paint(f"function setup() {{ {START} {WASH} noLoop(); }}")
    p5_alone = paint(f"function setup() {{ {START} {P5_RECT} noLoop(); }}")
    brush_first = paint(f"function setup() {{ {START} {WASH} {P5_RECT} noLoop(); }}")
    p5_first = paint(f"function setup() {{ {START} {P5_RECT} {WASH} noLoop(); }}")
    assert p5_alone.painted_by_brush == 0.0
    assert brush_first.painted_by_brush == p5_first.painted_by_brush
    assert brush_first.painted_by_brush is not None
    assert 0 < brush_first.painted_by_brush == pytest.approx(brush_first.coverage - p5_alone.coverage)
    assert brush_first.coverage > brush_alone.coverage > brush_first.painted_by_brush


def test_clearing_begins_a_new_record(paint: Paint) -> None:
    painting = paint(f'function setup() {{ {START} {P5_RECT} background("#fff"); {WASH} noLoop(); }}')
    assert painting.painted_by_brush == painting.coverage > 0


def test_blend_shader_is_found_in_the_library() -> None:
    text = blend_shader(library_sources().brush)
    assert text.startswith("#version 300 es")
    assert re.search(r"\nvoid main\(void\)", text)
    with pytest.raises(ValueError, match="no blend shader"):
        blend_shader("export {}")
