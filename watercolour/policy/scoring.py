"""The boundary between TRL and the evaluation: what goes wrong behind it leaves rollouts unscored, and is counted."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from watercolour.errors import FatalInfraError, InfraError, TermStopped
from watercolour.policy.load import Messages

logger = logging.getLogger(__name__)

BREAKER_STEPS = 3
"""Unscored rollouts are counted over this many steps: one bad step may pass, a run of them stops."""


@dataclass(frozen=True)
class Group:
    """What the policy wrote in one step, one entry a rollout: the text, its length in tokens, whether it was cut."""

    completions: list[str]
    tokens: list[int]
    truncated: list[bool]


class Evaluate(Protocol):
    """Scores a group, in order: each rollout's value of every term, whose weighted sum is its reward; None for one that
    could not be scored. `step` counts from 1. Runs on one event loop for the whole training.
    """

    def __call__(self, group: Group, *, step: int) -> Awaitable[Sequence[Mapping[str, float] | None]]: ...


class Scoring:
    """TRL's reward functions, one a term, around one evaluation. `unscored` and `seconds` are the last group's."""

    def __init__(
        self, evaluate: Evaluate, terms: Sequence[str], end_ids: Sequence[int], max_unscored_share: float
    ) -> None:
        self.terms = tuple(terms)
        self._evaluate = evaluate
        self._end_ids = frozenset(end_ids)
        self._max_unscored_share = max_unscored_share
        self._history: deque[list[bool]] = deque(maxlen=BREAKER_STEPS)
        self._group: list[Messages] | None = None
        self._task: asyncio.Task[list[dict[str, float] | None]] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._why = "the evaluation gave no reward"
        self.unscored: list[bool] = []
        self.seconds = 0.0

    def reward_functions(self) -> list[Callable[..., Awaitable[list[float | None]]]]:
        """One function a term, of the term's name. A rollout that any term leaves unscored is None in all of them: TRL
        takes a None among numbers for 0, and leaves out only a rollout that has no number.

        They raise InfraError when too many are unscored, TermStopped when a term can go no further.
        """
        return [self._reward_function(term) for term in self.terms]

    def _reward_function(self, term: str) -> Callable[..., Awaitable[list[float | None]]]:
        async def values(
            completions: list[Messages], completion_ids: list[list[int]], trainer_state: Any, **_: Any
        ) -> list[float | None]:
            rows = await self._shared(completions, completion_ids, trainer_state.global_step + 1)
            return [row[term] if row is not None else None for row in rows]

        values.__name__ = term
        return values

    async def _shared(
        self, completions: list[Messages], completion_ids: list[list[int]], step: int
    ) -> list[dict[str, float] | None]:
        """The group's evaluation, begun by whichever function asks first: TRL hands all of them the same list."""
        if self._task is None or self._group is not completions:
            self._group, self._loop = completions, asyncio.get_running_loop()
            self._task = asyncio.ensure_future(self._score(completions, completion_ids, step))
        return await self._task

    async def _score(
        self, completions: list[Messages], completion_ids: list[list[int]], step: int
    ) -> list[dict[str, float] | None]:
        started = time.perf_counter()
        group = self.group([str(turns[-1]["content"]) for turns in completions], completion_ids)
        rows = [self._whole(row) for row in await self._results(group, step)]
        self.unscored = [row is None for row in rows]
        self.seconds = time.perf_counter() - started
        self._history.append(self.unscored)
        self._stop_if_blind()
        return rows

    def _whole(self, row: Mapping[str, float] | None) -> dict[str, float] | None:
        """Every term's value, or None where one of them is no number."""
        values = {term: finite((row or {}).get(term)) for term in self.terms}
        known = {term: value for term, value in values.items() if value is not None}
        return known if len(known) == len(values) else None

    async def _results(self, group: Group, step: int) -> Sequence[Mapping[str, float] | None]:
        count = len(group.completions)
        try:
            results = await self._evaluate(group, step=step)
            if len(results) != count:
                raise InfraError(f"the evaluation gave {len(results)} results for {count} rollouts")
        except (TermStopped, FatalInfraError):
            raise
        except Exception as error:
            self._why = f"{type(error).__name__}: {' '.join(str(error).split()) or 'no message'}"
            logger.warning("step %d could not be evaluated (%s)", step, self._why)
            return [None] * count
        return results

    def _stop_if_blind(self) -> None:
        rows = [row for step in self._history for row in step]
        if len(self._history) == BREAKER_STEPS and sum(rows) > self._max_unscored_share * len(rows):
            raise InfraError(
                f"reward: {sum(rows)} of the last {len(rows)} rollouts could not be scored, more than"
                f" reward.max_unscored_share {self._max_unscored_share:g} allows ({self._why});"
                " mend what they need, then resume the run"
            )

    def group(self, completions: list[str], completion_ids: Sequence[Sequence[int]]) -> Group:
        """Replies as they are evaluated, from their texts and their tokens."""
        return Group(
            completions=completions,
            tokens=[len(ids) for ids in completion_ids],
            truncated=[not ids or ids[-1] not in self._end_ids for ids in completion_ids],
        )

    def cancel(self) -> None:
        """End an evaluation that is still going on. Safe from another thread."""
        if self._loop is not None and self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)


def finite(value: Any) -> float | None:
    """`value` as a float, or None for what is no finite number."""
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None
