"""Rated candidates become a pool that verifies, whole or not at all, with nothing of an old one left in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.made_candidates import make_candidates, rate
from watercolour.curate import pack as packing
from watercolour.curate.candidates import read_candidates
from watercolour.references import Tier, read_pool

FOLDER, POOL = Path("candidates"), Path("mine")


@pytest.fixture
def tiers(in_an_empty_folder: None) -> dict[str, Tier]:
    """Six candidates, all rated."""
    tiers = make_candidates(FOLDER)
    rate(FOLDER, tiers)
    return tiers


def files() -> set[str]:
    return {path.relative_to(POOL).as_posix() for path in POOL.rglob("*") if path.is_file()}


def change(edit: Callable[[list[dict[str, Any]]], None]) -> None:
    index = FOLDER / "candidates.jsonl"
    lines = [json.loads(line) for line in index.read_text().splitlines()]
    edit(lines)
    index.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def test_a_packed_pool_verifies(run: Run, tiers: dict[str, Tier]) -> None:
    result = run("pool", "pack", FOLDER, "-o", POOL)
    assert result.code == 0, result.err
    assert result.out == "mine: 6 paintings: 2 love, 2 okay, 2 nope\n"
    verified = run("pool", "verify", POOL, "--no-render")
    assert verified.code == 0, verified.out
    references = {reference.name.rpartition("-")[2]: reference for reference in read_pool(POOL)}
    assert {name: reference.tier for name, reference in references.items()} == tiers
    assert references["c00"].name == "coral-hibiscus-c00"
    assert len(files()) == 14  # six pictures, six sources, index and README
    page = (POOL / "README.md").read_text()
    assert "| **6 in all** | 2 | 2 | 2 |" in page and "- Apache-2.0: 6" in page


def test_photographs_keep_their_authors_and_their_share_alike(run: Run, in_an_empty_folder: None) -> None:
    photo = {
        "photo": "inaturalist-1",
        "photo_licence": "CC-BY-SA-4.0",
        "photo_attribution": "(c) An [odd] name",
        "photo_url": "https://www.inaturalist.org/observations/1",
    }
    rate(FOLDER, make_candidates(FOLDER, 1, **photo))
    assert run("pool", "pack", FOLDER, "-o", POOL, "--licence", "CC0-1.0").code == 0
    [line, *_] = [json.loads(text) for text in (POOL / "pool.jsonl").read_text().splitlines()]
    assert {key: line[key] for key in photo} == photo
    assert line["licence"] == "CC-BY-SA-4.0"
    assert "(c) An \\[odd\\] name, CC-BY-SA-4.0: <https://" in (POOL / "README.md").read_text()
    assert run("pool", "verify", POOL, "--no-render").code == 0
    assert run("pool", "pack", FOLDER, "-o", "other", "--licence", "WTFPL").code == 2


def test_what_is_unrated_has_to_be_left_out_on_purpose(run: Run, in_an_empty_folder: None) -> None:
    tiers = make_candidates(FOLDER)
    assert "nothing is rated yet" in run("pool", "pack", FOLDER, "-o", POOL).err
    rate(FOLDER, {name: tiers[name] for name in ("c00", "c05")})
    refused = run("pool", "pack", FOLDER, "-o", POOL)
    assert refused.code == 2 and "4 of 6 candidates are unrated" in refused.err
    assert not POOL.exists()
    packed = run("pool", "pack", FOLDER, "-o", POOL, "--skip-unrated", "--json")
    assert json.loads(packed.out)["tiers"] == {"love": 1, "okay": 0, "nope": 1}
    assert json.loads(packed.out)["left_out"] == dict.fromkeys(("c01", "c02", "c03", "c04"), "unrated")


def test_one_picture_twice_is_packed_once_or_settled_by_a_person(run: Run, tiers: dict[str, Tier]) -> None:
    def twice(lines: list[dict[str, Any]]) -> None:
        lines.append({**lines[0], "id": "c99"})

    change(twice)
    rate(FOLDER, {"c99": tiers["c00"]})
    packed = run("pool", "pack", FOLDER, "-o", POOL)
    assert packed.code == 0 and "c99: the same picture as c00" in packed.err
    rate(FOLDER, {"c99": Tier.NOPE})
    refused = run("pool", "pack", FOLDER, "-o", "other")
    assert refused.code == 2
    assert f"c00 ({tiers['c00']}) and c99 (nope)" in refused.err


def test_a_pool_gives_way_as_a_whole_and_when_told_to(run: Run, tiers: dict[str, Tier]) -> None:
    run("pool", "pack", FOLDER, "-o", POOL)
    (POOL / "README.md").write_text("# What I love\n")
    (POOL / "taste").mkdir()
    rate(FOLDER, {"c00": Tier.NOPE})
    refused = run("pool", "pack", FOLDER, "-o", POOL)
    assert refused.code == 2 and "--replace" in refused.err
    packed = run("pool", "pack", FOLDER, "-o", POOL, "--replace")
    assert packed.code == 0 and "dropped   taste" in packed.err
    assert "nope/coral-hibiscus-c00.js" in files() and "love/coral-hibiscus-c00.js" not in files()
    assert (POOL / "README.md").read_text() == "# What I love\n"
    assert run("pool", "verify", POOL, "--no-render").code == 0
    assert sorted(path.name for path in Path().iterdir()) == ["candidates", "mine"]
    (POOL / "notes.txt").write_text("mine")
    assert "notes.txt, which packing would lose" in run("pool", "pack", FOLDER, "-o", POOL, "--replace").err
    Path("full").mkdir()
    Path("full/letter.txt").write_text("mine")
    assert run("pool", "pack", FOLDER, "-o", "full", "--replace").code == 2


def test_a_disk_that_fails_leaves_the_old_pool(
    run: Run, tiers: dict[str, Tier], monkeypatch: pytest.MonkeyPatch
) -> None:
    run("pool", "pack", FOLDER, "-o", POOL)
    before = {name: (POOL / name).read_bytes() for name in files()}

    def fails(scratch: Path, final: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(packing, "publish_folder", fails)
    rate(FOLDER, {"c00": Tier.NOPE})
    result = run("pool", "pack", FOLDER, "-o", POOL, "--replace")
    assert result.code == 1 and "free some space" in result.err
    assert {name: (POOL / name).read_bytes() for name in files()} == before
    assert sorted(path.name for path in Path().iterdir()) == ["candidates", "mine"]


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda lines: lines[0].update(sha256="0" * 64), "is another picture than the one that was rated"),
        (lambda lines: lines[0].update(medium="animals"), "several media (animals, hibiscus)"),
        (lambda lines: lines[0].update(browser=None), "c00: browser"),
        (lambda lines: lines[0].update(photo="p", photo_licence="CC-BY-NC-4.0"), "photo_licence 'CC-BY-NC-4.0'"),
        (lambda lines: lines[0].update(image="../secret.png"), "lies outside the folder"),
        (lambda lines: lines[0].update(source="sources/none.js"), "sources/none.js is missing"),
        (lambda lines: lines[0].pop("subject"), "lacks subject"),
        (lambda lines: lines[0].update(id="a/b"), "id string should match"),
    ],
)
def test_a_line_that_is_wrong_is_named(
    run: Run, in_an_empty_folder: None, edit: Callable[[list[dict[str, Any]]], None], told: str
) -> None:
    rate(FOLDER, make_candidates(FOLDER, 1))
    change(edit)
    result = run("pool", "pack", FOLDER, "-o", POOL, "--skip-unrated")
    assert result.code == 2 and told in result.err
    assert not POOL.exists()


def test_of_several_raters_one_is_chosen(run: Run, tiers: dict[str, Tier]) -> None:
    rate(FOLDER, dict.fromkeys(tiers, Tier.LOVE), rater="you")
    assert "--rater" in run("pool", "pack", FOLDER, "-o", POOL).err
    assert (
        run("pool", "pack", FOLDER, "-o", POOL, "--rater", "you").out == "mine: 6 paintings: 6 love, 0 okay, 0 nope\n"
    )


def test_a_torn_last_line_is_left_out_and_a_later_one_counts(tiers: dict[str, Tier]) -> None:
    change(lambda lines: lines.append({**lines[0], "generator": "another"}))
    with (FOLDER / "candidates.jsonl").open("a") as index:
        index.write('{"id": "c')
    assert {each.id: each.generator for each in read_candidates(FOLDER)}["c00"] == "another"
    assert len(read_candidates(FOLDER)) == 6
