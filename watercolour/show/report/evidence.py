"""What a report is made from: the steps of a run or of a bare curve, in one shape, and a run's rollouts.

Nothing is computed here but a step's own means; where a run has no such number it is None.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from watercolour.errors import InfraError
from watercolour.files import read_lines
from watercolour.runs import RolloutRecord, RunDir

EVAL = "eval.jsonl"

SERIES = (
    "entropy kl_to_start diversity coverage completion_tokens clipped_share zero_spread_share unscored_share"
    " learning_rate grad_norm loss"
).split()
"""What a step may have besides its reward and terms, as metrics.jsonl calls it."""


@dataclass(frozen=True)
class Step:
    """One step: means over its scored rollouts. `terms` are those of the rollouts that each term was asked about."""

    step: int
    reward: float | None
    median: float | None = None
    best: float | None = None
    terms: Mapping[str, float | None] = field(default_factory=dict)
    series: Mapping[str, float | None] = field(default_factory=dict)
    """By the names of SERIES."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Wall seconds by stage; they add up to the step."""


@dataclass(frozen=True)
class Evidence:
    """A run or a curve. `kinds` and `weights` are the reward's terms by name: gate, length, judge, ... and what each
    counts.

    `rollouts` and `evals` (the lines of eval.jsonl) are empty where there are none, as for a curve.

    """

    name: str
    source: Literal["run", "curve"]
    steps: tuple[Step, ...]
    kinds: Mapping[str, str] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    rollouts: tuple[RolloutRecord, ...] = ()
    evals: tuple[Mapping[str, Any], ...] = ()
    cached_renders: int | None = None
    status: str | None = None
    torch: str | None = None
    """torch's version as run.json has it; it ends in +cpu where there was no GPU."""
    run: RunDir | None = None

    @property
    def scored(self) -> list[RolloutRecord]:
        """The rollouts that have a reward."""
        return [rollout for rollout in self.rollouts if rollout.reward is not None]

    def by_step(self) -> dict[int, list[RolloutRecord]]:
        """The rollouts of each step."""
        steps: dict[int, list[RolloutRecord]] = {}
        for rollout in self.rollouts:
            steps.setdefault(rollout.step, []).append(rollout)
        return steps

    def column(self, name: str) -> list[float | None]:
        """One of SERIES by step."""
        return [step.series.get(name) for step in self.steps]

    def paid_terms(self) -> list[str]:
        """The terms that say how well it is painted: neither gate nor length."""
        names = dict.fromkeys(name for step in self.steps for name in step.terms)
        return [name for name in names if self.kinds.get(name, name) not in ("gate", "length")]

    def picture(self, rollout: RolloutRecord) -> Path | None:
        """The file of a rollout's painting, where the run has it."""
        if self.run is None or rollout.painting is None:
            return None
        try:
            path = self.run.image_path(rollout.painting)
        except ValueError:  # what is no hash names no image
            return None
        return path if path.is_file() else None


def read_run(run: RunDir) -> Evidence:
    """A run's records as far as they go: it may be going on, and its last line may be torn. Raises InfraError."""
    config = _config(run)
    metrics = {record["step"]: record for record in run.metrics()}
    rollouts = run.rollouts()
    groups: dict[int, list[RolloutRecord]] = {}
    for rollout in rollouts:
        groups.setdefault(rollout.step, []).append(rollout)
    terms = [term for term in (config.get("reward") or {}).get("terms") or [] if isinstance(term, dict)]
    steps = [_step(step, metrics.get(step, {}), groups.get(step, [])) for step in sorted(metrics.keys() | groups)]
    cached = [number(record.get("cached_renders")) for record in metrics.values()]
    facts = run.facts()
    return Evidence(
        name=run.path.resolve().name,
        source="run",
        steps=tuple(steps),
        kinds={_called(term): str(term.get("term")) for term in terms},
        weights={_called(term): number(term.get("weight")) or 0.0 for term in terms},
        rollouts=tuple(rollouts),
        evals=tuple(read_lines(run.path / EVAL)),
        cached_renders=int(sum(value or 0 for value in cached)) if any(value is not None for value in cached) else None,
        status=facts.get("status"),
        torch=(facts.get("versions") or {}).get("torch"),
        run=run,
    )


def number(value: object) -> float | None:
    """A finite number, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


def mean(values: Sequence[float | None]) -> float | None:
    """The mean of those that are not None, or None of nothing."""
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


def _config(run: RunDir) -> dict[str, Any]:
    try:
        return run.resolved_config()
    except InfraError:  # what the terms weigh is then left out
        return {}


def _called(term: Mapping[str, Any]) -> str:
    return str(term.get("name") or term.get("term"))


def _step(step: int, metrics: Mapping[str, Any], rollouts: Sequence[RolloutRecord]) -> Step:
    """Rollouts count where there are some: they are the finer record, and are written first."""
    rewards = [rollout.reward for rollout in rollouts if rollout.reward is not None]
    trainer = _mapping(metrics.get("trainer"))
    series = {name: _first(metrics.get(name), trainer.get(name)) for name in SERIES}
    if isinstance(diversity := metrics.get("diversity"), Mapping):  # of sources and of pictures: those count here
        series["diversity"] = number(diversity.get("picture_distance"))
    if rollouts:
        series["unscored_share"] = 1 - len(rewards) / len(rollouts)
        series["clipped_share"] = sum(rollout.truncated for rollout in rollouts) / len(rollouts)
        series["completion_tokens"] = mean([float(rollout.tokens) for rollout in rollouts])
        series["coverage"] = mean([rollout.coverage for rollout in rollouts])
        series["zero_spread_share"] = float(max(rewards) - min(rewards) <= 1e-9) if len(rewards) > 1 else None
    names = dict.fromkeys(name for rollout in rollouts for name in rollout.terms)
    terms = {name: mean([r.terms[name].value for r in rollouts if name in r.terms]) for name in names}
    told = {str(name): number(value) for name, value in _mapping(metrics.get("terms")).items()}
    return Step(
        step=step,
        reward=mean(rewards) if rollouts else number(metrics.get("reward")),
        median=statistics.median(rewards) if rewards else None,
        best=max(rewards) if rewards else number(metrics.get("reward_best")),
        terms={**told, **terms} if rollouts else told,
        series=series,
        seconds={
            str(stage): seconds
            for stage, value in _mapping(metrics.get("seconds")).items()
            if (seconds := number(value)) is not None
        },
    )


def _first(*values: object) -> float | None:
    return next((found for value in values if (found := number(value)) is not None), None)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
