"""The contact sheet of a pool: what it shows and where, and what it says when it cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image, ImageFont

from tests.cli.conftest import Run
from watercolour.curate.balance import balance_of
from watercolour.curate.sheet import MARGIN_PX, contact_sheet, wrap
from watercolour.errors import ConfigError
from watercolour.references import Reference, Tier, read_pool

RED, BLUE = (200, 30, 30), (30, 30, 200)


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    """Seven red paintings of tier love and a wide blue one of tier nope, the latter listed first."""
    folder = tmp_path / "pool"
    lines = []
    for tier, count, size, colour in (("nope", 1, (600, 300), BLUE), ("love", 7, (600, 600), RED)):
        (folder / tier).mkdir(parents=True)
        for index in range(count):
            name = f"{tier}/peach-{index}"
            Image.new("RGB", size, colour).save(folder / f"{name}.png")
            (folder / f"{name}.js").write_text("")
            facts = {"tier": tier, "subject": "a peach hibiscus", "sha256": "0", "coverage": 0.5}
            lines.append({"file": f"{name}.png", "source": f"{name}.js", **facts})
    (folder / "pool.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder


def test_tiers_come_in_order_each_in_rows_of_its_own(pool: Path) -> None:
    sheet = contact_sheet(read_pool(pool), columns=3, thumb_px=50)
    left = [sheet.getpixel((MARGIN_PX + 2, y)) for y in range(sheet.height)]
    assert left.count(RED) == 3 * 50
    assert left.count(BLUE) == 25
    assert left.index(BLUE) > left.index(RED)
    last_red_row = [sheet.getpixel((x, left.index(RED) + 2 * (left.count(RED) // 3) + 100)) for x in range(sheet.width)]
    assert BLUE not in last_red_row
    edges = [(0, 0), (sheet.width - 1, 0), (0, sheet.height - 1), (sheet.width - 1, sheet.height - 1)]
    assert {sheet.getpixel(corner) for corner in edges} == {(255, 255, 255)}


def test_one_tier_alone(run: Run, pool: Path, tmp_path: Path) -> None:
    out = tmp_path / "sheet.png"
    result = run("pool", "show", pool, out, "--tier", "nope")
    assert (result.code, result.out) == (0, "")
    with Image.open(out) as sheet:
        colours = {colour for _, colour in sheet.convert("RGB").getcolors(1 << 20) or []}
    assert BLUE in colours
    assert RED not in colours
    assert f"{out} shows 1 of the pool's paintings" in result.err


def test_what_cannot_be_shown_is_said(run: Run, pool: Path, tmp_path: Path) -> None:
    out = tmp_path / "sheet.png"

    def fails(code: int, message: str, *arguments: object) -> None:
        result = run("pool", "show", *arguments)
        assert (result.code, result.out, result.err.count("\n")) == (code, "", 1)
        assert message in result.err

    fails(2, "holds no painting of tier okay", pool, out, "--tier", "okay")
    fails(2, "--tier fine: is not one of love, okay, nope", pool, out, "--tier", "fine")
    fails(2, "pool.jsonl", tmp_path, out)
    fails(1, "cannot be written", pool, tmp_path / "nowhere/sheet.png")
    (pool / "love/peach-3.png").write_bytes(b"not a picture")
    fails(2, "peach-3.png: is not a picture", pool, out)
    assert not out.exists()
    with pytest.raises(ConfigError, match="no painting"):
        contact_sheet([])


@pytest.mark.parametrize(
    "name", ["short", "magenta-almost-okay-eye-beside-the-petals", "a-" * 60 + "z", "x" * 90, "-", ""]
)
def test_names_are_broken_to_fit(name: str) -> None:
    font = ImageFont.load_default(13)
    lines = wrap(name, font, 200)
    assert 1 <= len(lines) <= 2
    assert all(font.getlength(line) <= 200 for line in lines)
    assert "".join(lines) == name or lines[-1].endswith("...")


def test_the_balance_and_the_histogram(run: Run, in_an_empty_folder: None) -> None:
    shown = run("pool", "show", "hibiscus")
    assert shown.code == 0
    assert "a coral hibiscus" in shown.out and "in all" in shown.out and "median" in shown.out
    record = json.loads(run("pool", "show", "hibiscus", "--json").out)
    assert sum(record["tiers"].values()) == record["paintings"]
    for tier, told in record["coverage"].items():
        assert sum(told["tenths"]) == record["tiers"][tier]
        assert sum(counts[tier] for counts in record["subjects"].values()) == record["tiers"][tier]
    love = json.loads(run("pool", "show", "hibiscus", "--tier", "love", "--json").out)
    assert love["tiers"] == {"love": record["tiers"]["love"], "okay": 0, "nope": 0}
    assert love["coverage"]["okay"]["median"] is None


def test_a_picture_covered_in_full_is_in_the_last_tenth(tmp_path: Path) -> None:
    def reference(coverage: float) -> Reference:
        return Reference("a", Tier.LOVE, "a cat", tmp_path, tmp_path, "0" * 64, coverage, {})

    balance = balance_of([reference(0.0), reference(0.0999), reference(0.1), reference(1.0)])
    assert balance.coverage[Tier.LOVE] == [2, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    assert balance.medians == {Tier.LOVE: 0.09995}
