"""Which paintings a judge is shown. One without a picture, or a blank one, loses without a question."""

from __future__ import annotations

from watercolour.painting import BLANK_COVERAGE, Painting, RenderOutcome
from watercolour.reward.base import Score


def score_unseen(painting: Painting) -> Score | None:
    """The score of a painting that no judge need see, None for one to be shown.

    Nothing painted is the sketch's doing, so 0; a browser that failed is ours, so unscored.
    """
    if painting.outcome.is_ours:
        return Score(None, f"not judged: {painting.errors[0] if painting.errors else 'the browser could not be had'}")
    if painting.pixels is None:
        return Score(0.0, f"there is no picture to judge: {painting.outcome}")
    if painting.outcome is RenderOutcome.BLANK or painting.coverage < BLANK_COVERAGE:
        return Score(0.0, f"nothing to judge: {painting.coverage:.2%} of the picture carries paint")
    return None
