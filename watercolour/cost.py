"""What a run will take, from its configuration alone: renders, judge calls, tokens, disk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from watercolour.medium import load_medium
from watercolour.reward.settings import AbsoluteSettings, AnyTermSettings, PairwiseSettings
from watercolour.subjects import panel_subjects

if TYPE_CHECKING:
    from watercolour.config import RunConfig

PNG_BYTES = 250_000
"""A painting of 600 x 600 pixels on disk, about; for the estimate of a run's size."""


@dataclass(frozen=True)
class Cost:
    """What a run will take, from its configuration alone. `judge_calls` and `tokens` are the most it may make."""

    renders: int
    judge_calls: int
    tokens: int
    disk_mb: float

    def describe(self) -> str:
        """One line."""
        return (
            f"{self.renders} renders, at most {self.judge_calls} judge calls and {self.tokens:,} sampled tokens, "
            f"about {self.disk_mb:.0f} MB of paintings"
        )


def estimate_cost(config: RunConfig) -> Cost:
    """Renders, judge calls, sampled tokens and megabytes of a whole run, its preflight left out."""
    rollouts = config.grpo.steps * config.grpo.generations + panel_rollouts(config)
    renders = rollouts if config.render.paint else 0
    return Cost(
        renders=renders,
        judge_calls=sum(judge_calls(term, config) for term in config.reward.weighted),
        tokens=rollouts * config.grpo.max_completion_tokens,
        disk_mb=renders * PNG_BYTES / 1e6,
    )


def panel_rollouts(config: RunConfig) -> int:
    """Rollouts of all of a run's evaluations."""
    if config.eval is None:
        return 0
    steps, every = config.grpo.steps, config.eval.every_steps
    evaluations = len({0, steps, *(range(every, steps, every) if every else ())})
    return evaluations * len(panel_subjects(config, load_medium(config.medium))) * config.eval.samples


def judge_calls(term: AnyTermSettings, config: RunConfig) -> int:
    """The most calls that one of a run's terms may make; 0 for one that is no judge.

    A pair is asked about in both orders, and a pair within a group counts for both its rollouts.
    """
    generations, held_out = config.grpo.generations, panel_rollouts(config)
    rollouts = config.grpo.steps * generations
    if isinstance(term, PairwiseSettings):
        pool = 2 * term.references if term.rivals != "group" else 0
        group = min(term.group_rivals, generations - 1) if term.rivals != "pool" else 0
        panel = 2 * config.eval.references if config.eval else 0
        calls = rollouts * (pool + group) + held_out * panel
    elif isinstance(term, AbsoluteSettings):
        calls = rollouts + held_out
    else:
        return 0
    return min(calls, term.max_calls or calls)
