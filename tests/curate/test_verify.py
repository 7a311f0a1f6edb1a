"""`watercolour pool verify`: both shipped pools hold, and every way in which a pool can be wrong is told."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.cli.conftest import Run
from tests.curate.conftest import Put
from watercolour.curate.line import PHOTO_LICENCES, Line
from watercolour.curate.render import PoolPainter, hash_source
from watercolour.curate.verify import Report, Verifier
from watercolour.medium import load_medium
from watercolour.painting import read_picture
from watercolour.shipped import find_pool

POOLS = ("animals", "hibiscus")
SAMPLE = 8
"""How many of all shipped paintings are painted again here; `make verify` paints all."""

Facts = dict[str, Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of eight of the shipped animals, four of each of the tiers that a judge draws from."""
    shipped = find_pool("animals")
    copy = tmp_path / "animals"
    kept = []
    for tier in ("love", "okay"):
        (copy / tier).mkdir(parents=True)
        of_tier = [line for line in read(shipped) if line["tier"] == tier]
        for line in of_tier[:4]:
            for key in ("file", "source"):
                shutil.copyfile(shipped / line[key], copy / line[key])
            kept.append(line)
    write(copy, kept)
    return copy


def read(folder: Path) -> list[Facts]:
    return [json.loads(line) for line in (folder / "pool.jsonl").read_text().splitlines()]


def write(folder: Path, lines: list[Facts]) -> None:
    (folder / "pool.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def change(folder: Path, number: int, **facts: object) -> Facts:
    lines = read(folder)
    lines[number] |= facts
    write(folder, lines)
    return lines[number]


def check(folder: Path) -> Report:
    verifier = Verifier(folder, load_medium("animals"))
    verifier.check_files()
    asyncio.run(verifier.check_sources())
    return verifier.report


def faults(folder: Path) -> list[str]:
    return list(map(str, check(folder).faults))


@pytest.mark.browser
def test_shipped_pools_hold() -> None:
    """All files of both, and a sample that is the same in every run, painted again."""
    everything = [(name, line["source"]) for name in POOLS for line in read(find_pool(name))]
    sample = random.Random(5).sample(everything, SAMPLE)
    assert {name for name, _ in sample} == set(POOLS)
    for name in POOLS:
        verifier = Verifier(find_pool(name), load_medium(name))
        verifier.check_files()
        chosen = {source for pool, source in sample if pool == name}
        asyncio.run(verifier.check_renders(only=chosen))
        asyncio.run(verifier.check_sources())
        report = verifier.report
        assert (report.faults, report.unrendered, report.warnings) == ([], [], [])
        assert report.rendered == len(chosen)
        assert report.paintings == len(read(find_pool(name)))


def test_a_whole_copy_has_no_fault(run: Run, folder: Path) -> None:
    result = run("pool", "verify", folder, "--no-render")
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[-1] == "8 paintings, none painted again: no fault"
    report = json.loads(run("pool", "verify", folder, "--no-render", "--json").out)
    assert (report["medium"], report["paintings"], report["rendered"], report["faults"]) == ("animals", 8, 0, [])
    assert sum(report["counts"]["love"].values()) == 4


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"sha256": "0" * 64}, "love/bee-amber-hovering.png: is another picture than its line says (sha256 00000000"),
        ({"sha256": "0"}, "pool.jsonl:1: sha256 string should match pattern"),
        ({"source_sha256": "0" * 64}, "hovering.js: is not the source that its picture was painted from; `watercolour"),
        ({"licence": "GPL-3.0-only"}, "licence 'GPL-3.0-only' is not one of Apache-2.0, CC-BY-4.0, "),
        ({"licence": None}, "pool.jsonl:1: licence input should be a valid string"),
        ({"tier": "nope"}, "do not lie at nope/NAME.js and nope/NAME.png"),
        ({"tier": "adore"}, "pool.jsonl:1: tier 'adore' is not one of love, okay, nope"),
        ({"medium": "hibiscus"}, "pool.jsonl:1: is of medium hibiscus, and the pool of animals"),
        ({"size": [300, 300]}, "pool.jsonl:1: size is 300 x 300, and the medium's 600 x 600"),
        ({"source": "love/gone.js"}, "pool.jsonl:1: love/gone.js is missing"),
        ({"source": "../../secret.js"}, "pool.jsonl:1: ../../secret.js lies outside the pool"),
        ({"file": "/etc/hostname"}, "pool.jsonl:1: /etc/hostname lies outside the pool"),
        ({"file": "\0"}, "cannot be a file's name"),
        ({"hpsv3_mu": "high"}, "hpsv3_mu input should be a valid number"),
        ({"round": -1}, "round input should be greater than or equal to 0"),
    ],
)
def test_wrong_line(folder: Path, facts: Facts, message: str) -> None:
    change(folder, 0, **facts)
    assert any(message in fault for fault in faults(folder)), faults(folder)


