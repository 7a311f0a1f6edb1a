"""A pool in the order of its taste: every painting by its held-out score, framed in the colour of its rating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from watercolour.curate.sheet import paste_thumb
from watercolour.errors import ConfigError
from watercolour.references import Reference
from watercolour.taste.model import Taste

if TYPE_CHECKING:
    from watercolour.taste.model import Rated

COLUMNS = 10
THUMB_PX = 120
FRAME_PX = 6
GAP_PX = 12
CAPTION_PX = 20
HEADING_PX = 40
PAGE = "#ffffff"
INK = "#2b2b2b"
COLOURS = {"love": "#c2185b", "okay": "#2e9e6b", "nope": "#9a9a9a"}


def taste_sheet(taste: Taste, references: Sequence[Reference]) -> Image.Image:
    """The paintings of the pool that the taste was fitted to, best first, each with its held-out value.

    Raises ConfigError when none of them is in the pool any more, or a picture cannot be read.
    """
    pictures = {reference.sha256: reference for reference in references}
    shown = [rated for rated in taste.rated if rated.sha256 in pictures]
    if not shown:
        raise ConfigError("none of the paintings that this taste was fitted to is in the pool any more")
    values = taste.calibration.value(np.array([rated.held_out for rated in shown]))
    order = sorted(range(len(shown)), key=lambda at: (-shown[at].held_out, shown[at].name))
    cell = THUMB_PX + 2 * FRAME_PX
    rows = -(-len(shown) // COLUMNS)
    size = (GAP_PX + COLUMNS * (cell + GAP_PX), HEADING_PX + rows * (cell + CAPTION_PX + GAP_PX) + GAP_PX)
    sheet = Image.new("RGB", size, PAGE)
    _heading(sheet, shown)
    for place, at in enumerate(order):
        left = GAP_PX + place % COLUMNS * (cell + GAP_PX)
        top = HEADING_PX + place // COLUMNS * (cell + CAPTION_PX + GAP_PX)
        _show(sheet, pictures[shown[at].sha256], shown[at].tier, float(values[at]), left, top)
    return sheet


def _heading(sheet: Image.Image, shown: Sequence[Rated]) -> None:
    draw, font, left = ImageDraw.Draw(sheet), ImageFont.load_default(16), GAP_PX
    for tier, colour in COLOURS.items():
        said = f"{tier} ({sum(rated.tier == tier for rated in shown)})"
        draw.rectangle((left, 12, left + 16, 28), colour)
        draw.text((left + 22, 10), said, INK, font)
        left += 44 + round(font.getlength(said))
    draw.text((left, 10), "held-out value, best first", INK, font)


def _show(sheet: Image.Image, reference: Reference, tier: str, value: float, left: int, top: int) -> None:
    try:
        with Image.open(reference.picture) as picture:
            small = picture.convert("RGB")
    except OSError as error:
        raise ConfigError(f"{reference.picture}: is not a picture ({error})") from error
    draw, cell = ImageDraw.Draw(sheet), THUMB_PX + 2 * FRAME_PX
    draw.rectangle((left, top, left + cell - 1, top + cell - 1), COLOURS.get(tier, INK))
    paste_thumb(sheet, small, left + FRAME_PX, top + FRAME_PX, THUMB_PX)
    draw.text((left, top + cell + 2), f"{value:.2f}", INK, ImageFont.load_default(13))
