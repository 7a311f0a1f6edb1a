"""`watercolour render` on a real browser."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.cli.conftest import Run
from watercolour.painting import read_picture
from watercolour.render import backend
from watercolour.render.stages import STAGES

pytestmark = pytest.mark.browser

SKETCH = """function setup() { createCanvas(600, 600, WEBGL); noLoop(); }
function draw() {
  translate(-300, -300); background("#fbf6ee"); brush.noStroke(); brush.fillTexture(0.2, 0.4);
  brush.fill("#d8667b", 220); brush.circle(300, 300, 160, 0.2);
}
"""
REPLY = f"<think>A flower?</think>Here it is:\n\n```javascript\n{SKETCH}```\nEnjoy."


def test_png_beside_the_sketch_and_a_line_for_each(run: Run) -> None:
    Path("flower.js").write_text(SKETCH)
    Path("reply.md").write_text(REPLY)
    result = run("render", "flower.js", "reply.md", "--json")
    assert result.code == 0
    records = {record["sketch"]: record for record in map(json.loads, result.out.splitlines())}
    assert set(records) == {"flower.js", "reply.md"}
    flower, reply = records["flower.js"], records["reply.md"]
    assert (flower["outcome"], flower["png"], flower["errors"]) == ("ok", "flower.png", [])
    assert flower["sha256"] == reply["sha256"] == read_picture(Path("flower.png")).sha256
    assert 0.05 < flower["coverage"] < 0.5
    assert flower["seconds"] > 0
    assert flower["film"] is None
    assert "raster_s" not in flower["stages"]


def test_size_seed_out_and_stdin(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SKETCH.encode())))
    assert run("render", "-", "-o", "out/one.png", "--size", "300", "--seed", "3").code == 0
    assert Image.open("out/one.png").size == (300, 300)


def test_faults_are_told_and_end_with_1(run: Run) -> None:
    Path("good.js").write_text(SKETCH)
    Path("bad.js").write_text("function setup( {")
    Path("prose.md").write_text("I would paint a flower, but I cannot.")
    result = run("render", "good.js", "bad.js", "prose.md")
    assert result.code == 1
    assert "bad.js: syntax_error, no picture: SyntaxError" in result.out
    assert "prose.md: no_sketch, no picture" in result.out
    assert Path("good.png").exists()
    assert not Path("bad.png").exists()


def test_what_a_sketch_says_is_one_harmless_line(run: Run) -> None:
    Path("rude.js").write_text(r'throw new Error("\x1b[31mred\nout/x.png  ok\x07" + "x".repeat(9999));')
    result = run("render", "rude.js")
    assert result.code == 1
    assert result.out.count("\n") == 1
    assert result.out.rstrip("\n").isprintable()
    assert len(result.out) < 400


def test_one_picture_that_cannot_be_written_does_not_stop_the_others(run: Run) -> None:
    Path("out/a.png").mkdir(parents=True)
    for name in ("a.js", "b.js", "c.js"):
        Path(name).write_text(SKETCH)
    result = run("render", "a.js", "b.js", "c.js", "-o", "out", "--workers", "1")
    assert result.code == 2
    assert "out/a.png: cannot be written" in result.err
    assert Path("out/b.png").is_file()
    assert Path("out/c.png").is_file()


def test_no_browser_is_a_missing_prerequisite(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("flower.js").write_text(SKETCH)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(Path.cwd()))
    result = run("render", "flower.js")
    assert result.code == 3
    assert "no Chromium found: run `playwright install" in result.err
    monkeypatch.setenv("WATERCOLOUR_CHROMIUM", "/no/such/browser")
    assert run("render", "flower.js").code == 2


def test_trace_shows_stages_that_add_up(run: Run) -> None:
    Path("flower.js").write_text(SKETCH)
    Path("prose.md").write_text("I would paint a flower, but I cannot.")
    result = run("render", "flower.js", "prose.md", "--trace", "--json")
    records = {record["sketch"]: record for record in map(json.loads, result.out.splitlines())}
    stages = records["flower.js"]["stages"]
    total = stages.pop("total_s")
    assert sum(stages.values()) == pytest.approx(total, abs=0.002)
    assert min(stages["raster_s"], stages["composite_s"], stages["encode_s"]) > 0
    heading, *rows = [line.split() for line in result.err.splitlines()]
    assert heading == [*STAGES, "total", "seconds"]
    (row,) = (row for row in rows if row[-1] == "flower.js")
    assert float(row[heading.index("raster")]) == pytest.approx(stages["raster_s"], abs=0.001)
    (row,) = (row for row in rows if row[-1] == "prose.md")
    assert row[heading.index("raster")] == "-"


def test_film_beside_the_picture(run: Run) -> None:
    Path("flower.js").write_text(SKETCH)
    Path("blank.js").write_text('throw new Error("no");')
    result = run("render", "flower.js", "blank.js", "--film", "--json", "-o", "out")
    assert result.code == 1
    records = {record["sketch"]: record for record in map(json.loads, result.out.splitlines())}
    assert records["blank.js"]["film"] is None
    assert records["flower.js"]["film"] == "out/flower.mp4"
    assert Path("out/flower.mp4").read_bytes()[4:8] == b"ftyp"
    assert run("render", "flower.js", "--film-format", "webp").out.splitlines()[1] == "flower.webp"
    with Image.open("flower.webp") as film:
        assert (film.size, film.n_frames) == ((600, 600), records["flower.js"]["brush_fills"] + 1)
    assert read_picture(Path("flower.png")).sha256 == records["flower.js"]["sha256"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--gpu", "--backend", "wasm"], "--gpu is --backend gl: it does not go with --backend wasm"),
        (["--gpu", "--film"], "only backend wasm keeps a film"),
    ],
)
def test_options_that_do_not_go_together(run: Run, options: list[str], message: str) -> None:
    Path("flower.js").write_text(SKETCH)
    result = run("render", "flower.js", *options)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_no_gpu_is_a_missing_prerequisite_and_auto_does_without(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "gpus_here", list)
    Path("flower.js").write_text(SKETCH)
    result = run("render", "flower.js", "--gpu")
    assert (result.code, result.out) == (3, "")
    assert "backend gl needs a GPU: this machine shows none" in result.err
    assert run("render", "flower.js", "--backend", "auto").code == 0
