"""In place of a renderer where no term of the reward looks at a picture: it paints nothing and needs no browser."""

from __future__ import annotations

from typing import Self

from watercolour.painting import Painting, RenderOutcome
from watercolour.render.backend import WASM
from watercolour.render.pool import DEFAULT_SEED, RendererPool, RenderSettings
from watercolour.sketch import ExtractionProblem, Sketch


class Unpainted(RendererPool):
    """A pool without browsers, whose paintings have no picture and the outcome NOT_PAINTED."""

    def __init__(self, settings: RenderSettings | None = None) -> None:
        # Nothing of the pool is made: that would look for a Chromium.
        self.settings = settings or RenderSettings()
        self.backend = WASM

    async def __aenter__(self) -> Self:
        return self

    async def close(self) -> None:
        """Holds nothing open."""

    async def paint(self, sketch: Sketch, *, seed: int = DEFAULT_SEED) -> Painting:
        """The sketch as it is."""
        if sketch.problem is ExtractionProblem.NO_SKETCH or not sketch.source.strip():
            return Painting(sketch, RenderOutcome.NO_SKETCH, errors=("there is no program in it",), seed=seed)
        return Painting(sketch, RenderOutcome.NOT_PAINTED, seed=seed)
