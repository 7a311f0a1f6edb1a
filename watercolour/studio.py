"""The Studio: paints and scores a run's groups on an event loop of its own.

It has its own thread so that it works the same under a trainer that owns the main thread and a loop of its own.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from watercolour.medium import Medium
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.reward.base import ScoreContext
from watercolour.reward.mix import Mix
from watercolour.reward.preflight import check_terms, require_all
from watercolour.rollout import GroupSeconds, Rollout, evaluate

if TYPE_CHECKING:
    from watercolour.config import RunConfig
    from watercolour.references import Reference

logger = logging.getLogger(__name__)

CLOSE_TIMEOUT_S = 20.0
Value = TypeVar("Value")


@dataclass(frozen=True)
class GroupResult:
    """A painted and scored group."""

    rollouts: list[Rollout]
    seconds: GroupSeconds


class Studio:
    """`with Studio(config, medium, mix) as studio: group = await studio.evaluate(completions, step=3)`."""

    def __init__(self, config: RunConfig, medium: Medium, mix: Mix) -> None:
        """Raises PrerequisiteError without a Chromium or the libraries."""
        self.config = config
        self.mix = mix
        settings = RenderSettings(
            medium.size,
            frames=medium.frames,
            timeout_s=config.render.timeout_s,
            cpu_s=config.render.cpu_limit_s,
        )
        self.pool = RendererPool(settings, workers=config.render.workers, backend=config.render.backend)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="studio", daemon=True)

    def __enter__(self) -> Self:
        """Raises PrerequisiteError where the backend that the configuration asks for cannot be had."""
        self._thread.start()
        try:
            self._submit(self.pool.__aenter__()).result()
        except BaseException as error:
            self.__exit__(type(error), error, error.__traceback__)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._submit(self._close()).result(CLOSE_TIMEOUT_S)
        except Exception as fault:  # what ended the run matters more than a browser that would not close
            logger.warning("the browsers did not close: %s: %s", type(fault).__name__, fault)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSE_TIMEOUT_S)

    def browser_version(self) -> str:
        """Starts the first browser. Raises InfraError when none can be started."""
        return self._submit(self.pool.browser_version()).result()

    def preflight(self, reference: Reference) -> None:
        """Have every term score a painting of the pool. Raises PrerequisiteError, naming each that cannot."""
        require_all(self._submit(check_terms(self.mix.terms, reference, run_seed=self.config.seed)).result())

    async def evaluate(self, completions: Sequence[str], *, step: int, subject: str) -> GroupResult:
        """Paint and score one group, from any event loop. Bad completions are low rewards, never errors.

        Raises TermStopped when a term of the reward can go no further.
        """
        return await asyncio.wrap_future(self._submit(self._evaluate(completions, step, subject)))

    async def _close(self) -> None:
        await self.mix.close()
        await self.pool.close()

    async def _evaluate(self, completions: Sequence[str], step: int, subject: str) -> GroupResult:
        context = ScoreContext(run_seed=self.config.seed, step=step, subject=subject)
        rollouts, seconds = await evaluate(
            completions, self.pool, self.mix, context, render_seed=self.config.render.seed
        )
        return GroupResult(rollouts, seconds)

    def _submit(self, work: Coroutine[Any, Any, Value]) -> Future[Value]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)
