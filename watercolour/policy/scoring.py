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

from watercolour.errors import InfraError, TermStopped
from watercolour.policy.load import Messages

logger = logging.getLogger(__name__)

BREAKER_STEPS = 3
"""Unscored rollouts are counted over this many steps: one bad step may pass, a run of them stops."""


class RolloutResult(Protocol):
    """What the evaluation says of one completion. `reward` None: ours failed, the rollout is unscored.

    `values` are the terms' values, for the record; the reward alone is learned from.
    """

    @property
    def values(self) -> Mapping[str, float] | None: ...
    @property
    def reward(self) -> float | None: ...


@dataclass(frozen=True)
class Group:
    """What the policy wrote in one step, one entry a rollout: the text, its length in tokens, whether it was cut."""

    completions: list[str]
    tokens: list[int]
    truncated: list[bool]


class Evaluate(Protocol):
    """Scores a group, in order. `step` counts from 1. Runs on one event loop for the whole training."""

    def __call__(self, group: Group, *, step: int) -> Awaitable[Sequence[RolloutResult]]: ...


class Scoring:
    """TRL's reward function around an evaluation. `unscored` and `seconds` are the last group's."""

    def __init__(self, evaluate: Evaluate, end_ids: Sequence[int], max_unscored_share: float) -> None:
        self._evaluate = evaluate
        self._end_ids = frozenset(end_ids)
        self._max_unscored_share = max_unscored_share
        self._history: deque[list[bool]] = deque(maxlen=BREAKER_STEPS)
        self._task: asyncio.Task[Any] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._why = "the evaluation gave no reward"
        self.unscored: list[bool] = []
        self.seconds = 0.0

    async def reward(
        self,
        completions: list[Messages],
        completion_ids: list[list[int]],
        trainer_state: Any,
        log_metric: Callable[[str, float], None],
        **_: Any,
    ) -> list[float | None]:
        """TRL's reward function: the group's rewards, None for the unscored.

        Raises InfraError when too many are, TermStopped when a term of the reward can go no further.
        """
        started = time.perf_counter()
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        group = Group(
            completions=[str(turns[-1]["content"]) for turns in completions],
            tokens=[len(ids) for ids in completion_ids],
            truncated=[not ids or ids[-1] not in self._end_ids for ids in completion_ids],
        )
        results = await self._results(group, trainer_state.global_step + 1)
        rewards = [finite(result.reward) if result else None for result in results]
        self.unscored = [reward is None for reward in rewards]
        self.seconds = time.perf_counter() - started
        for name, mean in _mean_values(results).items():
            log_metric(f"terms/{name}", mean)
        self._history.append(self.unscored)
        self._stop_if_blind()
        return rewards

    async def _results(self, group: Group, step: int) -> Sequence[RolloutResult | None]:
        count = len(group.completions)
        try:
            results = await self._evaluate(group, step=step)
            if len(results) != count:
                raise InfraError(f"the evaluation gave {len(results)} results for {count} rollouts")
        except TermStopped:
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

    def cancel(self) -> None:
        """End an evaluation that is still going on. Safe from another thread."""
        if self._loop is not None and self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)


def _mean_values(results: Sequence[RolloutResult | None]) -> dict[str, float]:
    values: dict[str, list[float]] = {}
    for result in results:
        for name, value in (result.values or {}).items() if result else ():
            if (number := finite(value)) is not None:
                values.setdefault(name, []).append(number)
    return {name: sum(numbers) / len(numbers) for name, numbers in values.items()}


def finite(value: Any) -> float | None:
    """`value` as a float, or None for what is no finite number."""
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None
