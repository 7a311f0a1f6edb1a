"""`watercolour pool render`: what is painted, what is left alone, and what the index says of it."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.curate.conftest import Put
from watercolour.curate.line import Line, medium_of, parse_line
from watercolour.curate.render import PoolPainter
from watercolour.errors import ConfigError, InfraError
from watercolour.medium import load_medium
from watercolour.painting import read_picture
from watercolour.render.libraries import LIBRARY_VERSIONS


def lines(folder: Path) -> dict[str, dict[str, Any]]:
    return {line["source"]: line for line in map(json.loads, (folder / "pool.jsonl").read_text().splitlines())}


def change(folder: Path, source: str, **facts: object) -> None:
    changed = {**lines(folder), source: {**lines(folder)[source], **facts}}
    (folder / "pool.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in changed.values()))


@pytest.mark.browser
def test_paints_what_is_new_or_changed_and_keeps_what_a_person_said(run: Run, put: Put) -> None:
    coral, peach = put("love/coral-disc"), put("okay/peach-disc", 40)
    folder = coral.parents[1]
    first = run("pool", "render", folder, "--json")
    assert first.code == 0, first.err
    assert [json.loads(line)["painted"] for line in first.out.splitlines()] == [True, True]
    line = parse_line(json.dumps(lines(folder)["love/coral-disc.js"]), "pool.jsonl:1")
    assert (line.backend, line.medium, line.subject, line.size) == ("wasm", "hibiscus", "a coral hibiscus", (600, 600))
    assert (line.p5, line.p5_brush) == tuple(LIBRARY_VERSIONS.values())
    assert read_picture(folder / line.file).sha256 == line.sha256
    assert 0.02 < line.coverage < 0.3
    before = (folder / "pool.jsonl").read_bytes()

    assert "0 painted, 2 unchanged, 0 failed" in run("pool", "render", folder).err
    assert (folder / "pool.jsonl").read_bytes() == before

    change(folder, "love/coral-disc.js", hpsv3_mu=3.5, round=2, pigments=["rose"])
    change(folder, "okay/peach-disc.js", hpsv3_mu=2.5, subject="a peach hibiscus, from memory")
    put("love/coral-disc", -50)
    os.renames(peach, folder / "nope/peach-disc.js")
    os.renames(folder / "okay/peach-disc.png", folder / "nope/peach-disc.png")
    assert "1 painted, 1 unchanged, 0 failed" in run("pool", "render", folder).err
    coral_line, peach_line = lines(folder).values()
    assert (coral_line["round"], coral_line["pigments"]) == (2, ["rose"])
    assert coral_line["hpsv3_mu"] is None, "the score of another picture"
    assert coral_line["sha256"] != line.sha256
    assert (peach_line["tier"], peach_line["file"]) == ("nope", "nope/peach-disc.png")
    assert (peach_line["hpsv3_mu"], peach_line["subject"]) == (2.5, "a peach hibiscus, from memory")


@pytest.mark.browser
def test_a_picture_that_is_spoilt_or_forced_is_painted_again(run: Run, put: Put) -> None:
    picture = put("love/coral-disc").with_suffix(".png")
    folder = picture.parents[1]
    run("pool", "render", folder)
    change(folder, "love/coral-disc.js", hpsv3_mu=2.5)
    picture.write_bytes(b"not a picture")
    assert "1 painted, 0 unchanged, 0 failed" in run("pool", "render", folder).err
    [line] = lines(folder).values()
    assert read_picture(picture).sha256 == line["sha256"]
    assert line["hpsv3_mu"] == 2.5, "the same picture again"
    change(folder, "love/coral-disc.js", seed=7)
    assert "1 painted, 0 unchanged" in run("pool", "render", folder, "--force").err
    [seeded] = lines(folder).values()
    assert seeded["seed"] == 7
    assert seeded["sha256"] != line["sha256"]


@pytest.mark.browser
def test_one_that_fails_does_not_stop_the_others(run: Run, put: Put) -> None:
    good, bad = put("love/coral-disc"), put("love/coral-bad", source='throw new Error("no\\u001b[31m")')
    folder = good.parents[1]
    result = run("pool", "render", folder)
    assert result.code == 1
    assert "love/coral-bad.js: threw; " in result.out or "love/coral-bad.js: no_canvas; " in result.out
    assert "\x1b" not in result.out
    assert "1 painted, 0 unchanged, 1 failed" in result.err
    assert list(lines(folder)) == ["love/coral-disc.js"]
    bad.write_bytes(b"// \xff")
    index = folder / "pool.jsonl"
    gone = {**lines(folder)["love/coral-disc.js"], "source": "love/gone.js"}
    index.write_text(index.read_text() + json.dumps(gone) + '\n{"source": "love/to')
    result = run("pool", "render", folder)
    assert result.code == 1
    assert "coral-bad.js: cannot be read as text" in result.out
    assert "love/gone.js is no more, and its line is gone" in result.err
    assert list(lines(folder)) == ["love/coral-disc.js"]


@pytest.mark.browser
def test_an_interrupted_one_goes_on(put: Put) -> None:
    names = [f"love/coral-{number}.js" for number in range(2)]
    folder = [put(name.removesuffix(".js"), 20 * number) for number, name in enumerate(names)].pop().parents[1]
    medium = load_medium("hibiscus")

    def interrupt(name: str) -> None:
        raise InfraError("the disk is full")

    with pytest.raises(InfraError):
        asyncio.run(PoolPainter(folder, medium).run("wasm", 1, on_done=interrupt))
    done = list(lines(folder))
    assert len(done) == 1
    assert not list(folder.rglob("*.tmp"))
    result = asyncio.run(PoolPainter(folder, medium).run("wasm", 1))
    assert sorted(result.kept) == sorted(done)
    assert list(lines(folder)) == names


def test_what_cannot_be_painted_is_said_before_a_browser_starts(run: Run, put: Put, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    folder = put("love/disc").parents[1]
    for arguments, message in (
        ([tmp_path / "empty"], "no shipped medium has a pool of that name; say which it is of with --medium"),
        ([tmp_path / "empty", "--medium", "hibiscus"], "holds no sources; put them at love|okay|nope/NAME.js"),
        ([folder], "love/disc.js: its name tells of none of: a peach hibiscus, "),
        ([folder, "--medium", "oil"], "medium 'oil': not one of animals, hibiscus"),
        (["roses"], "no reference pool 'roses'"),
    ):
        result = run("pool", "render", *arguments)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
        assert message in result.err
    (folder / "pool.jsonl").write_text('[]\n{"source": "love/disc.js"}\n')
    assert "pool.jsonl:1: not a JSON object; mend or delete this line" in run("pool", "render", folder).err


def test_medium_of_a_pool(tmp_path: Path) -> None:
    folder = tmp_path / "animals"
    assert medium_of(folder, []).name == "animals"
    assert medium_of(folder, [{"medium": "hibiscus"}, {}]).name == "hibiscus"
    assert medium_of(folder, [{"medium": "oil"}], "hibiscus").name == "hibiscus"
    with pytest.raises(ConfigError, match="names several media"):
        medium_of(folder, [{"medium": "hibiscus"}, {"medium": "animals"}])
    with pytest.raises(ConfigError, match="is of medium oil, which is not shipped; name its file: --medium"):
        medium_of(folder, [{"medium": "oil"}])


def test_a_line_survives_writing(put: Put) -> None:
    text = Path(__file__).parents[2].joinpath("pool/animals/pool.jsonl").read_text().splitlines()[0]
    line = parse_line(text, "here")
    assert isinstance(line, Line)
    assert json.loads(line.text()) == json.loads(text)
