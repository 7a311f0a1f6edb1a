"""Scoring what is there already: sketches, replies, pictures and the rollouts of a run, group after group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from watercolour.errors import ConfigError
from watercolour.medium import load_medium
from watercolour.painting import Painting, RenderOutcome, read_picture, restore
from watercolour.policy.tokens import policy_count
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.reward.base import ScoreContext
from watercolour.reward.build import build_mix, needs_tokens
from watercolour.reward.mix import Reward
from watercolour.reward.settings import PairwiseSettings
from watercolour.sketch import extract

if TYPE_CHECKING:
    from watercolour.config import RunConfig
    from watercolour.runs import RolloutRecord

GROUP = 8
"""Files scored at once: enough for a batch of HPSv3, few enough that the pictures fit into memory."""


@dataclass(frozen=True)
class Candidate:
    """Something to be scored: a sketch's source or a whole reply, a picture file, or a run's rollout with its image.

    `record` goes with both a reply and, where the run kept it, a picture.
    """

    name: str
    reply: str | None = None
    picture: Path | None = None
    record: RolloutRecord | None = None


@dataclass(frozen=True)
class CandidateGroup:
    """Candidates that are scored together, on one draw of references. `subject` None is the configuration's first."""

    candidates: tuple[Candidate, ...]
    step: int = 0
    subject: str | None = None


@dataclass(frozen=True)
class Scored:
    """A candidate with its reward and what came of its painting; the pixels are let go."""

    candidate: Candidate
    outcome: RenderOutcome
    coverage: float
    sha256: str | None
    errors: tuple[str, ...]
    reward: Reward


def in_groups(candidates: Sequence[Candidate]) -> list[CandidateGroup]:
    """Candidates that belong to no step, a few at a time; all face the same draw."""
    return [CandidateGroup(tuple(candidates[at : at + GROUP])) for at in range(0, len(candidates), GROUP)]


def with_draw(config: RunConfig, references: int | None, seed: int | None) -> RunConfig:
    """The configuration with that many references for each pairwise judge, and that seed of the draws.

    Raises ConfigError where references are asked for and no weighted term draws any.
    """
    if seed is not None:
        config = config.model_copy(update={"seed": seed})
    if references is None:
        return config
    drawing = [term for term in config.reward.weighted if isinstance(term, PairwiseSettings) and term.rivals != "group"]
    if not drawing:
        raise ConfigError(f"--references: {config.name} has no weighted pairwise judge that faces the pool")
    terms = tuple(
        term.model_copy(update={"references": references}) if term in drawing else term for term in config.reward.terms
    )
    return config.model_copy(update={"reward": config.reward.model_copy(update={"terms": terms})})


class Scorer:
    """`async with Scorer(config) as scorer: scored = await scorer.score(group)`. A browser starts when one is needed.

    `painted` counts what had to be painted so far.
    """

    def __init__(self, config: RunConfig, *, workers: int | None = None) -> None:
        """Raises ConfigError or PrerequisiteError where a weighted term cannot work."""
        self.config = config
        self.medium = load_medium(config.medium)
        count = policy_count(config.policy) if needs_tokens(config) else None
        self.mix = build_mix(config, self.medium, count=count)
        self.painted = 0
        self._workers = workers or config.render.workers
        self._pool: RendererPool | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.mix.close()
        if self._pool is not None:
            await self._pool.close()

    async def score(self, group: CandidateGroup) -> list[Scored]:
        """Paint what must be painted, and score it all. In order.

        Raises ConfigError for a picture that cannot be read, TermStopped when a term can go no further.
        """
        paintings = await self._paintings(group.candidates)
        subject = group.subject or (self.config.subject or self.medium.subjects)[0]
        context = ScoreContext(run_seed=self.config.seed, step=group.step, subject=subject)
        rewards = await self.mix.score(paintings, context)
        return [
            Scored(candidate, painting.outcome, painting.coverage, painting.sha256, painting.errors, reward)
            for candidate, painting, reward in zip(group.candidates, paintings, rewards, strict=True)
        ]

    async def _paintings(self, candidates: Sequence[Candidate]) -> list[Painting]:
        there = [_painting_there(candidate) for candidate in candidates]
        missing = [row for row, painting in enumerate(there) if painting is None]
        painted = dict(zip(missing, await self._paint([candidates[row] for row in missing]), strict=True))
        return [painting or painted[row] for row, painting in enumerate(there)]

    async def _paint(self, candidates: Sequence[Candidate]) -> list[Painting]:
        if not candidates:
            return []
        if self._pool is None:
            render = self.config.render
            settings = RenderSettings(
                self.medium.size, frames=self.medium.frames, timeout_s=render.timeout_s, cpu_s=render.cpu_limit_s
            )
            pool = RendererPool(settings, workers=self._workers, backend=render.backend)
            self._pool = await pool.__aenter__()
        self.painted += len(candidates)
        sketches = [extract(candidate.reply or "") for candidate in candidates]
        return await self._pool.paint_all(sketches, seed=self.config.render.seed)


def _painting_there(candidate: Candidate) -> Painting | None:
    """The candidate's painting where it need not be painted. Raises ConfigError for a picture that cannot be read."""
    if candidate.record is not None:
        return recorded_painting(candidate.record, candidate.picture)
    if candidate.picture is None:
        return None
    try:
        return read_picture(candidate.picture)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{candidate.name}: not a readable picture ({error})") from error


def recorded_painting(record: RolloutRecord, image: Path | None) -> Painting | None:
    """A rollout's painting as it was when it was first scored.

    None where it must be painted, again or for the first time: its image is gone or is another, its measures were not
    written down, it never came to be through our fault, or its run did not paint.
    """
    if not record.measures or record.outcome not in list(RenderOutcome):
        return None
    if RenderOutcome(record.outcome).is_ours or record.outcome == RenderOutcome.NOT_PAINTED:
        return None
    painting = Painting(
        extract(record.completion),
        RenderOutcome(record.outcome),
        coverage=record.coverage or 0.0,
        errors=tuple(record.errors),
        seconds=record.seconds,
    )
    if record.painting is not None:
        try:
            picture = read_picture(image) if image else None
        except (OSError, ValueError):
            return None
        if picture is None or picture.sha256 != record.painting:
            return None
        painting = replace(painting, pixels=picture.pixels)
    return restore(painting, record.measures)
