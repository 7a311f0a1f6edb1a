"""What a warm start learns from: the pool's accepted sketches and templates, never a rejected one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from watercolour.config import WarmStartSection
from watercolour.references import Reference, Tier, read_pool
from watercolour.shipped import find_pool
from watercolour.training import warm_start_examples


@pytest.fixture
def pool(tmp_path: Path) -> list[Reference]:
    """One painting of each tier, the rejected one first; each source holds its tier's name."""
    lines = []
    for tier in reversed(Tier):
        (tmp_path / f"{tier}.js").write_text(f"// {tier}")
        (tmp_path / f"{tier}.png").write_bytes(b"")
        facts = {"tier": tier, "subject": f"a {tier} rose", "sha256": "0", "coverage": 0.2}
        lines.append({"file": f"{tier}.png", "source": f"{tier}.js", **facts})
    (tmp_path / "pool.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return read_pool(tmp_path)


def test_rejected_paintings_are_never_learnt(pool: list[Reference]) -> None:
    settings = WarmStartSection(sketches=0, pool_repeats=2)
    accepted = [("a okay rose", "// okay"), ("a love rose", "// love")]
    assert warm_start_examples(settings, pool, ["a rose"]) == accepted * 2


def test_templates_follow_and_subjects_take_turns(pool: list[Reference]) -> None:
    examples = warm_start_examples(WarmStartSection(sketches=3, pool_repeats=1), pool, ["a rose", "a lily"])
    assert [subject for subject, _ in examples[2:]] == ["a rose", "a lily", "a rose"]
    assert all("createCanvas" in sketch for _, sketch in examples[2:])


def test_medium_without_templates_is_learnt_from_its_pool(pool: list[Reference]) -> None:
    settings = WarmStartSection(sketches=3, pool_repeats=1)
    assert warm_start_examples(settings, pool, ["a rose"], templates=False) == [
        ("a okay rose", "// okay"),
        ("a love rose", "// love"),
    ]


def test_shipped_pool_teaches_love_and_okay_alone() -> None:
    pool = read_pool(find_pool("hibiscus"))
    learnt = {sketch for _, sketch in warm_start_examples(WarmStartSection(sketches=0), pool, ["a peach hibiscus"])}
    rejected = {reference.sketch() for reference in pool if reference.tier is Tier.NOPE}
    assert rejected
    assert learnt == {reference.sketch() for reference in pool} - rejected
