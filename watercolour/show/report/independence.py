"""Do the terms say different things? Correlations of their curves and of their values within groups.

Two curves that both rise correlate whatever they measure; so their lines are taken off as well (detrended), and the
changes from step to step are correlated too. What GRPO learns from are the differences within a group: the last matrix.

"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from watercolour.show.report.trend import detrended
from watercolour.statistics import Correlations, correlate

LEAST_STEPS = 4


@dataclass(frozen=True)
class Independence:
    """`raw`, `detrended` and `differences` are of the terms' means by step, `within_groups` of single rollouts.

    None where there is nothing to correlate.
    """

    raw: Correlations
    detrended: Correlations
    differences: Correlations
    within_groups: Correlations | None


def independence(
    steps: Sequence[int],
    terms: Mapping[str, Sequence[float | None]],
    rollouts: Sequence[tuple[int, Mapping[str, float | None]]],
) -> Independence | None:
    """How the terms go together. `terms` has each one's mean by step, `rollouts` each step with its values by term.

    Only steps that have every term count, and terms that have any value. None under two terms or four such steps.
    """
    series = {name: values for name, values in terms.items() if any(value is not None for value in values)}
    whole = [row for row in range(len(steps)) if all(values[row] is not None for values in series.values())]
    if len(series) < 2 or len(whole) < LEAST_STEPS:
        return None
    kept = {name: [value for row in whole if (value := values[row]) is not None] for name, values in series.items()}
    places = [steps[row] for row in whole]
    columns = {name: [values.get(name) for _, values in rollouts] for name in series}
    within = correlate(columns, [step for step, _ in rollouts], within=True) if rollouts else None
    return Independence(
        raw=correlate(kept),
        detrended=correlate({name: _flat(detrended(places, values)) for name, values in kept.items()}),
        differences=correlate({name: [float(d) for d in np.diff(values)] for name, values in kept.items()}),
        within_groups=within,
    )


def n_eff(terms: int, correlation: float) -> float:
    """k / (1 + (k - 1) r): independent signals in the mean of k terms that all correlate at r.

    Where they differ r is the mean over pairs; a negative one counts as 0, so that there are never more than k.
    """
    return terms / (1 + (terms - 1) * max(0.0, correlation))


def mean_correlation(found: Correlations) -> float | None:
    """The mean over the pairs of a matrix; None where there is no pair."""
    count = len(found.names)
    if count < 2:
        return None
    return (sum(map(sum, found.matrix)) - count) / (count * (count - 1))


def between(one: Mapping[int, float], other: Mapping[int, float]) -> float | None:
    """The detrended correlation of one term's curves in two runs, over the steps that both have."""
    steps = sorted(one.keys() & other.keys())
    if len(steps) < LEAST_STEPS:
        return None
    both = {
        "one": _flat(detrended(steps, [one[step] for step in steps])),
        "other": _flat(detrended(steps, [other[step] for step in steps])),
    }
    found = correlate(both)
    return found.matrix[0][1] if len(found.names) == 2 else None


def _flat(values: Sequence[float]) -> list[float]:
    """Noise of the arithmetic as what it is: no spread."""
    return [0.0 if abs(value) < 1e-9 else value for value in values]
