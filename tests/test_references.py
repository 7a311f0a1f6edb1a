"""Reading a pool, and the shipped one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from watercolour.errors import ConfigError
from watercolour.medium import load_medium
from watercolour.painting import BLANK_COVERAGE
from watercolour.references import Tier, read_pool, require_backend, without_rejected
from watercolour.shipped import find_pool

LINE = {
    "file": "love/a.png",
    "source": "love/a.js",
    "tier": "love",
    "subject": "a rose",
    "sha256": "0",
    "coverage": 0.2,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "love").mkdir()
    (tmp_path / "love/a.png").write_bytes(b"")
    (tmp_path / "love/a.js").write_text("function setup() {}")
    return tmp_path


def write(folder: Path, *lines: object) -> None:
    (folder / "pool.jsonl").write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))


def test_reads_a_painting(folder: Path) -> None:
    write(folder, LINE, "")
    (reference,) = read_pool(folder)
    assert (reference.name, reference.tier, reference.subject) == ("a", Tier.LOVE, "a rose")
    assert reference.sketch() == "function setup() {}"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", r"pool.jsonl:1: not JSON"),
        ("[]", "must be one JSON object"),
        ({"file": "love/a.png"}, "lacks source, tier, subject"),
        (LINE | {"tier": "adore"}, "'adore' is not one of love, okay, nope"),
        (LINE | {"tier": ["love"]}, "is not one of love, okay, nope"),
        (LINE | {"coverage": "much"}, "coverage 'much' is not a number"),
        (LINE | {"coverage": None}, "coverage None is not a number"),
        (LINE | {"file": "love/b.png"}, "love/b.png is missing"),
        (LINE | {"file": "love/\0.png"}, "cannot be a file's name"),
        (LINE | {"file": "a" * 300}, "cannot be a file's name|is missing"),
        (LINE | {"source": "../../etc/passwd"}, "lies outside the pool"),
    ],
)
def test_wrong_line_is_named(folder: Path, line: object, message: str) -> None:
    write(folder, line)
    with pytest.raises(ConfigError, match=message):
        read_pool(folder)


def test_references_of_another_backend_are_refused(folder: Path) -> None:
    write(folder, LINE, LINE | {"backend": "gl"})
    old, on_gpu = read_pool(folder)
    require_backend([old], "wasm", folder)
    require_backend([on_gpu], "gl", folder)
    with pytest.raises(ConfigError, match=r"a was painted by backend gl, this run by wasm; set render.backend=gl, or"):
        require_backend([old, on_gpu], "wasm", folder)
    with pytest.raises(ConfigError, match=r"by backend wasm, this run by gl; .* --backend gl`"):
        require_backend([old], "gl", folder)


def test_empty_or_absent_pool(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_pool(tmp_path)
    write(tmp_path, "")
    with pytest.raises(ConfigError, match="holds no paintings"):
        read_pool(tmp_path)


def test_rejected_paintings_are_read_and_left_out_of_what_is_imitated(folder: Path) -> None:
    for tier in ("okay", "nope"):
        (folder / tier).mkdir()
        for suffix in ("png", "js"):
            (folder / tier / f"a.{suffix}").write_bytes(b"")
    lines = [
        LINE | {"tier": tier, "file": f"{tier}/a.png", "source": f"{tier}/a.js"} for tier in ("nope", "okay", "love")
    ]
    write(folder, *lines)
    references = read_pool(folder)
    assert [reference.tier for reference in references] == [Tier.NOPE, Tier.OKAY, Tier.LOVE]
    assert without_rejected(references) == references[1:]


def test_shipped_pool_is_whole() -> None:
    medium = load_medium("hibiscus")
    references = read_pool(find_pool("hibiscus"))
    least = {Tier.LOVE: 8, Tier.OKAY: 26, Tier.NOPE: 30}
    for tier, count in least.items():
        members = [reference for reference in references if reference.tier is tier]
        assert len(members) >= count
        assert {reference.subject for reference in members} == set(medium.subjects)
    assert len({reference.sha256 for reference in references}) == len(references)
    for reference in references:
        assert reference.source.parent.name == reference.tier
        assert reference.coverage >= BLANK_COVERAGE, reference.name
