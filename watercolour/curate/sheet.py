"""A pool at a glance: one picture of its paintings and their names, each tier under a heading, in the pool's order."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from watercolour.errors import ConfigError
from watercolour.references import Reference, Tier

COLUMNS = 6
THUMB_PX = 200
MARGIN_PX = 24
GAP_PX = 16
HEADING_PX = 44
LINE_PX = 16
CAPTION_PX = 3 * LINE_PX + 8
"""Two lines for a painting's name, one for its tier."""

PAGE = "#ffffff"
INK = "#2b2b2b"
FAINT = "#8a8a8a"

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def contact_sheet(references: Sequence[Reference], columns: int = COLUMNS, thumb_px: int = THUMB_PX) -> Image.Image:
    """All of `references` under the headings of their tiers. Raises ConfigError for none, or an unreadable picture."""
    tiers = {tier: [reference for reference in references if reference.tier is tier] for tier in Tier}
    shown = {tier: members for tier, members in tiers.items() if members}
    if not shown:
        raise ConfigError("there is no painting to show")
    columns = min(columns, max(map(len, shown.values())))
    row_px = thumb_px + CAPTION_PX + GAP_PX
    rows = {tier: -(-len(members) // columns) for tier, members in shown.items()}
    width = 2 * MARGIN_PX + columns * thumb_px + (columns - 1) * GAP_PX
    height = 2 * MARGIN_PX - GAP_PX + sum(HEADING_PX + count * row_px for count in rows.values())
    sheet = Image.new("RGB", (width, height), PAGE)
    top = MARGIN_PX
    for tier, members in shown.items():
        heading = f"{tier}, {len(members)} painting{'s' if len(members) > 1 else ''}"
        ImageDraw.Draw(sheet).text((MARGIN_PX, top), heading, INK, ImageFont.load_default(24))
        top += HEADING_PX
        for index, reference in enumerate(members):
            left = MARGIN_PX + index % columns * (thumb_px + GAP_PX)
            _show(sheet, reference, left, top + index // columns * row_px, thumb_px)
        top += rows[tier] * row_px
    return sheet


def wrap(name: str, font: Font, width_px: int, lines: int = 2) -> list[str]:
    """A name broken after its hyphens into at most `lines` lines of `width_px`; what does not fit ends in `...`."""
    parts = [f"{part}-" for part in name.split("-")]
    parts[-1] = parts[-1].removesuffix("-")
    broken = [""]
    for part in parts:
        if broken[-1] and font.getlength(broken[-1] + part) > width_px:
            broken.append("")
        broken[-1] += part
    kept = broken[:lines]
    if len(broken) > lines:
        kept[-1] += broken[lines]
    return [_cut(line, font, width_px) for line in kept]


def paste_thumb(sheet: Image.Image, picture: Image.Image, left: int, top: int, px: int) -> None:
    """Paste `picture`, which is made smaller in place, into the middle of the square of `px` at (left, top)."""
    picture.thumbnail((px, px), Image.Resampling.LANCZOS)
    sheet.paste(picture, (left + (px - picture.width) // 2, top + (px - picture.height) // 2))


def _cut(line: str, font: Font, width_px: int) -> str:
    if font.getlength(line) <= width_px:
        return line
    while line and font.getlength(f"{line}...") > width_px:
        line = line[:-1]
    return f"{line}..."


def _show(sheet: Image.Image, reference: Reference, left: int, top: int, thumb_px: int) -> None:
    try:
        with Image.open(reference.picture) as picture:
            small = picture.convert("RGB")
    except OSError as error:
        raise ConfigError(f"{reference.picture}: is not a picture ({error})") from error
    paste_thumb(sheet, small, left, top, thumb_px)
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(13)
    y = top + thumb_px + 6
    for line in wrap(reference.name, font, thumb_px):
        draw.text((left, y), line, INK, font)
        y += LINE_PX
    draw.text((left, y), str(reference.tier), FAINT, font)
