"""What a step's group is asked for: decided by the run's seed and the step, so that a resumed run asks the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watercolour.config import RunConfig
    from watercolour.medium import Medium


def run_subjects(config: RunConfig, medium: Medium) -> tuple[str, ...]:
    """All that a run asks for: its own subjects, or the medium's first."""
    return config.subject or medium.subjects[:1]


def panel_subjects(config: RunConfig, medium: Medium) -> tuple[str, ...]:
    """All that a run's evaluations ask for, none without evaluations."""
    if config.eval is None:
        return ()
    return config.eval.subjects or run_subjects(config, medium)


def subject_of(config: RunConfig, subjects: Sequence[str], step: int) -> str:
    """The subject of a step, from 1: that whose turn it is, or one drawn evenly and apart from all other steps."""
    if config.subject_order == "turns":
        return subjects[(step - 1) % len(subjects)]
    return random.Random(f"subject of run {config.seed}, step {step}").choice(subjects)
