"""A Rollout: one reply, followed all the way: reply -> Sketch -> Painting -> Score, one a term -> Reward."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from watercolour.painting import Painting
from watercolour.reward.base import ScoreContext
from watercolour.reward.mix import Mix, Reward
from watercolour.sketch import Sketch, extract


@dataclass(frozen=True)
class Rollout:
    """One completion of the policy with everything that came of it."""

    completion: str
    sketch: Sketch
    painting: Painting
    reward: Reward


@dataclass(frozen=True)
class GroupSeconds:
    """Wall time of one group: from when it was whole until the last painting was done, from there until the last score
    was, and of checking paintings; apart from these, how long it was painted at before it was whole.
    """

    render: float
    score: float
    recheck: float = 0.0
    painted_ahead: float = 0.0


OnPainted = Callable[[Painting], Awaitable[None]]
"""Told of each painting of a group as soon as it is done; a painting that occurs twice is told of once."""


class Renderer(Protocol):
    """Paints a group, in order: a RendererPool, or one with a memory."""

    async def paint_all(
        self, sketches: Sequence[Sketch], *, seed: int, on_painted: OnPainted | None = None
    ) -> list[Painting]: ...


async def evaluate(
    completions: Sequence[str], renderer: Renderer, mix: Mix, context: ScoreContext, *, render_seed: int
) -> tuple[list[Rollout], GroupSeconds]:
    """Paint and score a group of completions. A bad one is a low reward, our own failure a None.

    Terms that can, such as a judge, begin with each painting while the others are still being painted.

    Raises TermStopped when a term of the reward can go no further, and what the renderer raises.
    """
    started = time.perf_counter()
    sketches = [extract(completion) for completion in completions]
    try:
        paintings = await renderer.paint_all(
            sketches, seed=render_seed, on_painted=lambda painting: mix.begin(painting, context)
        )
        painted = time.perf_counter()
        rewards = await mix.score(paintings, context)
    finally:
        mix.forget_begun()
    rollouts = [Rollout(*parts) for parts in zip(completions, sketches, paintings, rewards, strict=True)]
    return rollouts, GroupSeconds(painted - started, time.perf_counter() - painted)
