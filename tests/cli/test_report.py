"""`watercolour report`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.made_run import make_run

CURVES = Path(__file__).parents[1] / "data" / "curves"


def test_page_and_json(run: Run) -> None:
    make_run(Path("runs/first"))
    made = run("report", "first")
    assert (made.code, made.out) == (0, "report.html\n"), made.err
    assert Path("report.html").read_text().startswith("<!doctype html>")
    Path("report.html").unlink()
    shown = run("report", "first", CURVES / "curve-hps-led.csv", "--json")
    assert shown.code == 0, shown.err
    found = json.loads(shown.out)
    assert [each["source"] for each in found["runs"]] == ["run", "curve"]
    assert not Path("report.html").exists()
    assert run("report", "first", "--json", "-o", "there/page.html").code == 0
    assert Path("there/page.html").is_file()


def test_prices_are_counted(run: Run) -> None:
    found = json.loads(run("report", CURVES / "curve-hps-only.csv", "--usd-per-hour", "2", "--json").out)
    cost = found["runs"][0]["sections"]["cost"]
    assert cost["usd"] == pytest.approx(2 * cost["wall_hours"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nobody",), "no run 'nobody'"),
        (("missing.csv",), "missing.csv: cannot be read as a curve"),
        (("runs/first", "--out", "."), "is a folder"),
        (("runs/first", "--encoder", "nothing"), "encoder 'nothing': not one of"),
    ],
)
def test_what_a_person_got_wrong_is_said_in_a_line(run: Run, arguments: tuple[str, ...], words: str) -> None:
    make_run(Path("runs/first"), steps=1)
    result = run("report", *arguments)
    assert result.code == 2
    assert words in result.err
    assert len(result.err.splitlines()) == 1


def test_a_run_that_cannot_be_read_names_the_line(run: Run) -> None:
    made = make_run(Path("runs/first"), steps=1)
    made.metrics_path.write_text('{"step": "one"}\n{"step": 2}\n')
    result = run("report", "first")
    assert result.code == 1
    assert "metrics.jsonl:1" in result.err
    shutil.rmtree("runs")
