"""`watercolour taste`: the report of a fitted taste on stdout, pictures where asked for, errors in one line."""

from __future__ import annotations

import json
from pathlib import Path

from PIL import Image

from tests.cli.conftest import Run


def test_show_prints_the_held_out_numbers_of_the_shipped_taste(run: Run) -> None:
    shown = run("taste", "show", "hibiscus")
    assert shown.code == 0
    for word in ("love over nope", "balanced accuracy", "majority", "coverage alone", "white paper", "mirror image"):
        assert word in shown.out
    record = json.loads(run("taste", "show", "hibiscus", "--json").out)
    assert record["report"]["pairs"]["love over nope"]["value"] >= 0.9
    assert len(record["rated"]) == sum(record["report"]["tiers"].values())


def test_show_writes_the_sheet_and_the_curve_as_png(run: Run) -> None:
    result = run("taste", "show", "hibiscus", "--json", "--sheet", "sheet.png", "--curve", "curve.png")
    assert result.code == 0
    assert json.loads(result.out)["pool"] == "hibiscus"
    for name in ("sheet.png", "curve.png"):
        with Image.open(name) as picture:
            assert picture.format == "PNG"
    refused = run("taste", "show", "hibiscus", "--curve", "curve.jpg")
    assert (refused.code, refused.out) == (2, "")


def test_mistakes_are_one_line_with_an_exit_code(run: Run) -> None:
    Path("rose").mkdir()
    Path("rose/pool.jsonl").write_text("")
    for arguments, code, says in (
        (("fit", "hibiskus"), 2, "did you mean 'hibiscus'"),
        (("fit", "hibiscus", "--encoder", "eye"), 2, "not one of efficientnet-lite0"),
        (("show", "rose"), 3, "watercolour taste fit"),
        (("fit", "rose"), 2, "holds no paintings"),
    ):
        result = run("taste", *arguments)
        assert result.code == code
        assert says in result.err
        assert result.out == ""
