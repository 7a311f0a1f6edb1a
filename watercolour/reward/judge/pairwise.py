"""The pairwise judge: is this the better watercolour, or that one of the pool, or of its own group?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from watercolour.medium import Medium
from watercolour.painting import Painting
from watercolour.references import Reference
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.judge.asking import Asker
from watercolour.reward.judge.draw import check_draws, draw_panel, draw_references
from watercolour.reward.judge.duel import Duel, decided, fight
from watercolour.reward.judge.flight import Begun, run_together
from watercolour.reward.judge.pictures import Picture, picture_of, picture_of_reference
from watercolour.reward.judge.prompt import pairwise_prompt
from watercolour.reward.judge.rivals import pairings
from watercolour.reward.judge.seen import score_unseen
from watercolour.reward.judge.usage import Usage
from watercolour.reward.settings import PairwiseSettings

LOST_UNSEEN = "it painted nothing"


@dataclass(frozen=True)
class Faced:
    """A duel with whom it was fought against: a reference's name and tier, or the hash of a rollout's picture."""

    opponent: Mapping[str, Any]
    duel: Duel


class PairwiseTerm:
    """The mean over a painting's duels: 1 for those it won in both orders, 0 for those it lost in both, else 0.5.

    All rollouts of a group are scored on the same references: one that could not be resolved for some of them is
    dropped for all. A rollout for which none could be resolved is unscored, and drops nothing for the others.

    In an evaluation they face its panel of references, and not each other, whatever `rivals` says.
    """

    needs_source = False

    def __init__(
        self, settings: PairwiseSettings, medium: Medium, references: Sequence[Reference], asker: Asker, name: str
    ) -> None:
        """Raises ConfigError when the pool has too few paintings of a tier for the draws."""
        self.name = name
        self._settings = settings
        self._asker = asker
        self._prompt = pairwise_prompt(medium)
        self._references = references
        self._begun = Begun[list[Faced]]()
        if settings.rivals != "group":
            check_draws(references, settings, name)

    @property
    def usage(self) -> Usage:
        """Calls, answers from the cache, tokens and price so far."""
        return self._asker.usage

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        """One Score a painting. `parts` has `references` and `rivals`, each duel with its opponent and both orders'
        reasons, and how many of them were won, tied, lost and dropped.

        Raises a WatercolourError for what no retry can mend (key, model, budget): the run must stop.
        """
        unseen = [score_unseen(painting) for painting in paintings]
        pictures = [
            picture_of(painting) if score is None else None for painting, score in zip(paintings, unseen, strict=True)
        ]
        ours = {row for row, score in enumerate(unseen) if score is not None and score.value is None}
        by_pool, by_group = await run_together(
            [self._face_pool(pictures, context), self._face_group(pictures, ours, context)]
        )
        common = _resolved_for_all(by_pool)
        scores: list[Score] = []
        for row, score in enumerate(unseen):
            scores.append(score or self._score(by_pool[row], common, by_group[row]))
        return scores

    def begin(self, painting: Painting, context: ScoreContext) -> None:
        """Let a painting whose group is not there yet face the step's references."""
        picture = picture_of(painting) if score_unseen(painting) is None else None
        if picture is not None and self._faces_pool(context):
            self._begun.begin(_place(picture, context), lambda: self._face_references(picture, context))

    def forget_begun(self) -> None:
        """Call off the duels of paintings that were never scored."""
        self._begun.forget()

    async def close(self) -> None:
        """Close connections and cache."""
        self._begun.forget()
        await self._asker.close()

    async def _face_pool(self, pictures: Sequence[Picture | None], context: ScoreContext) -> list[list[Faced]]:
        """Each picture's duels with the step's references, or the evaluation's, in the order of the draw."""
        if not self._faces_pool(context):
            return [[] for _ in pictures]
        return await run_together([self._face_or_take(picture, context) for picture in pictures])

    def _faces_pool(self, context: ScoreContext) -> bool:
        return self._settings.rivals != "group" or context.panel is not None

    async def _face_or_take(self, picture: Picture | None, context: ScoreContext) -> list[Faced]:
        if picture is None:
            return []
        return await self._begun.take(_place(picture, context), lambda: self._face_references(picture, context))

    async def _face_references(self, picture: Picture, context: ScoreContext) -> list[Faced]:
        if context.panel is None:
            drawn = draw_references(self._references, self._settings, run_seed=context.run_seed, step=context.step)
        else:
            drawn = draw_panel(self._references, context.panel, seed=context.run_seed)
        rivals = [picture_of_reference(reference) for reference in drawn]
        duels = await run_together([fight(self._asker, self._prompt, picture, rival) for rival in rivals])
        told = [{"name": reference.name, "tier": reference.tier.value} for reference in drawn]
        return [Faced(opponent, duel) for opponent, duel in zip(told, duels, strict=True)]

    async def _face_group(
        self, pictures: Sequence[Picture | None], ours: set[int], context: ScoreContext
    ) -> list[list[Faced]]:
        """Each picture's duels with others of its group. Whoever painted nothing loses to whoever did, unasked.

        One that is alone, since no other passed the gate, faces itself: a tie.
        """
        facing: list[list[Faced]] = [[] for _ in pictures]
        if self._settings.rivals == "pool" or context.panel is not None:
            return facing
        rows = [row for row in range(len(pictures)) if row not in ours]
        seed = f"rivals of run {context.run_seed}, step {context.step}"
        pairs = [(rows[one], rows[other]) for one, other in pairings(len(rows), self._settings.group_rivals, seed)]
        if len(rows) == 1 and self._settings.rivals == "group":
            pairs = [(rows[0], rows[0])]
        duels = await run_together([self._match(pictures, *pair) for pair in pairs])
        for (one, other), duel in zip(pairs, duels, strict=True):
            facing[one].append(Faced(_rival(pictures[other]), duel))
            if one != other:
                facing[other].append(Faced(_rival(pictures[one]), duel.mirrored()))
        return facing

    async def _match(self, pictures: Sequence[Picture | None], one: int, other: int) -> Duel:
        first, second = pictures[one], pictures[other]
        if first and second:
            return await fight(self._asker, self._prompt, first, second)
        return decided(0.5 + 0.5 * (first is not None) - 0.5 * (second is not None), LOST_UNSEEN)

    def _score(self, by_pool: Sequence[Faced], common: set[int], by_group: Sequence[Faced]) -> Score:
        resolved_any = any(faced.duel.value is not None for faced in by_pool)
        places = common if resolved_any else set()
        references = [by_pool[place] for place in sorted(places)]
        rivals = [faced for faced in by_group if faced.duel.value is not None]
        counted = references + rivals
        values = [faced.duel.value for faced in counted if faced.duel.value is not None]
        parts = {
            "references": [
                dict(faced.opponent) | faced.duel.record() | {"counted": place in places}
                for place, faced in enumerate(by_pool)
            ],
            "rivals": [dict(faced.opponent) | faced.duel.record() for faced in by_group],
            "won": values.count(1.0),
            "tied": values.count(0.5),
            "lost": values.count(0.0),
            "resolved": len(counted),
            "dropped": len(by_pool) + len(by_group) - len(counted),
        }
        if not values or (by_pool and not references):
            return Score(None, _why_unscored(by_pool, by_group), parts)
        told = [
            _tally(faced, noun)
            for faced, noun in ((references, "references"), (rivals, "rivals of its group"))
            if faced
        ]
        dropped = f"; {parts['dropped']} dropped" if parts["dropped"] else ""
        return Score(sum(values) / len(values), f"beat {' and '.join(told)}{dropped}", parts)


