"""A contact sheet: pictures in rows on one sheet, each with a title and a line or two below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

THUMB_PX = 280
MARGIN_PX = 40
GAP_PX = 24
LINE_PX = 18
TITLE_PX = 20
HEAD_PX = 58
NOTE_LINES = 2

PAGE = "#f7f5f0"
PAPER = "#ffffff"
INK = "#2b2926"
FAINT = "#8a857c"
EDGE = "#ddd8cd"
MARK = "#b8505f"

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@dataclass(frozen=True)
class Tile:
    """One place on the sheet. `pixels` is (h, w, 3) uint8 RGB, None for an empty place; `note` is cut to two lines."""

    pixels: NDArray[np.uint8] | None
    title: str
    note: str = ""
    is_marked: bool = False


def draw_sheet(heading: str, detail: str, rows: Sequence[Sequence[Tile]]) -> Image.Image:
    """The sheet as a picture: a heading, a fainter line below it, then the rows of tiles."""
    columns = max(map(len, rows))
    row_px = THUMB_PX + 10 + TITLE_PX + NOTE_LINES * LINE_PX + GAP_PX
    width = 2 * MARGIN_PX + columns * THUMB_PX + (columns - 1) * GAP_PX
    sheet = Image.new("RGB", (width, 2 * MARGIN_PX + HEAD_PX + len(rows) * row_px - GAP_PX), PAGE)
    draw, room = ImageDraw.Draw(sheet), width - 2 * MARGIN_PX
    _line(draw, (MARGIN_PX, MARGIN_PX - 8), heading, 24, INK, room)
    _line(draw, (MARGIN_PX, MARGIN_PX + 24), detail, 14, FAINT, room)
    for row, tiles in enumerate(rows):
        for column, tile in enumerate(tiles):
            _place(sheet, tile, MARGIN_PX + column * (THUMB_PX + GAP_PX), MARGIN_PX + HEAD_PX + row * row_px)
    return sheet


def in_rows(tiles: Sequence[Tile], most: int = 6) -> list[Sequence[Tile]]:
    """Rows about as many as columns, wider than high, of at most `most` tiles."""
    columns = next((count for count in range(1, most) if count * count * 2 >= 3 * len(tiles)), most)
    columns = min(len(tiles), max(columns, min(len(tiles), 4)))
    return [tiles[at : at + columns] for at in range(0, len(tiles), columns)]


def fit(pixels: NDArray[np.uint8], side_px: int) -> Image.Image:
    """The picture within a square of that side, its shape kept; enlarged where it is smaller."""
    image = Image.fromarray(pixels)
    scale = side_px / max(image.size)
    width, height = (max(1, round(side * scale)) for side in image.size)
    return image.resize((width, height), Image.Resampling.LANCZOS)


def wrap(text: str, font: Font, width_px: float, lines: int) -> list[str]:
    """A text broken at its spaces into at most `lines` lines of `width_px`; what does not fit ends in `...`."""
    broken = [""]
    for word in text.split():
        longer = f"{broken[-1]} {word}".strip()
        if broken[-1] and font.getlength(longer) > width_px:
            broken.append(word)
        else:
            broken[-1] = longer
    kept = broken[:lines]
    if len(broken) > lines:
        kept[-1] = f"{kept[-1]} {broken[lines]}"
    return [cut(line, font, width_px) for line in kept]


def cut(line: str, font: Font, width_px: float) -> str:
    """A line that fits; a longer one ends in `...`."""
    if font.getlength(line) <= width_px:
        return line
    while line and font.getlength(f"{line}...") > width_px:
        line = line[:-1]
    return f"{line.rstrip()}..."


def printable(text: str) -> str:
    """What a model wrote, fit to be drawn: on one line, without control characters, not endless."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text[:400].split()))


def _place(sheet: Image.Image, tile: Tile, left: int, top: int) -> None:
    draw = ImageDraw.Draw(sheet)
    box = (left - 1, top - 1, left + THUMB_PX, top + THUMB_PX)
    draw.rectangle(box, PAPER if tile.pixels is not None else PAGE, EDGE)
    if tile.pixels is not None:
        small = fit(tile.pixels, THUMB_PX)
        sheet.paste(small, (left + (THUMB_PX - small.width) // 2, top + (THUMB_PX - small.height) // 2))
    else:
        draw.text((left + THUMB_PX / 2, top + THUMB_PX / 2), "no picture", FAINT, ImageFont.load_default(14), "mm")
    if tile.is_marked:
        draw.rectangle((left - 3, top - 3, left + THUMB_PX + 2, top + THUMB_PX + 2), None, MARK, 2)
    y = top + THUMB_PX + 10
    _line(draw, (left, y), tile.title, 15, MARK if tile.is_marked else INK, THUMB_PX)
    font = ImageFont.load_default(12)
    for number, line in enumerate(wrap(printable(tile.note), font, THUMB_PX, NOTE_LINES)):
        draw.text((left, y + TITLE_PX + number * LINE_PX), line, FAINT, font)


def _line(draw: ImageDraw.ImageDraw, at: tuple[int, int], text: str, size_px: int, colour: str, room_px: float) -> None:
    font = ImageFont.load_default(size_px)
    draw.text(at, cut(printable(text), font, room_px), colour, font)
