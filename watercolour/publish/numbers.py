"""What a run's card says in numbers, from the run's own records and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Any

from watercolour.errors import ConfigError
from watercolour.runs import RolloutRecord, RunDir
from watercolour.statistics import BAD_REWARD


@dataclass(frozen=True)
class Part:
    """Some steps in a row: means over the steps of each step's mean; None where nothing was scored."""

    first: int
    last: int
    reward: float | None
    best: float | None
    bad_share: float | None
    coverage: float | None
    terms: Mapping[str, float | None]


@dataclass(frozen=True)
class RunNumbers:
    """A run as counts, and its thirds. `pictures` are those still on the disk of the `painted` ones."""

    steps: tuple[int, ...]
    rollouts: int
    scored: int
    painted: int
    pictures: int
    outcomes: Mapping[str, int]
    weights: Mapping[str, float]
    """Of every term that any rollout has, its weight when it was last written down."""
    subjects: tuple[str, ...]
    parts: tuple[Part, ...]
    hours: float
    """Wall time of all steps."""


@dataclass(frozen=True)
class _Step:
    number: int
    rewards: list[float]
    coverages: list[float]
    terms: dict[str, list[float]]


def count_run(run: RunDir) -> RunNumbers:
    """Read every step once. Raises ConfigError for a run without rollouts, InfraError for one that cannot be read."""
    outcomes: Counter[str] = Counter()
    weights: dict[str, float] = {}
    subjects: dict[str, None] = {}
    steps: list[_Step] = []
    painted = pictures = 0
    for path in sorted(run.rollouts_dir.glob("step-*.jsonl")):
        rollouts = run.rollouts(int(path.stem.rpartition("-")[2]))
        if not rollouts:
            continue
        outcomes.update(rollout.outcome for rollout in rollouts)
        weights |= {name: term.weight for rollout in rollouts for name, term in rollout.terms.items()}
        subjects |= dict.fromkeys(rollout.subject for rollout in rollouts)
        painted += sum(rollout.painting is not None for rollout in rollouts)
        pictures += sum(_is_there(run, rollout) for rollout in rollouts)
        steps.append(_step(rollouts))
    if not steps:
        raise ConfigError(f"{run.path}: has no rollouts yet, so there is nothing to publish")
    return RunNumbers(
        steps=tuple(step.number for step in steps),
        rollouts=sum(outcomes.values()),
        scored=sum(len(step.rewards) for step in steps),
        painted=painted,
        pictures=pictures,
        outcomes=dict(outcomes.most_common()),
        weights=weights,
        subjects=tuple(subjects),
        parts=tuple(_part(part, list(weights)) for part in _thirds(steps)),
        hours=sum(_seconds(line) for line in run.metrics()) / 3600,
    )


def _step(rollouts: Sequence[RolloutRecord]) -> _Step:
    values: dict[str, list[float]] = {}
    for rollout in rollouts:
        for name, term in rollout.terms.items():
            if term.value is not None:
                values.setdefault(name, []).append(term.value)
    rewards = [rollout.reward for rollout in rollouts if rollout.reward is not None]
    coverages = [rollout.coverage for rollout in rollouts if rollout.coverage is not None]
    return _Step(rollouts[0].step, rewards, coverages, values)


def _thirds(steps: Sequence[_Step]) -> list[Sequence[_Step]]:
    """Three parts as equal as can be, or one a step where there are fewer."""
    count = min(3, len(steps))
    edges = [round(index * len(steps) / count) for index in range(count + 1)]
    return [steps[start:end] for start, end in pairwise(edges)]


def _part(steps: Sequence[_Step], terms: Sequence[str]) -> Part:
    scored = [step for step in steps if step.rewards]
    rewards = [reward for step in scored for reward in step.rewards]
    return Part(
        first=steps[0].number,
        last=steps[-1].number,
        reward=_mean([fmean(step.rewards) for step in scored]),
        best=_mean([max(step.rewards) for step in scored]),
        bad_share=sum(reward < BAD_REWARD for reward in rewards) / len(rewards) if rewards else None,
        coverage=_mean([fmean(step.coverages) for step in steps if step.coverages]),
        terms={name: _mean([fmean(step.terms[name]) for step in steps if step.terms.get(name)]) for name in terms},
    )


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _seconds(line: Mapping[str, Any]) -> float:
    seconds = line.get("seconds")
    values = seconds.values() if isinstance(seconds, Mapping) else ()
    return sum(value for value in values if isinstance(value, int | float))


def _is_there(run: RunDir, rollout: RolloutRecord) -> bool:
    try:
        return rollout.painting is not None and run.image_path(rollout.painting).is_file()
    except ValueError:
        return False
