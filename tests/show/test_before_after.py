"""The sheet of before and after: where everything stands, and what a failed sketch looks like."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageColor

from watercolour.runs import RolloutRecord, TermRecord
from watercolour.show.before_after import PAPER, THUMB_PX, Block, before_after_sheet

GATES = frozenset({"gate"})
RED, GREEN, BLUE = (200, 20, 20), (20, 200, 20), (20, 20, 200)


def record(index: int, subject: str, colour: str | None, passed: bool = True, outcome: str = "ok") -> RolloutRecord:
    terms = {"gate": TermRecord(float(passed), 1.0, "")}
    return RolloutRecord(
        step=0, index=index, subject=subject, completion="", source="", outcome=outcome, errors=(), coverage=None,
        painting=colour, seconds=0.0, terms=terms, reward=0.5 * passed, tokens=1, truncated=False,
    )  # fmt: skip


@pytest.fixture
def block(tmp_path: Path) -> Block:
    for name, colour in (("red", RED), ("green", GREEN), ("blue", BLUE)):
        Image.new("RGB", (300, 300), colour).save(tmp_path / f"{name}.png")
    records = [record(0, "a rose", "red"), record(1, "a rose", None, False, "syntax_error"), record(2, "a lily", "red")]
    return Block("Before training", records, GATES, lambda name: tmp_path / f"{name}.png")


def area(sheet: Image.Image, colour: tuple[int, int, int]) -> tuple[int, float]:
    """How many pixels have that colour, and where their middle is from left (0) to right (1)."""
    found = (np.asarray(sheet) == colour).all(axis=2)
    places = np.nonzero(found)[1]
    return len(places), float(places.mean() / found.shape[1]) if len(places) else 0.0


def test_before_is_on_the_left_and_a_failed_sketch_is_an_empty_sheet(block: Block) -> None:
    after = Block(
        "After 6 steps",
        [record(0, "a rose", "green"), record(1, "a rose", "green"), record(2, "a lily", "blue", False)],
        GATES,
        block.picture,
    )
    sheet = before_after_sheet("tiny-1", block, after)
    full = THUMB_PX**2
    reds, left = area(sheet, RED)
    greens, right = area(sheet, GREEN)
    assert (reds, greens) == (2 * full, 2 * full)
    assert left < 0.5 < right
    assert area(sheet, BLUE)[0] == 0  # the gate refused it, so it is not shown as a painting
    papers, _ = area(sheet, ImageColor.getrgb(PAPER)[:3])
    assert 1.9 * full < papers < 2 * full + 4 * THUMB_PX * 2


def test_a_lost_picture_is_an_empty_sheet_and_no_records_are_refused(block: Block) -> None:
    lost = Block("After 1 step", [record(0, "a rose", "gone")], GATES, block.picture)
    assert area(before_after_sheet("x", lost, lost), RED)[0] == 0
    with pytest.raises(ValueError, match="nothing to show"):
        before_after_sheet("x", block, Block("After", [], GATES, block.picture))


def test_many_samples_go_on_below(block: Block) -> None:
    many = Block("After", [record(at, "a rose", "red") for at in range(6)], GATES, block.picture)
    few = Block("Before", [record(at, "a rose", "red") for at in range(4)], GATES, block.picture)
    assert area(before_after_sheet("x", few, many), RED)[0] == 10 * THUMB_PX**2
