"""Taste: what a small model of somebody's ratings makes of a picture."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from watercolour.diversity import mean_distances
from watercolour.errors import WatercolourError
from watercolour.painting import BLANK_COVERAGE, Painting
from watercolour.references import read_pool
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.settings import TasteSettings
from watercolour.taste.encoder import load_encoder
from watercolour.taste.model import Taste, Verdict
from watercolour.taste.store import FOLDER, load_taste

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

logger = logging.getLogger(__name__)


class TasteTerm:
    """The value of a fitted taste, 0..1: the chance of beating a painting of the pool, each tier as likely as another.

    A picture farther from the rated ones than they are from each other loses `distance_penalty` for each unit beyond.
    Raises PrerequisiteError when there is no fitted taste or its encoder is not installed, ConfigError when it is torn.
    """

    needs_source = False

    def __init__(self, settings: TasteSettings, pool: Path) -> None:
        self.name = settings.called
        self.distance_penalty = settings.distance_penalty
        self.taste = load_taste(Path(settings.model) if settings.model else pool / FOLDER)
        self.encoder = load_encoder(self.taste.encoder)
        self.taste.check_encoder(self.encoder)
        if settings.model is None:
            _warn_of_changes(self.taste, pool)

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        """One Score a painting, all pictures in one batch; `parts` has score, calibrated, beats, distance, nearest, and
        apart: the mean cosine distance of the picture's features from those of the others, None for one alone.
        """
        pictures = {
            row: painting.pixels
            for row, painting in enumerate(paintings)
            if painting.pixels is not None and painting.coverage >= BLANK_COVERAGE and not painting.outcome.is_ours
        }
        verdicts: dict[int, tuple[Verdict, float | None]] = {}
        if pictures:
            judged = await asyncio.to_thread(self._judge, list(pictures.values()))
            verdicts = dict(zip(pictures, judged, strict=True))
        return [
            self._score(*verdicts[row]) if row in verdicts else _without_paint(painting)
            for row, painting in enumerate(paintings)
        ]

    async def close(self) -> None:
        """Holds nothing open."""

    def _judge(self, pictures: Sequence[NDArray[np.uint8]]) -> list[tuple[Verdict, float | None]]:
        features = self.encoder.encode(pictures)
        apart: list[float | None] = [*mean_distances(features)] or [None for _ in features]
        return list(zip(self.taste.judge(features), apart, strict=True))

    def _score(self, verdict: Verdict, apart: float | None) -> Score:
        beyond = max(0.0, verdict.distance - 1)
        value = max(0.0, verdict.value - self.distance_penalty * beyond)
        parts = {
            "score": round(verdict.score, 4),
            "calibrated": round(verdict.value, 4),
            "beats": {tier: round(share, 4) for tier, share in verdict.beats.items()},
            "distance": round(verdict.distance, 4),
            "nearest": [
                {"name": rated.name, "tier": rated.tier, "similarity": round(similarity, 3)}
                for rated, similarity in verdict.nearest
            ],
            "apart": None if apart is None else round(apart, 4),
        }
        return Score(value, verdict.describe(), parts)


def _without_paint(painting: Painting) -> Score:
    if painting.outcome.is_ours:
        return Score(None, "not judged: the browser could not be had")
    if painting.pixels is None:
        return Score(0.0, f"no picture to judge: {painting.outcome.value}")
    return Score(0.0, f"blank: {painting.coverage:.2%} of the paper carries paint")


def _warn_of_changes(taste: Taste, pool: Path) -> None:
    """A pool that has been rated on since says so; it still scores."""
    try:
        changes = taste.changes(read_pool(pool))
    except WatercolourError as error:
        logger.warning("cannot tell whether the pool has changed since its taste was fitted: %s", error)
        return
    if any(changes.values()):
        said = ", ".join(f"{count} {what}" for what, count in changes.items() if count)
        logger.warning(
            "%s has changed since its taste was fitted (paintings: %s); fit again: watercolour taste fit %s",
            pool,
            said,
            pool,
        )
