"""The command line, and small pools to break."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import in_an_empty_folder, run

__all__ = ["in_an_empty_folder", "run"]

SKETCH = """function setup() { createCanvas(600, 600, WEBGL); noLoop(); }
function draw() { background("#fff"); brush.noStroke(); brush.fill("#d04070", 220); brush.circle(X, 0, 150, 0.1); }
"""

Put = Callable[..., Path]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Writes the source of a disc, or any other, into a pool of the hibiscus medium."""

    def put(name: str, x: int = 0, source: str = SKETCH) -> Path:
        path = tmp_path / "hibiscus" / f"{name}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source.replace("X", str(x)))
        return path

    return put
