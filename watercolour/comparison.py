"""Two rewards of the same rollouts: whether they rank them alike, step by step, and which they disagree on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from watercolour.statistics import Estimate, kendall, pooled, ranks, spearman, within_groups

MOST_MOVED = 5


@dataclass(frozen=True)
class Pair:
    """One rollout with its reward under the first mix and under the second."""

    step: int
    index: int
    first: float
    second: float


@dataclass(frozen=True)
class StepMeans:
    """A step's mean reward under both."""

    step: int
    rollouts: int
    first: float
    second: float


@dataclass(frozen=True)
class Move:
    """A rollout with its place among all under both, from 0 (worst) to 1 (best)."""

    pair: Pair
    first_rank: float
    second_rank: float

    def record(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self.pair) | {"first_rank": self.first_rank, "second_rank": self.second_rank}


@dataclass(frozen=True)
class Comparison:
    """How two rewards agree. `within` is the mean over the steps of each one's own rank correlation."""

    compared: int
    spearman: Estimate
    kendall: Estimate
    spearman_within: Estimate
    kendall_within: Estimate
    steps: tuple[StepMeans, ...]
    moved: tuple[Move, ...]

    def record(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "compared": self.compared,
            "overall": {"spearman": asdict(self.spearman), "kendall": asdict(self.kendall)},
            "within_groups": {"spearman": asdict(self.spearman_within), "kendall": asdict(self.kendall_within)},
            "steps": [asdict(step) for step in self.steps],
            "moved": [move.record() for move in self.moved],
        }


def compare(pairs: Sequence[Pair]) -> Comparison:
    """Rank agreement with 95 % intervals over steps, means by step, and the rollouts whose rank changed most."""
    first, second = [pair.first for pair in pairs], [pair.second for pair in pairs]
    steps = [pair.step for pair in pairs]
    return Comparison(
        compared=len(pairs),
        spearman=pooled(spearman, first, second, steps),
        kendall=pooled(kendall, first, second, steps),
        spearman_within=within_groups(spearman, first, second, steps),
        kendall_within=within_groups(kendall, first, second, steps),
        steps=tuple(_means(step, [pair for pair in pairs if pair.step == step]) for step in sorted(set(steps))),
        moved=_moved(pairs, ranks(first), ranks(second)),
    )


def _means(step: int, pairs: Sequence[Pair]) -> StepMeans:
    first, second = sum(pair.first for pair in pairs), sum(pair.second for pair in pairs)
    return StepMeans(step, len(pairs), first / len(pairs), second / len(pairs))


def _moved(pairs: Sequence[Pair], first: Sequence[float], second: Sequence[float]) -> tuple[Move, ...]:
    moves = [Move(*parts) for parts in zip(pairs, first, second, strict=True) if parts[1] != parts[2]]
    moves.sort(key=lambda move: (-abs(move.second_rank - move.first_rank), move.pair.step, move.pair.index))
    return tuple(moves[:MOST_MOVED])