def test_missing_keys_are_named_with_what_writes_them(folder: Path) -> None:
    lines = read(folder)
    del lines[2]["photo_url"], lines[2]["p5.brush"]
    write(folder, lines)
    [fault] = faults(folder)
    assert fault.startswith("pool.jsonl:3: lacks photo_url, p5.brush; `watercolour pool render ")


PHOTO = {
    "photo": "Bee at rest",
    "photo_licence": "CC-BY-SA-4.0",
    "photo_attribution": "a person",
    "photo_url": "https://example.org/bee",
}


@pytest.mark.parametrize(
    ("facts", "messages"),
    [
        (PHOTO, []),
        (PHOTO | {"photo_licence": "CC-BY-NC-4.0"}, ["photo_licence 'CC-BY-NC-4.0' is not one of CC-BY-2.0"]),
        (PHOTO | {"photo_licence": None, "photo_url": None}, ["photo_licence None is not", "photo_url is missing"]),
        (PHOTO | {"photo_attribution": " "}, ["photo_attribution is missing"]),
        (PHOTO | {"photo": None, "photo_url": None}, ["photo_licence and photo_attribution without a photo"]),
    ],
)
def test_photo_needs_licence_attribution_and_address(folder: Path, facts: Facts, messages: list[str]) -> None:
    change(folder, 0, **facts)
    found = faults(folder)
    assert len(found) == len(messages)
    assert all(message in fault for message, fault in zip(messages, found, strict=True))


def test_photo_licences_are_free_ones() -> None:
    assert "CC0-1.0" in PHOTO_LICENCES
    assert not any("NC" in name or "ND" in name for name in PHOTO_LICENCES)


