"""The Reward: a weighted sum of terms, with each term's value and reason kept beside it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from watercolour.errors import PrerequisiteError
from watercolour.painting import Painting
from watercolour.reward.base import Score, ScoreContext, Term
from watercolour.reward.gate import GateTerm
from watercolour.reward.length import LengthTerm
from watercolour.reward.pigment import CoverageTerm

if TYPE_CHECKING:
    from watercolour.config import RunConfig
    from watercolour.medium import Medium

logger = logging.getLogger(__name__)

UNBUILT = {
    "judge": "this version has no pairwise judge yet; set reward.mix.judge to 0",
    "hpsv3": "this version cannot load HPSv3 yet; set reward.mix.hpsv3 to 0",
}


@dataclass(frozen=True)
class Reward:
    """What one painting earns.

    `total` is the sum of weight times value; 0 when the gate failed; None when any term could not be scored, since a
    partial sum is comparable with nothing. `scores` holds every term asked, `left_out` the terms that do not apply.
    """

    total: float | None
    scores: Mapping[str, Score]
    left_out: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        """Why the total is what it is, in a sentence, when that is not plain from the terms."""
        unscored = [f"{name}: {score.why}" for name, score in self.scores.items() if score.value is None]
        if unscored:
            return "unscored, " + "; ".join(unscored)
        if "gate" in self.scores and self.scores["gate"].value == 0:
            return f"0, {self.scores['gate'].why}"
        return ""


class Mix:
    """The terms of a reward and their weights."""

    def __init__(self, terms: Sequence[tuple[Term, float]]) -> None:
        self.terms = tuple(terms)
        total = sum(weight for _, weight in self.terms)
        if abs(total - 1) > 1e-6:
            logger.warning("the weights of reward.mix sum to %.3g, not 1: rewards lie in 0..%.3g", total, total)

    @property
    def weights(self) -> dict[str, float]:
        """Each term's weight, by name."""
        return {term.name: weight for term, weight in self.terms}

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Reward]:
        """One Reward a painting, in order. A painting without a sketch is asked only of the terms that need none."""
        results = await asyncio.gather(*(self._ask(term, paintings, context) for term, _ in self.terms))
        return [self._reward([scores[row] for scores in results]) for row in range(len(paintings))]

    async def _ask(self, term: Term, paintings: Sequence[Painting], context: ScoreContext) -> list[Score | None]:
        asked = [row for row, painting in enumerate(paintings) if painting.sketch or not term.needs_source]
        scores = await term.score([paintings[row] for row in asked], context) if asked else []
        if len(scores) != len(asked):
            raise RuntimeError(f"{term.name} gave {len(scores)} scores for {len(asked)} paintings")
        answers: list[Score | None] = [None] * len(paintings)
        for row, score in zip(asked, scores, strict=True):
            answers[row] = score
        return answers

    def _reward(self, row: Sequence[Score | None]) -> Reward:
        scores = {term.name: score for (term, _), score in zip(self.terms, row, strict=True) if score is not None}
        left_out = tuple(term.name for (term, _), score in zip(self.terms, row, strict=True) if score is None)
        if any(score.value is None for score in scores.values()):
            return Reward(None, scores, left_out)
        if "gate" in scores and scores["gate"].value == 0:
            return Reward(0.0, scores, left_out)
        total = sum(self.weights[name] * (score.value or 0.0) for name, score in scores.items())
        return Reward(total, scores, left_out)


def build_mix(config: RunConfig, medium: Medium) -> Mix:
    """The mix that a configuration asks for.

    Raises PrerequisiteError for a weighted term that cannot work: a weight is never dropped in silence.
    """
    reward = config.reward
    terms: list[tuple[Term, float]] = []
    for name, weight in reward.mix.weights().items():
        if name == "gate":
            gate = GateTerm(medium.method_names, medium.size, strict_allowlist=reward.gate.strict_allowlist)
            terms.append((gate, weight))
        elif name == "length":
            length = reward.length
            terms.append(
                (
                    LengthTerm(
                        kind=length.kind,
                        floor_tokens=length.floor_tokens,
                        full_tokens=length.full_tokens,
                        ceiling_tokens=length.ceiling_tokens,
                    ),
                    weight,
                )
            )
        elif name == "coverage":
            terms.append((CoverageTerm(full_at=reward.coverage.full_at), weight))
        else:
            raise PrerequisiteError(f"reward.mix.{name} is {weight:g}, but {UNBUILT[name]}")
    return Mix(terms)
