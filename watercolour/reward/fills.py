"""Fills: how many places of a sketch's source ask the brush to lay paint. It reads no picture, so it needs no browser.

It is there to see cheaply whether a trainer learns at all (configs/sanity.yaml). As a taste it is worthless: ten
circles on the same spot are ten.
"""

from __future__ import annotations

from collections.abc import Sequence

from watercolour.inspection import GateCode, inspect
from watercolour.painting import Painting
from watercolour.reward.base import Score, ScoreContext
from watercolour.vocabulary import PAINTING_METHODS

_UNREADABLE = frozenset({GateCode.NO_SKETCH, GateCode.TRUNCATED, GateCode.SYNTAX_ERROR})


class FillsTerm:
    """Rises linearly from 0 for no call in the text to 1 for `full_at`; a call in a loop is one. 0 for what is not
    JavaScript or ends too early. `methods` are the brush methods that the medium lists, `canvas` its (width, height).
    """

    needs_source = True

    def __init__(
        self, methods: frozenset[str], canvas: tuple[int, int], full_at: int = 8, *, name: str = "fills"
    ) -> None:
        self.name = name
        self.methods = methods
        self.canvas = canvas
        self.full_at = full_at

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        """One Score a painting; `parts["fills"]` is the count. Whether and how it was painted does not matter."""
        return [self._score(painting) for painting in paintings]

    async def close(self) -> None:
        """Holds nothing open."""

    def _score(self, painting: Painting) -> Score:
        if painting.sketch is None:
            return Score(None, "a picture without its sketch has no fills to count")
        if not painting.sketch.source.strip():
            return Score(0.0, "the reply holds no program")
        found = inspect(painting.sketch.source, self.methods, self.canvas)
        if unreadable := next((each for each in found.violations if each.code in _UNREADABLE), None):
            return Score(0.0, f"{unreadable.code}: {unreadable.message}")
        fills = sum(count for method, count in found.brush_calls.items() if method in PAINTING_METHODS & self.methods)
        return Score(
            min(1.0, fills / self.full_at),
            f"{fills} places in its text lay paint; {self.full_at} is full marks",
            {"fills": fills},
        )
