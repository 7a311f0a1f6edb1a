"""Painting a pool again: what its index says of each painting."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from scripts.render_pool import render_pool
from watercolour.medium import load_medium
from watercolour.painting import read_picture

SKETCH = """function setup() { createCanvas(600, 600, WEBGL); noLoop(); }
function draw() { background("#fff"); brush.noStroke(); brush.fill("#d04070", 220); brush.circle(0, 0, 150); }
"""


@pytest.mark.browser
def test_line_says_what_painted_it(tmp_path: Path) -> None:
    (tmp_path / "love").mkdir()
    (tmp_path / "love" / "coral-disc.js").write_text(SKETCH)
    (line,) = asyncio.run(render_pool(tmp_path, load_medium("hibiscus")))
    assert (line["backend"], line["p5.brush"], line["subject"]) == ("wasm", "2.2.2", "a coral hibiscus")
    assert read_picture(tmp_path / line["file"]).sha256 == line["sha256"]
