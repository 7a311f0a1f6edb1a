"""The absolute judge: one picture, marks from 0 to 10 by named questions, in one call."""

from __future__ import annotations

from collections.abc import Sequence

from watercolour.medium import Medium
from watercolour.painting import Painting
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.judge.asking import Asker
from watercolour.reward.judge.flight import Begun, run_together
from watercolour.reward.judge.pictures import picture_of
from watercolour.reward.judge.prompt import Prompt, absolute_prompt
from watercolour.reward.judge.seen import score_unseen
from watercolour.reward.judge.usage import Usage
from watercolour.reward.judge.verdict import TOP_RATING, Ratings, UnresolvedError, read_ratings
from watercolour.reward.settings import AbsoluteSettings


class AbsoluteTerm:
    """The weighted mean of a painting's marks, over 10; unscored when the judge gave no usable marks."""

    needs_source = False

    def __init__(self, settings: AbsoluteSettings, medium: Medium, asker: Asker, name: str) -> None:
        self.name = name
        self._settings = settings
        self._medium = medium
        self._asker = asker
        self._begun = Begun[Score]()

    @property
    def usage(self) -> Usage:
        """Calls, answers from the cache, tokens and price so far."""
        return self._asker.usage

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        """One Score a painting; `parts` has the `marks` by question and the judge's `reason`.

        Raises a WatercolourError for what no retry can mend (key, model, budget): the run must stop.
        """
        prompt = absolute_prompt(self._medium, context.subject, self._settings.questions)
        return await run_together([self._score_or_take(painting, prompt) for painting in paintings])

    def begin(self, painting: Painting, context: ScoreContext) -> None:
        """Ask about a painting whose group is not there yet."""
        if score_unseen(painting) is None:
            prompt = absolute_prompt(self._medium, context.subject, self._settings.questions)
            self._begun.begin((painting.sha256, prompt.sha256), lambda: self._score(painting, prompt))

    def forget_begun(self) -> None:
        """Call off the questions about paintings that were never scored."""
        self._begun.forget()

    async def close(self) -> None:
        """Close connections and cache."""
        self._begun.forget()
        await self._asker.close()

    async def _score_or_take(self, painting: Painting, prompt: Prompt) -> Score:
        return await self._begun.take((painting.sha256, prompt.sha256), lambda: self._score(painting, prompt))

    async def _score(self, painting: Painting, prompt: Prompt) -> Score:
        if unseen := score_unseen(painting):
            return unseen
        picture = picture_of(painting)
        assert picture is not None
        names = [question.name for question in self._settings.questions]
        try:
            ratings = await self._asker.ask(prompt, (picture,), lambda reply: read_ratings(reply, names))
        except UnresolvedError as error:
            return Score(None, f"the judge gave no marks: {error}", {"marks": {}, "reason": ""})
        return Score(self._mean(ratings), _why(ratings), {"marks": dict(ratings.marks), "reason": ratings.reason})

    def _mean(self, ratings: Ratings) -> float:
        weights = {question.name: question.weight for question in self._settings.questions}
        summed = sum(weight * ratings.marks[name] for name, weight in weights.items())
        return summed / sum(weights.values()) / TOP_RATING


def _why(ratings: Ratings) -> str:
    marks = ", ".join(f"{name} {mark:g}" for name, mark in ratings.marks.items())
    return f"{marks} of {TOP_RATING}" + (f": {ratings.reason}" if ratings.reason else "")
