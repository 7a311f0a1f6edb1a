"""A session of painting: ask, paint what comes, let the author look and try again, score, keep the best.

Replies are painted while others are still being written. What a reply lacks is data: a gate that fails, a picture that
is not there. What we could not have (no reply, no browser) is counted apart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from watercolour.painting import Painting, RenderOutcome
from watercolour.policy.warmstart import as_reply
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.gate import GateTerm
from watercolour.sketch import extract

if TYPE_CHECKING:
    from watercolour.medium import Medium
    from watercolour.paint.author import Author, Reply
    from watercolour.render.pool import RendererPool
    from watercolour.reward.mix import Mix, Reward


@dataclass(frozen=True)
class Attempt:
    """One reply and its painting. `picture` and `number` count from 1: the picture's place, and the try at it.

    `chain` tells the tries at one picture apart that began anew; `gate` is the medium's gate alone, `reward` the mix's
    where one was asked for.
    """

    picture: int
    number: int
    chain: int
    reply: Reply
    painting: Painting
    gate: Score
    reward: Reward | None = None

    @property
    def is_missing(self) -> bool:
        """Ours or the endpoint's fault: there is no reply, or no browser could be had."""
        return bool(self.reply.problem) or self.painting.outcome.is_ours

    def rank(self) -> tuple[float, ...]:
        """The higher, the better; of equals the later try."""
        total = self.reward.total if self.reward else None
        return -1.0 if total is None else total, self.gate.value or 0.0, self.painting.coverage > 0, self.number


@dataclass(frozen=True)
class Plan:
    """`count` pictures of `subject`, the best of `best_of` beginnings each, every one revised `revise` times."""

    subject: str
    count: int
    best_of: int = 1
    revise: int = 0
    render_seed: int = 1

    @property
    def attempts(self) -> int:
        """How many replies there will be."""
        return self.count * self.tries

    @property
    def tries(self) -> int:
        """At each picture."""
        return self.best_of * (1 + self.revise)


class Session:
    """`attempts = await Session(...).run()`; `on_attempt` is told of each as soon as it is painted."""

    def __init__(
        self,
        author: Author,
        medium: Medium,
        plan: Plan,
        pool: RendererPool,
        mix: Mix | None,
        on_attempt: Callable[[Attempt], None],
    ) -> None:
        self._author, self._medium, self._plan, self._pool, self._mix = author, medium, plan, pool, mix
        self._gate = GateTerm(medium.method_names, medium.size, names=medium.closed_names)
        self._on_attempt = on_attempt
        self.attempts: list[Attempt] = []

    async def run(self) -> None:
        """Fills `attempts`. Raises a WatercolourError for what stops it; what was painted by then is in `attempts`."""
        plan = self._plan
        messages = self._medium.prompt(plan.subject)
        chains: list[asyncio.Task[None]] = []
        try:
            async for reply in self._author.write(messages, plan.count * plan.best_of):
                chains.append(asyncio.ensure_future(self._chain(messages, reply, len(chains))))
            await asyncio.gather(*chains)
        finally:
            for chain in chains:
                chain.cancel()
            await asyncio.gather(*chains, return_exceptions=True)
        self.attempts.sort(key=lambda attempt: (attempt.picture, attempt.number))
        await self._score()

    async def _chain(self, messages: list[dict[str, str]], reply: Reply, place: int) -> None:
        """One beginning and its revisions. A revision that could not be had ends it; what it has is kept."""
        picture, chain = divmod(place, self._plan.best_of)
        first = 1 + chain * (1 + self._plan.revise)
        attempt = await self._paint(picture + 1, first, chain + 1, reply)
        for number in range(first + 1, first + 1 + self._plan.revise):
            if attempt.is_missing:
                return
            asked = [*messages, {"role": "assistant", "content": _said(attempt)}]
            request = revision_request(attempt, self._medium)
            reply = await self._author.look(asked, attempt.painting.pixels, request)
            attempt = await self._paint(picture + 1, number, chain + 1, reply)

    async def _paint(self, picture: int, number: int, chain: int, reply: Reply) -> Attempt:
        if reply.problem:
            painting = Painting(extract(""), RenderOutcome.INFRA, errors=(f"no reply: {reply.problem}",))
        else:
            painting = await self._pool.paint(extract(reply.text), seed=self._plan.render_seed)
        (gate,) = await self._gate.score([painting], ScoreContext())
        attempt = Attempt(picture, number, chain, reply, painting, gate)
        self.attempts.append(attempt)
        self._on_attempt(attempt)
        return attempt

    async def _score(self) -> None:
        """All as one group, as a step of a run is; what is missing is not asked about."""
        if self._mix is None:
            return
        rows = [row for row, attempt in enumerate(self.attempts) if not attempt.is_missing]
        paintings = [self.attempts[row].painting for row in rows]
        rewards = await self._mix.score(paintings, ScoreContext(subject=self._plan.subject)) if rows else []
        for row, reward in zip(rows, rewards, strict=True):
            self.attempts[row] = replace(self.attempts[row], reward=reward)


def best_of(attempts: Sequence[Attempt]) -> dict[int, Attempt]:
    """The best try at each picture, by its place."""
    best: dict[int, Attempt] = {}
    for attempt in attempts:
        if attempt.picture not in best or attempt.rank() > best[attempt.picture].rank():
            best[attempt.picture] = attempt
    return dict(sorted(best.items()))


def revision_request(attempt: Attempt, medium: Medium) -> str:
    """What an author is told of its painting before it tries again: what the gate found, and the medium's criteria."""
    shown = attempt.painting.pixels is not None
    lines = ["This is what your program painted." if shown else "Your program painted nothing."]
    if not attempt.gate.value:
        lines.append(f"It is refused: {attempt.gate.why}.")
    lines += [
        f"Better ones show {' '.join(medium.judge.better.split())}.",
        f"Poor ones show {' '.join(medium.judge.worse.split())}.",
        "Improve the painting. Reply with the complete program again, in one ```javascript block.",
    ]
    return "\n".join(lines)


def record_of(attempt: Attempt, weights: dict[str, float]) -> dict[str, Any]:
    """An attempt as paint.json holds it, its files left out."""
    painting, reward = attempt.painting, attempt.reward
    record: dict[str, Any] = {
        "picture": attempt.picture,
        "attempt": attempt.number,
        "chain": attempt.chain,
        "outcome": painting.outcome.value,
        "errors": list(painting.errors),
        "coverage": round(painting.coverage, 5),
        "sha256": painting.sha256,
        "gate": {"value": attempt.gate.value, "why": attempt.gate.why, **attempt.gate.parts},
        "reward": reward.total if reward else None,
        "terms": {
            name: {"value": score.value, "weight": weights[name], "why": score.why, "parts": dict(score.parts)}
            for name, score in (reward.scores if reward else {}).items()
        },
        "why": reward.why if reward else "",
        "tokens": attempt.reply.tokens,
        "truncated": attempt.reply.is_cut,
        "reply": attempt.reply.text,
    }
    return record


def _said(attempt: Attempt) -> str:
    """The program alone, without the thinking around it; a reply without one as it was."""
    sketch = attempt.painting.sketch
    return as_reply(sketch.source) if sketch and sketch.source else attempt.reply.text
