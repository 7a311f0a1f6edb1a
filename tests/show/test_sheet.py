from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageFont

from watercolour.show.sheet import GAP_PX, HEAD_PX, MARGIN_PX, THUMB_PX, Tile, cut, draw_sheet, in_rows, wrap

RED = np.full((40, 40, 3), (200, 30, 60), np.uint8)
WIDE = np.full((20, 40, 3), (30, 60, 200), np.uint8)


def test_pictures_stand_in_rows_and_one_that_is_missing_leaves_an_empty_place() -> None:
    tiles = [Tile(RED, "1"), Tile(None, "2", "why\x07 " * 90), Tile(WIDE, "3", is_marked=True)]
    sheet = np.asarray(draw_sheet("a heading", "a detail", [tiles, tiles[:1]]))
    top = MARGIN_PX + HEAD_PX + THUMB_PX // 2

    def middle(column: int) -> tuple[int, ...]:
        pixel = sheet[top - 40, MARGIN_PX + column * (THUMB_PX + GAP_PX) + THUMB_PX // 2]
        return tuple(int(value) for value in pixel)

    assert middle(0) == (200, 30, 60) and middle(2) == (30, 60, 200)
    assert middle(1) == tuple(int(value) for value in sheet[2, 2])
    assert sheet.shape[1] == 2 * MARGIN_PX + 3 * THUMB_PX + 2 * GAP_PX


@pytest.mark.parametrize(("count", "rows"), [(1, 1), (2, 1), (4, 1), (5, 2), (8, 2), (12, 3), (24, 4), (60, 10)])
def test_rows_hold_all_and_are_wider_than_high(count: int, rows: int) -> None:
    found = in_rows([Tile(None, str(place)) for place in range(count)])
    assert [tile.title for row in found for tile in row] == [str(place) for place in range(count)]
    assert len(found) == rows and max(map(len, found)) <= 6


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=200), st.integers(20, 400), st.integers(1, 3))
def test_text_stays_within_its_room(text: str, width: int, lines: int) -> None:
    font = ImageFont.load_default(12)
    shown = wrap("".join(letter for letter in text if letter.isprintable()), font, width, lines)
    assert len(shown) <= lines
    assert all(font.getlength(line) <= width for line in shown)
    assert cut("a", font, 400) == "a"
