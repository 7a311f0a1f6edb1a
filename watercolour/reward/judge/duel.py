"""A duel: two pictures shown to the judge in both orders, so that a bias for one place cancels out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from watercolour.reward.judge.asking import Asker
from watercolour.reward.judge.flight import run_together
from watercolour.reward.judge.pictures import Picture
from watercolour.reward.judge.prompt import Prompt
from watercolour.reward.judge.verdict import Side, UnresolvedError, Verdict, read_verdict


@dataclass(frozen=True)
class Look:
    """One order's outcome for a painting: whether it won, None when there is no verdict, and the judge's reason."""

    won: bool | None
    reason: str


@dataclass(frozen=True)
class Duel:
    """How a painting fared: as the picture shown first, and as the one shown second.

    `value` is 1 for a win in both orders, 0 for a loss in both, 0.5 for one of each; None when either has no verdict.
    """

    value: float | None
    as_first: Look
    as_second: Look

    def mirrored(self) -> Duel:
        """The same duel, told of the other picture."""
        return Duel(None if self.value is None else 1 - self.value, _turned(self.as_second), _turned(self.as_first))

    def record(self) -> dict[str, Any]:
        """As plain data."""
        orders = {"as_first": self.as_first, "as_second": self.as_second}
        return {"value": self.value} | {name: {"won": look.won, "reason": look.reason} for name, look in orders.items()}

    @property
    def why_unresolved(self) -> str:
        """What went wrong in the first order without a verdict; "" when both have one."""
        return next((look.reason for look in (self.as_first, self.as_second) if look.won is None), "")


def decided(value: float, why: str) -> Duel:
    """A duel whose outcome does not depend on the judge."""
    look = Look(None, why)
    return Duel(value, look, look)


async def fight(asker: Asker, prompt: Prompt, one: Picture, other: Picture) -> Duel:
    """How `one` fares against `other`. The same picture twice is a tie, whatever the judge says; it is asked once all
    the same, so that a judge that is down does not pass for a tie.

    Raises the WatercolourErrors that stop a run; a question without an answer is an unresolved duel.
    """
    if one.sha256 == other.sha256:
        answer = await _ask(asker, prompt, one, other)
        if isinstance(answer, UnresolvedError):
            return Duel(None, _look(answer, Side.FIRST), _look(answer, Side.SECOND))
        return decided(0.5, "the same picture")
    first, second = await run_together([_ask(asker, prompt, one, other), _ask(asker, prompt, other, one)])
    as_first = _look(first, Side.FIRST)
    as_second = _look(second, Side.SECOND)
    if as_first.won is None or as_second.won is None:
        return Duel(None, as_first, as_second)
    return Duel((as_first.won + as_second.won) / 2, as_first, as_second)


async def _ask(asker: Asker, prompt: Prompt, first: Picture, second: Picture) -> Verdict | UnresolvedError:
    try:
        return await asker.ask(prompt, (first, second), read_verdict)
    except UnresolvedError as error:
        return error


def _look(answer: Verdict | UnresolvedError, side: Side) -> Look:
    if isinstance(answer, UnresolvedError):
        return Look(None, str(answer))
    return Look(answer.winner is side, answer.reason)


def _turned(look: Look) -> Look:
    return Look(None if look.won is None else not look.won, look.reason)
