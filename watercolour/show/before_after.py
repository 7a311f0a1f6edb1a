"""Before and after: what a policy painted when it started beside what it paints now, on the same prompts and seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont

from watercolour.curate.sheet import FAINT, INK, PAGE, paste_thumb

if TYPE_CHECKING:
    from watercolour.runs import RolloutRecord

COLUMNS = 4
"""Paintings beside each other in a block."""
THUMB_PX = 200
GAP_PX = 14
MARGIN_PX = 48
GUTTER_PX = 72
"""Between the two blocks; the rule stands in its middle."""
TITLE_PX = 40
HEADING_PX = 76
SUBJECT_PX = 40
CAPTION_PX = 26
ROW_GAP_PX = 22

PAPER = "#fbf8f1"
EDGE = "#e3ddd0"
"""The line around a sheet of paper, painted or not."""

WORDS = {
    "no_sketch": "no sketch in the reply",
    "syntax_error": "does not parse",
    "threw": "stopped with an error",
    "timed_out": "took too long",
    "blank": "left blank",
    "no_canvas": "made no canvas",
    "crashed": "crashed the browser",
    "infra": "could not be painted here",
    "ok": "against the rules",
}
"""Why a sheet is empty: what came of the sketch, or of a good picture that the gate refused."""


@dataclass(frozen=True)
class Block:
    """One half of the sheet: an evaluation. `picture` gives the file of a painting by its hash."""

    heading: str
    records: Sequence[RolloutRecord]
    gates: frozenset[str]
    picture: Callable[[str], Path]

    def subjects(self) -> tuple[str, ...]:
        """What was asked for, in order."""
        return tuple(dict.fromkeys(record.subject for record in self.records))

    def of(self, subject: str) -> list[RolloutRecord]:
        """The subject's records, by their place."""
        return [record for record in self.records if record.subject == subject]

    def failed(self, record: RolloutRecord) -> bool:
        """Whether there is nothing to show: no picture, or one that a gate refused."""
        refused = any(name in record.terms and record.terms[name].value == 0 for name in self.gates)
        return record.painting is None or refused


def before_after_sheet(name: str, before: Block, after: Block) -> Image.Image:
    """Both evaluations of one panel, a row for each subject, `before` on the left. Raises ValueError without records.

    A failed sketch is an empty sheet with what came of it; a picture that is gone is one too.
    """
    if not before.records or not after.records:
        raise ValueError("there is nothing to show")
    most = max(len(block.of(subject)) for block in (before, after) for subject in block.subjects())
    columns = min(COLUMNS, most)
    lines = -(-most // columns)
    block_px = columns * THUMB_PX + (columns - 1) * GAP_PX
    row_px = SUBJECT_PX + lines * (THUMB_PX + CAPTION_PX) + ROW_GAP_PX
    subjects = before.subjects()
    size = (
        2 * MARGIN_PX + 2 * block_px + GUTTER_PX,
        2 * MARGIN_PX + TITLE_PX + HEADING_PX + len(subjects) * row_px - ROW_GAP_PX,
    )
    sheet = Image.new("RGB", size, PAGE)
    draw = ImageDraw.Draw(sheet)
    draw.text((MARGIN_PX, MARGIN_PX - 12), f"{name}: the same prompts, the same random numbers", FAINT, _font(17))
    for block, left in ((before, MARGIN_PX), (after, MARGIN_PX + block_px + GUTTER_PX)):
        top = MARGIN_PX + TITLE_PX
        draw.text((left, top), block.heading, INK, _font(38))
        draw.text((left + block_px, top + 15), _tell(block, block.records), FAINT, _font(18), anchor="ra")
        top += HEADING_PX
        for subject in subjects:
            records = block.of(subject)
            draw.text((left, top), subject, INK, _font(22))
            draw.text((left + block_px, top + 5), _mean_reward(records), FAINT, _font(16), anchor="ra")
            for place, record in enumerate(records):
                column, line = place % columns, place // columns
                at = (left + column * (THUMB_PX + GAP_PX), top + SUBJECT_PX + line * (THUMB_PX + CAPTION_PX))
                _show(sheet, block, record, *at)
            top += row_px
    middle = MARGIN_PX + block_px + GUTTER_PX // 2
    draw.line((middle, MARGIN_PX + TITLE_PX, middle, size[1] - MARGIN_PX), EDGE, 2)
    return sheet


def _show(sheet: Image.Image, block: Block, record: RolloutRecord, left: int, top: int) -> None:
    draw = ImageDraw.Draw(sheet)
    outline = (left - 1, top - 1, left + THUMB_PX, top + THUMB_PX)
    why = WORDS.get(record.outcome, record.outcome) if block.failed(record) else None
    if why is None and record.painting is not None:
        try:
            with Image.open(block.picture(record.painting)) as picture:
                paste_thumb(sheet, picture.convert("RGB"), left, top, THUMB_PX)
        except (OSError, ValueError):
            why = "its picture is gone"
    if why is not None:
        draw.rectangle(outline, PAPER)
        draw.text((left + THUMB_PX // 2, top + THUMB_PX - 18), why, FAINT, _font(14), anchor="mm")
    draw.rectangle(outline, outline=EDGE)
    reward = "not scored" if record.reward is None else f"{record.reward:.2f}"
    draw.text((left, top + THUMB_PX + 4), reward, FAINT, _font(14))


def _tell(block: Block, records: Sequence[RolloutRecord]) -> str:
    """Such as "mean reward 0.34, 15 of 20 painted"."""
    painted = sum(not block.failed(record) for record in records)
    return f"{_mean_reward(records)}, {painted} of {len(records)} painted"


def _mean_reward(records: Sequence[RolloutRecord]) -> str:
    rewards = [record.reward for record in records if record.reward is not None]
    return f"mean reward {sum(rewards) / len(rewards):.2f}" if rewards else "not scored"


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
