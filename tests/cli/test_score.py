"""`watercolour score` on sketches, pictures and folders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_render import SKETCH

pytestmark = pytest.mark.browser


def test_folder_takes_a_picture_beside_its_sketch_once(run: Run) -> None:
    Path("work/sub").mkdir(parents=True)
    Path("work/flower.js").write_text(SKETCH)
    Path("work/broken.js").write_text("function setup() { ] }")
    assert run("render", "work/flower.js").code == 0
    Path("work/sub/alone.png").write_bytes(Path("work/flower.png").read_bytes())
    result = run("score", "work", "--json")
    assert result.code == 0
    records = {record["file"]: record for record in map(json.loads, result.out.splitlines())}
    assert set(records) == {"work/flower.js", "work/broken.js", "work/sub/alone.png"}
    flower, broken, alone = (records[f"work/{name}"] for name in ("flower.js", "broken.js", "sub/alone.png"))
    assert flower["terms"]["gate"]["value"] == 1
    assert flower["total"] == pytest.approx(
        0.05
        + 0.05 * flower["terms"]["length"]["value"]
        + 0.2 * flower["terms"]["subject"]["value"]
        + 0.7 * flower["terms"]["taste"]["value"]
    )
    assert broken["total"] == 0
    assert broken["terms"]["gate"]["parts"]["violations"][0]["code"] == "syntax_error"
    assert alone["left_out"] == ["gate", "length"]
    assert alone["coverage"] == pytest.approx(flower["coverage"], abs=1e-4)
    looked_at = 0.2 * flower["terms"]["subject"]["value"] + 0.7 * flower["terms"]["taste"]["value"]
    assert alone["total"] == pytest.approx(looked_at, abs=1e-3)


def test_one_sketch_is_shown_term_by_term_with_its_reasons(run: Run) -> None:
    Path("text.js").write_text(SKETCH.replace("noLoop();", "noLoop(); text('rose', 0, 0);", 1))
    result = run("score", "text.js")
    assert "text.js: " in result.out
    assert "taste" in result.out
    assert "line 1" in result.out
    table = run("score", "text.js", "text.js")
    assert table.out.count("text.js") >= 2


def test_picture_alone_says_what_is_left_out(run: Run) -> None:
    Path("flower.js").write_text(SKETCH)
    run("render", "flower.js")
    result = run("score", "flower.png")
    assert result.out.count("left out: a picture alone has no source") == 2
    assert result.code == 0
