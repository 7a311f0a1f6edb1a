"""The Reward: a weighted sum of terms, with each term's value and reason kept beside it."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from watercolour.errors import TermStopped, WatercolourError
from watercolour.painting import Painting
from watercolour.reward.base import BeginsEarly, Score, ScoreContext, Term
from watercolour.reward.fills import FillsTerm
from watercolour.reward.gate import GateTerm
from watercolour.reward.length import LengthTerm
from watercolour.reward.pigment import CoverageTerm
from watercolour.reward.subject import SubjectTerm

logger = logging.getLogger(__name__)

FREE = (GateTerm, LengthTerm, CoverageTerm, SubjectTerm, FillsTerm)
"""Terms that cost neither calls nor a large model; the others are not asked about a painting that fails the gate."""


@dataclass(frozen=True)
class Reward:
    """What one painting earns.

    `total` is the sum of weight times value; 0 when the gate failed; None when any term could not be scored, since a
    partial sum is comparable with nothing. `scores` holds every term asked. `left_out` are the terms that do not apply,
    `skipped` those not asked since the gate had decided already.
    """

    total: float | None
    scores: Mapping[str, Score]
    left_out: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    why: str = ""
    """Why the total is what it is, in a sentence, when that is not plain from the terms."""


class Mix:
    """The terms of a reward and their weights. The gate is asked first; what it rejects costs no more."""

    def __init__(self, terms: Sequence[tuple[Term, float]]) -> None:
        self.terms = tuple(terms)
        self.gates = frozenset(term.name for term, _ in self.terms if isinstance(term, GateTerm))
        total = sum(weight for _, weight in self.terms)
        if abs(total - 1) > 1e-6:
            logger.warning("the weights of reward.terms sum to %.3g, not 1: rewards lie in 0..%.3g", total, total)

    @property
    def weights(self) -> dict[str, float]:
        """Each term's weight, by name."""
        return {term.name: weight for term, weight in self.terms}

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Reward]:
        """One Reward a painting, in order. A painting without a sketch is asked only of the terms that need none.

        Raises TermStopped when a term says that the run must stop. Any other fault of a term leaves its scores None.
        """
        free = [term for term, _ in self.terms if isinstance(term, FREE)]
        costly = [term for term, _ in self.terms if not isinstance(term, FREE)]
        scores = await _ask_all(free, paintings, context, range(len(paintings)))
        passed = [row for row in range(len(paintings)) if self._passed(scores, row)]
        scores |= await _ask_all(costly, paintings, context, passed)
        return [self._reward(row, painting, scores) for row, painting in enumerate(paintings)]

    async def begin(self, painting: Painting, context: ScoreContext) -> None:
        """Let the terms that can begin with a painting of a group of which others are still to come.

        The gate is asked first here too. `score` gives the same with and without; what goes wrong is met again there.
        """
        early: list[BeginsEarly] = [term for term, _ in self.terms if isinstance(term, BeginsEarly)]
        if not early:
            return
        gates = [term for term, _ in self.terms if term.name in self.gates]
        try:
            scores = await _ask_all(gates, [painting], context, [0])
            if self._passed(scores, 0):
                for term in early:
                    term.begin(painting, context)
        except Exception as error:
            logger.debug("a painting could not be begun with: %s", error)

    def forget_begun(self) -> None:
        """Call off what was begun and never scored. On the event loop that began it."""
        for term, _ in self.terms:
            if isinstance(term, BeginsEarly):
                term.forget_begun()

    async def close(self) -> None:
        """Close every term. One that will not close is logged."""
        for term, _ in self.terms:
            try:
                await term.close()
            except Exception as fault:  # the others still close
                logger.warning("%s did not close: %s: %s", term.name, type(fault).__name__, fault)

    def _passed(self, scores: Mapping[str, Mapping[int, Score]], row: int) -> bool:
        """Whether no gate has already made the reward 0 or unscored."""
        return all(scores[gate][row].value for gate in self.gates if row in scores[gate])

    def _reward(self, row: int, painting: Painting, scores: Mapping[str, Mapping[int, Score]]) -> Reward:
        given = {term.name: scores[term.name][row] for term, _ in self.terms if row in scores[term.name]}
        absent = [term for term, _ in self.terms if term.name not in given]
        left_out = tuple(term.name for term in absent if term.needs_source and not painting.sketch)
        skipped = tuple(term.name for term in absent if term.name not in left_out)
        unscored = [f"{name}: {score.why}" for name, score in given.items() if score.value is None]
        if unscored:
            return Reward(None, given, left_out, skipped, f"unscored, {'; '.join(unscored)}")
        failed = next((given[name] for name in given if name in self.gates and given[name].value == 0), None)
        if failed:
            return Reward(0.0, given, left_out, skipped, f"0, {failed.why}")
        total = sum(weight * (given[term.name].value or 0.0) for term, weight in self.terms if term.name in given)
        return Reward(total, given, left_out, skipped)


async def _ask_all(
    terms: Sequence[Term], paintings: Sequence[Painting], context: ScoreContext, rows: Sequence[int]
) -> dict[str, dict[int, Score]]:
    """Each term's scores by row, all terms asked at once. The first that raises ends the others."""
    tasks = [asyncio.ensure_future(_ask(term, paintings, context, rows)) for term in terms]
    try:
        answers = await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
    return {term.name: answer for term, answer in zip(terms, answers, strict=True)}


async def _ask(
    term: Term, paintings: Sequence[Painting], context: ScoreContext, rows: Sequence[int]
) -> dict[int, Score]:
    asked = [row for row in rows if paintings[row].sketch or not term.needs_source]
    if not asked:
        return {}
    try:
        scores = await term.score([paintings[row] for row in asked], context)
        if len(scores) != len(asked):
            raise RuntimeError(f"it gave {len(scores)} scores for {len(asked)} paintings")
    except WatercolourError as error:
        raise TermStopped(error) from error
    except Exception as error:
        logger.warning("%s could not score its group: %s: %s", term.name, type(error).__name__, error)
        logger.debug("its traceback:", exc_info=error)
        scores = [Score(None, f"the term failed ({type(error).__name__}: {' '.join(str(error).split())})")] * len(asked)
    return {row: _sane(score) for row, score in zip(asked, scores, strict=True)}


def _sane(score: Score) -> Score:
    """A value that is no number is no score."""
    if score.value is None or math.isfinite(score.value):
        return score
    return Score(None, f"the term gave {score.value}; {score.why}", score.parts)
