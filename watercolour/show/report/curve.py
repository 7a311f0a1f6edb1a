"""A bare training curve: a CSV with a line a step, as the published runs have it."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from pathlib import Path

from watercolour.errors import ConfigError
from watercolour.show.report.evidence import Evidence, Step

COLUMNS = {
    "entropy": "entropy",
    "frac_reward_zero_std": "zero_spread_share",
    "completions/mean_length": "completion_tokens",
    "clipped_ratio": "clipped_share",
    "paint_fraction_mean": "coverage",
    "learning_rate": "learning_rate",
    "grad_norm": "grad_norm",
    "loss": "loss",
}
"""What is known by another name in a run."""
TERMS = {"quality": "hpsv3"}
"""Terms by the word before _mean; others keep theirs."""
STAGE = "all stages"
PREFIX = "curve-"


def read_curve(path: Path) -> Evidence:
    """A curve's steps, in order. A column X_mean is the term X; what is empty or no number is None.

    Raises ConfigError where there is no such file, or no column `step` and `reward`, or a step is not a whole number.
    """
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
            fields = set(rows[0]) if rows else set()
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"{path}: cannot be read as a curve: {error}") from None
    if missing := sorted({"step", "reward"} - fields):
        raise ConfigError(f"{path}: not a curve: no column {' nor '.join(missing)}, or no row")
    steps: dict[int, Step] = {}
    for line, row in enumerate(rows, 2):
        step = _number(row["step"])
        if step is None or step != int(step):
            raise ConfigError(f"no whole number as step: {row['step']!r} ({path}:{line})")
        steps[int(step)] = _step(int(step), row)
    terms = steps[next(iter(steps))].terms
    return Evidence(
        name=path.stem.removeprefix(PREFIX),
        source="curve",
        steps=tuple(steps[step] for step in sorted(steps)),
        kinds={name: name for name in terms},
    )


def _step(step: int, row: Mapping[str, str]) -> Step:
    terms = {
        TERMS.get(word, word): _number(value)
        for name, value in row.items()
        if name and name.endswith("_mean") and name not in COLUMNS and (word := name.removesuffix("_mean"))
    }
    seconds = _number(row.get("step_time"))
    return Step(
        step=step,
        reward=_number(row["reward"]),
        terms=terms,
        series={ours: _number(row.get(theirs)) for theirs, ours in COLUMNS.items()},
        seconds={} if seconds is None else {STAGE: seconds},
    )


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None
