"""The Studio: paints and scores a run's groups on an event loop of its own.

It has its own thread so that it works the same under a trainer that owns the main thread and a loop of its own.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from watercolour.medium import Medium
from watercolour.recheck import recheck
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.render.unpainted import Unpainted
from watercolour.render_cache import CachedRenderer
from watercolour.reward.base import ScoreContext
from watercolour.reward.mix import Mix
from watercolour.reward.preflight import check_terms, require_all
from watercolour.rollout import GroupSeconds, Renderer, Rollout, evaluate
from watercolour.sketch import extract

if TYPE_CHECKING:
    from watercolour.config import RunConfig
    from watercolour.references import Reference
    from watercolour.runs import RunDir

logger = logging.getLogger(__name__)

CLOSE_TIMEOUT_S = 20.0
Value = TypeVar("Value")


@dataclass(frozen=True)
class GroupResult:
    """A painted and scored group. `cached_renders` of its paintings had been painted before."""

    rollouts: list[Rollout]
    seconds: GroupSeconds
    cached_renders: int = 0


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
        self.pool = (
            RendererPool(settings, workers=config.render.workers, backend=config.render.backend)
            if config.render.paint
            else Unpainted(settings)
        )
        self._renderer: Renderer = self.pool
        self._cached: CachedRenderer | None = None
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

    def keep_paintings(self, run: RunDir) -> None:
        """Put every painting into the run from now on, and paint none twice. Raises InfraError."""
        self._renderer = self._cached = CachedRenderer(self.pool, run, self.browser_version())

    def preflight(self, reference: Reference) -> None:
        """Have every term score a painting of the pool. Raises PrerequisiteError, naming each that cannot."""
        require_all(self._submit(check_terms(self.mix.terms, reference, run_seed=self.config.seed)).result())

    def paint_ahead(self, completion: str, *, step: int, subject: str) -> None:
        """Begin to paint a completion whose group is still being written; returns at once, from any thread.

        `evaluate` of the group takes it up, and raises what went wrong with it.
        """
        context = ScoreContext(run_seed=self.config.seed, step=step, subject=subject)
        self._loop.call_soon_threadsafe(self._paint_ahead, completion, context)

    async def evaluate(self, completions: Sequence[str], *, step: int, subject: str) -> GroupResult:
        """Paint and score one group, from any event loop. Bad completions are low rewards, never errors.

        Every `render.recheck_every_steps` steps a few of its paintings are painted again in a fresh browser. Raises
        TermStopped when a term of the reward can go no further, FatalInfraError when a painting came out differently or
        could not be kept.
        """
        return await asyncio.wrap_future(self._submit(self._evaluate(completions, step, subject)))

    def evaluate_panel(self, completions: Sequence[str], *, seed: int, subject: str, references: int) -> GroupResult:
        """Paint and score replies outside the training, against a fixed panel of references that `seed` draws.

        Waits for it. Raises as `evaluate`.
        """
        context = ScoreContext(run_seed=seed, subject=subject, panel=references)
        work = self._submit(self._evaluate_panel(completions, context))
        try:
            return work.result()
        except BaseException:
            work.cancel()
            raise

    def _paint_ahead(self, completion: str, context: ScoreContext) -> None:
        if self._cached is not None:
            self._cached.paint_ahead(
                extract(completion),
                seed=self.config.render.seed,
                on_painted=lambda painting: self.mix.begin(painting, context),
            )

    async def _close(self) -> None:
        if self._cached is not None:
            self._cached.forget_ahead()
        await self.mix.close()
        await self.pool.close()

    async def _evaluate(self, completions: Sequence[str], step: int, subject: str) -> GroupResult:
        context = ScoreContext(run_seed=self.config.seed, step=step, subject=subject)
        settings, before = self.config.render, self._cached.cached if self._cached else 0
        rollouts, seconds = await evaluate(completions, self._renderer, self.mix, context, render_seed=settings.seed)
        cached = self._cached.cached - before if self._cached else 0
        if self._cached:
            seconds = replace(seconds, painted_ahead=self._cached.ahead_s)
        if settings.recheck_every_steps and step % settings.recheck_every_steps == 0:
            started = time.perf_counter()
            paintings = [rollout.painting for rollout in rollouts]
            await recheck(paintings, self.pool, settings.recheck_paintings, f"{self.config.seed} {step}")
            seconds = replace(seconds, recheck=time.perf_counter() - started)
        return GroupResult(rollouts, seconds, cached)

    async def _evaluate_panel(self, completions: Sequence[str], context: ScoreContext) -> GroupResult:
        rollouts, seconds = await evaluate(
            completions, self._renderer, self.mix, context, render_seed=self.config.render.seed
        )
        return GroupResult(rollouts, seconds)

    def _submit(self, work: Coroutine[Any, Any, Value]) -> Future[Value]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)