def test_files_that_are_wrong(folder: Path) -> None:
    names = [line["file"] for line in read(folder)]
    (folder / names[0]).write_bytes(b"\x89PNG\r\n\x1a\nno")
    whole = (folder / names[1]).read_bytes()
    (folder / names[1]).write_bytes(whole[: len(whole) // 2])
    pixels = np.array(Image.open(folder / names[2]).convert("RGB"))
    pixels[0, 0, 0] ^= 1
    Image.fromarray(pixels).save(folder / names[2])
    (folder / names[3]).unlink()
    source = folder / read(folder)[4]["source"]
    source.write_text(source.read_text() + "\nfetch('https://example.org');\n")
    found = faults(folder)
    for name in names[:2]:
        assert any(fault.startswith(f"{name}: not a readable picture") for fault in found)
    assert any(fault.startswith(f"{names[2]}: is another picture than its line says") for fault in found)
    assert f"pool.jsonl:4: {names[3]} is missing" in found
    assert any("does not pass the gate: external_access" in fault for fault in found)
    assert any("is not the source that its picture was painted from" in fault for fault in found)


def test_torn_and_foreign_lines(folder: Path) -> None:
    index = folder / "pool.jsonl"
    whole = index.read_text().splitlines()
    index.write_text("\n".join([*whole[:2], "[]", *whole[2:7], whole[7][:40]]))
    found = faults(folder)
    assert any(fault.startswith("pool.jsonl:3: is not a JSON object; `watercolour pool render") for fault in found)
    assert any(fault.startswith("pool.jsonl:9: is torn; `watercolour pool render") for fault in found)
    assert sum("is not in the index" in fault for fault in found) == 2
    index.write_text("\n".join([*whole, whole[0]]))
    [fault] = faults(folder)
    assert fault.startswith("pool.jsonl:9: love/bee-amber-hovering.js is listed twice, first at pool.jsonl:1")


def test_links_are_told(folder: Path) -> None:
    line = read(folder)[0]
    picture = folder / line["file"]
    inside = picture.with_name("elsewhere.png")
    picture.rename(inside)
    picture.symlink_to(inside.name)
    assert f"pool.jsonl:1: {line['file']} is a symbolic link; a pool holds its files themselves" in faults(folder)
    picture.unlink()
    outside = folder.parent / "outside.png"
    inside.rename(outside)
    picture.symlink_to(outside)
    assert f"pool.jsonl:1: {line['file']} lies outside the pool" in faults(folder)


def test_files_that_belong_to_nothing(folder: Path) -> None:
    for name in ("love/a.js", "love/b.png", "nope/c.txt", "love/.d.png.1-1.tmp", "love/.hidden"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("")
    assert faults(folder) == [
        "love/.d.png.1-1.tmp: is not in the index; delete it",
        f"love/a.js: is not in the index; `watercolour pool render {folder}` takes it in",
        "love/b.png: is not in the index; it has no source: delete it",
        "nope/c.txt: is not in the index; delete it",
    ]


def copied(folder: Path, name: str, alter: Callable[[Any], Any]) -> None:
    """The first painting again, under another name and altered."""
    line = Line.model_validate_json(json.dumps(read(folder)[0]))
    pixels = alter(np.array(Image.open(folder / line.file).convert("RGB")))
    Image.fromarray(pixels).save(folder / f"love/{name}.png")
    source = folder / f"love/{name}.js"
    shutil.copyfile(folder / line.source, source)
    facts = {"file": f"love/{name}.png", "source": f"love/{name}.js", "source_sha256": hash_source(source)}
    facts["sha256"] = str(read_picture(folder / f"love/{name}.png").sha256)
    write(folder, [*read(folder), {**read(folder)[0], **facts}])


def test_duplicates_are_told_and_others_are_not(folder: Path) -> None:
    noise = np.random.default_rng(0)
    copied(folder, "bee-noisy", lambda p: np.clip(p + noise.integers(-3, 4, p.shape), 0, 255).astype(np.uint8))
    copied(folder, "bee-turned", lambda p: p[:, ::-1].copy())
    copied(folder, "bee-dark", lambda p: (p * 0.8).astype(np.uint8))
    [fault] = faults(folder)
    assert fault.startswith("love/bee-amber-hovering.png: is love/bee-noisy.png again (")
    assert fault.endswith("apart); keep one of them")


def test_too_few_for_a_draw_is_a_warning(run: Run, folder: Path) -> None:
    lines = read(folder)
    write(folder, [*lines[:4], {**lines[4], "subject": "a unicorn"}])
    for line in lines[5:]:
        for key in ("file", "source"):
            (folder / line[key]).unlink()
    result = run("pool", "verify", folder, "--no-render")
    assert result.code == 0
    assert "warning  tier okay has 1 paintings, and a judge draws its rivals from 4 at least" in result.out
    assert "warning  a unicorn: is no subject of the medium" in result.out
    assert "warning  a tortoise: none of tier love nor of okay" in result.out


def test_pool_of_another_backend_is_refused(run: Run, folder: Path) -> None:
    change(folder, 0, backend="gl")
    result = run("pool", "verify", folder, "--no-render")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "bee-amber-hovering was painted by backend gl, this run by wasm" in result.err
    assert f"`watercolour pool render {folder} --backend wasm`" in result.err


def test_a_folder_without_an_index(run: Run, tmp_path: Path) -> None:
    assert "there is no pool.jsonl in it" in run("pool", "verify", tmp_path).err
    (tmp_path / "pool.jsonl").write_text("\n")
    result = run("pool", "verify", tmp_path, "--medium", "animals")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert "holds no paintings; `watercolour pool render" in result.err


@pytest.mark.browser
def test_what_only_painting_again_can_tell(run: Run, put: Put) -> None:
    """Another picture with a true hash, a wrong coverage, a source that stopped painting, a build that is not ours."""
    for name, x in (("love/coral-a", 0), ("love/coral-b", 60), ("love/coral-c", 120), ("love/coral-d", 180)):
        put(name, x)
    put("nope/white-e", 240, "function setup() { createCanvas(600, 600, WEBGL); background(9); rect(X, 0, 90, 90); }")
    broken = put("nope/white-f", 240)
    folder = broken.parents[1]
    asyncio.run(PoolPainter(folder, load_medium("hibiscus")).run("wasm"))

    def repaint(number: int, add: int, **facts: object) -> None:
        picture = folder / read(folder)[number]["file"]
        pixels = np.array(Image.open(picture).convert("RGB"))
        pixels[:200] = np.where(pixels[:200] > 128, pixels[:200] - add, pixels[:200] + add)
        Image.fromarray(pixels).save(picture)
        change(folder, number, sha256=read_picture(picture).sha256, **facts)

    repaint(0, 1)
    repaint(1, 1, browser="1.2.3")
    repaint(2, 9, browser="1.2.3")
    change(folder, 3, coverage=0.9)
    put("nope/white-f", source="function setup( {")
    change(folder, 5, source_sha256=hash_source(broken))
    result = run("pool", "verify", folder)
    assert result.code == 1
    told = result.out.splitlines()
    assert any("love/coral-a.png: is not what its source paints (a mean difference of 0.333 of 255)" in t for t in told)
    assert any("love/coral-c.png: is not what its source paints (a mean difference of 3.0" in t for t in told)
    assert any("love/coral-d.png: coverage is 0.0" in t and "its line says 0.9" in t for t in told)
    assert any("nope/white-f.js: does not paint any more: syntax_error" in t for t in told)
    assert any(t.startswith("note     1 pictures differ from what browser ") for t in told)
    assert told[-1] == "6 paintings, 6 painted again: 4 faults"
    assert any(t.startswith("note     nope/white-e.js: does not pass the gate, and need not: ") for t in told)
