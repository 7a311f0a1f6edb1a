"""Pigment: how much of the paper carries paint."""

from __future__ import annotations

from collections.abc import Sequence

from watercolour.errors import ConfigError
from watercolour.painting import BLANK_COVERAGE, Painting
from watercolour.reward.base import Score, ScoreContext


class CoverageTerm:
    """Rises linearly with coverage from 0 at the blank limit to 1 at `full_at`, a share of pixels, and stays there.

    The published pool's best tier covers .22 at the median. Raises ConfigError for a `full_at` at or below the blank
    limit or above 1.
    """

    needs_source = False

    def __init__(self, full_at: float = 0.25, *, name: str = "coverage") -> None:
        self.name = name
        if not BLANK_COVERAGE < full_at <= 1:
            raise ConfigError(f"coverage: full_at must lie above {BLANK_COVERAGE} and up to 1, not {full_at}")
        self.full_at = full_at

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        """One Score a painting; `parts["coverage"]` is the share of painted pixels, 0..1."""
        return [self._score(painting) for painting in paintings]

    async def close(self) -> None:
        """Holds nothing open."""

    def _score(self, painting: Painting) -> Score:
        if painting.outcome.is_ours:
            return Score(None, "not measured: the browser could not be had")
        if painting.pixels is None:
            return Score(0.0, f"there is no picture: the render ended as {painting.outcome}")
        rise = (painting.coverage - BLANK_COVERAGE) / (self.full_at - BLANK_COVERAGE)
        why = f"{painting.coverage:.1%} of the paper carries paint; {self.full_at:.0%} is full marks"
        return Score(min(1.0, max(0.0, rise)), why, {"coverage": painting.coverage})
