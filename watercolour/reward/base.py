"""A Term gives each painting of a group a Score; the Reward (mix.py) is their weighted sum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from watercolour.painting import Painting


@dataclass(frozen=True)
class Score:
    """One term's answer for one painting.

    `value` lies in 0..1. None means that we could not score it (our fault): the whole rollout then goes unscored.
    `why` is a sentence for a person. `parts` holds the numbers behind the value.
    """

    value: float | None
    why: str
    parts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ScoreContext:
    """What a term may know besides the paintings: the run's seed and the optimiser step, for draws that must repeat,
    and what the prompt asked for.

    `panel` is None in training. In an evaluation, whose values must be comparable with those of any other, it is the
    number of the pool's paintings to compare with: then `run_seed` is the evaluation's, and it alone draws them.
    """

    run_seed: int = 0
    step: int = 0
    subject: str = ""
    panel: int | None = None


class Term(Protocol):
    """A small pure thing. It gets the whole group, so it can batch, draw once, or compare within the group."""

    name: str
    needs_source: bool
    """True when a picture without its sketch cannot be scored by this term."""

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        """One Score a painting, in order. Never raises for anything a sketch did.

        Raises a WatercolourError where the run must stop: the budget is used up, the key is refused.
        """
        ...

    async def close(self) -> None:
        """Let go of connections and weights. On the event loop that scored."""
        ...


@runtime_checkable
class BeginsEarly(Protocol):
    """What a term can do besides when it waits for somebody else, and need not wait for the whole group first."""

    def begin(self, painting: Painting, context: ScoreContext) -> None:
        """Begin, on the running event loop, with what this painting alone decides. `score` with the same context takes
        it up, and gives what it would have given without; what goes wrong is raised there. Twice is as once.
        """
        ...

    def forget_begun(self) -> None:
        """Call off what was begun and not taken up."""
        ...
