"""A painting's own timelapse: what page/film.js kept, played as pictures."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_FRAMES = 240
PLAY_S = 8.0
"""How long a film of many frames plays, about."""
SLOWEST_FPS, FASTEST_FPS = 6, 30


@dataclass(frozen=True)
class Film:
    """A painting as it grew: for each frame the tiles that changed, each with its place and (h, w, 3) uint8 pixels."""

    width: int
    height: int
    changes: tuple[tuple[tuple[int, int, NDArray[np.uint8]], ...], ...]

    def frames(self, finished: NDArray[np.uint8], *, limit: int = MAX_FRAMES) -> Iterator[NDArray[np.uint8]]:
        """(height, width, 3) uint8 pictures, at most `limit` and evenly thinned; the last is `finished`."""
        picture = np.full((self.height, self.width, 3), 255, np.uint8)
        shown = set(_evenly(len(self.changes), limit))
        for index, change in enumerate(self.changes[:-1]):
            for x, y, pixels in change:
                picture[y : y + pixels.shape[0], x : x + pixels.shape[1]] = pixels
            if index in shown:
                yield picture.copy()
        yield finished


def film_of(reports: Sequence[dict[str, Any]]) -> Film | None:
    """The film that a page's frames make; None of nothing. Raises KeyError, TypeError or ValueError for nonsense."""
    if not reports:
        return None
    width, height = int(reports[0]["width"]), int(reports[0]["height"])
    return Film(width, height, tuple(tuple(_tiles(report, width, height)) for report in reports))


def fps_of(frames: int) -> int:
    """Frames a second at which a film of so many is pleasant to watch."""
    return min(FASTEST_FPS, max(SLOWEST_FPS, round(frames / PLAY_S)))


def _tiles(report: dict[str, Any], width: int, height: int) -> Iterator[tuple[int, int, NDArray[np.uint8]]]:
    side = int(report["tile"])
    columns = -(-width // side)
    for number, encoded in report["tiles"]:
        row, column = divmod(int(number), columns)
        x, y = column * side, row * side
        size = (min(side, height - y), min(side, width - x), 4)
        rgba = np.frombuffer(base64.b64decode(encoded), np.uint8).reshape(size)
        # WebGL's colours are premultiplied; a transparent canvas lies on white paper.
        laid = rgba[..., :3].astype(np.uint16) + (255 - rgba[..., 3:].astype(np.uint16))
        yield x, y, np.minimum(laid, 255).astype(np.uint8)


def _evenly(count: int, limit: int) -> list[int]:
    """`limit` of the numbers below `count`, or all, evenly spread, the last among them; in no order."""
    if count <= limit:
        return list(range(count))
    return [round(at) for at in np.linspace(count - 1, 0, limit)]