def _place(picture: Picture, context: ScoreContext) -> tuple[str, int, int, int | None]:
    """What decides whom a picture faces."""
    return picture.sha256, context.run_seed, context.step, context.panel


def _resolved_for_all(by_pool: Sequence[Sequence[Faced]]) -> set[int]:
    """Places in the draw whose duels every rollout resolved, leaving aside rollouts that resolved none at all."""
    resolved = [{place for place, faced in enumerate(row) if faced.duel.value is not None} for row in by_pool]
    some = [places for places in resolved if places]
    return set.intersection(*some) if some else set()


def _rival(picture: Picture | None) -> dict[str, Any]:
    return {"picture": picture.sha256 if picture else None}


def _tally(faced: Sequence[Faced], noun: str) -> str:
    """Such as "2 of 4 references (tied 1)"."""
    values = [each.duel.value for each in faced]
    tied = f" (tied {values.count(0.5)})" if 0.5 in values else ""
    return f"{values.count(1.0)} of {len(values)} {noun}{tied}"


def _why_unscored(by_pool: Sequence[Faced], by_group: Sequence[Faced]) -> str:
    reasons = [faced.duel.why_unresolved for faced in (*by_pool, *by_group) if faced.duel.value is None]
    if reasons:
        return f"the judge resolved no duel: {reasons[0]}"
    return "no reference could be resolved for the whole group"
