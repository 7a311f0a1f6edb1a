"""How rewards and their terms go together: correlations, the effective number of signals, rank agreement.

Nothing here knows of files or terms; groups are the steps of a run, whose rollouts are compared with each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

HIGH_CORRELATION = 0.85
"""Above this two terms say nearly the same: the published nine-term rubric plateaued with pairs at .85 to .95."""
LEAST_ROWS = 3
"""Fewer values than this make no correlation: of two, it is always 1 or -1."""
NO_SPREAD = 1e-9
RESAMPLES = 1000
INTERVAL = 0.95

Statistic = Callable[["NDArray[np.float64]", "NDArray[np.float64]"], "float | None"]

BAD_REWARD = 0.3
"""A painting that earns less has failed, whether by the gate or by its looks. The published runs count so."""


@dataclass(frozen=True)
class Correlations:
    """How terms vary together over `rows` rollouts.

    `matrix` is Pearson's r of `names`, in their order; `effective` is the number of signals in it, from 1 to the number
    of names, None of an empty matrix. `constant` are the terms without spread, `absent` those without any value;
    neither is in the matrix. `left_out` counts the rollouts that lack a value.
    """

    rows: int
    left_out: int
    names: tuple[str, ...]
    matrix: tuple[tuple[float, ...], ...]
    effective: float | None
    constant: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()

    def warnings(self) -> list[str]:
        """A sentence for each pair that says nearly the same, and for each term without spread or values."""
        told = [
            f"{one} and {other} correlate at {self.matrix[row][column]:.2f}: they are nearly one signal"
            for row, one in enumerate(self.names)
            for column, other in enumerate(self.names[:row])
            if abs(self.matrix[row][column]) > HIGH_CORRELATION
        ]
        told += [f"{name} has no spread: it tells no rollout from another" for name in self.constant]
        return told + [f"{name} has no values" for name in self.absent]

    def record(self) -> dict[str, Any]:
        """As plain data, with the warnings."""
        return asdict(self) | {"warnings": self.warnings()}


def correlate(
    terms: Mapping[str, Sequence[float | None]], groups: Sequence[object] | None = None, *, within: bool = False
) -> Correlations:
    """Pearson's correlations of terms, each with a value for every rollout, or None.

    Missing values are left out listwise: only rollouts with a value of every term count, so that all entries of the
    matrix speak of the same rollouts and its eigenvalues are never negative. A term without any value is left aside
    first. With `within`, each group's mean is taken off first, and groups of one rollout are left out: what is left is
    what a group-relative advantage sees.
    """
    absent = tuple(name for name, values in terms.items() if all(value is None for value in values))
    names = [name for name in terms if name not in absent]
    total = len(next(iter(terms.values()), ()))
    table = np.array([[_number(value) for value in terms[name]] for name in names], dtype=np.float64)
    table = table.reshape(len(names), total)
    whole: NDArray[np.bool_] = np.asarray(~np.isnan(table).any(axis=0))
    if within:
        table, whole = _centred(table, whole, list(groups or [0] * total))
    rows = table[:, whole] if names else table
    count = rows.shape[1] if names else 0
    spread = [bool(count) and float(np.ptp(row)) > NO_SPREAD for row in rows]
    kept = [place for place in range(len(names)) if spread[place]] if count >= LEAST_ROWS else []
    constant = tuple(name for place, name in enumerate(names) if not spread[place]) if count >= LEAST_ROWS else ()
    matrix = _pearson(rows[kept]) if kept else np.zeros((0, 0))
    return Correlations(
        rows=count,
        left_out=total - count,
        names=tuple(names[place] for place in kept),
        matrix=tuple(tuple(float(value) for value in row) for row in matrix),
        effective=effective_signals(matrix),
        constant=constant,
        absent=absent,
    )


def effective_signals(matrix: NDArray[np.float64]) -> float | None:
    """(sum of eigenvalues)^2 / (sum of their squares) of a correlation matrix: 1 for copies, n for n independent terms.

    The participation ratio; Bretherton et al., "The effective number of spatial degrees of freedom of a time-varying
    field", Journal of Climate 12 (1999), 1990-2009. For a symmetric matrix the sums are its trace and the sum of its
    squared entries, so no eigenvalue need be computed. None of an empty matrix. It is not the k / (1 + (k - 1) r) of a
    mean's variance: five terms that all correlate at .9 are 1.18 signals here, and 1.09 there.
    """
    return float(np.trace(matrix) ** 2 / np.sum(matrix**2)) if matrix.size else None


def spearman(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    """Spearman's rank correlation: Pearson's r of the ranks, ties sharing their mean. None where one has no spread."""
    from scipy.stats import rankdata

    if not _both_spread(first, second):
        return None
    return float(_pearson(np.stack([rankdata(first), rankdata(second)]))[0, 1])


def kendall(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    """Kendall's tau-b, which makes up for ties. None where one has no spread."""
    from scipy.stats import kendalltau

    if not _both_spread(first, second):
        return None
    # The method is of the p-value, which is not used; the asymptotic one is the quicker, and divides by n - 2.
    return float(kendalltau(first, second, method="asymptotic" if len(first) > 2 else "exact").statistic)


@dataclass(frozen=True)
class Estimate:
    """A statistic with its 95 % interval: `low` and `high` are None where groups are too few to tell."""

    value: float | None
    low: float | None
    high: float | None
    groups: int
    """Groups that it is of."""


def pooled(statistic: Statistic, first: Sequence[float], second: Sequence[float], groups: Sequence[object]) -> Estimate:
    """A statistic over all rollouts. The interval is a percentile bootstrap that draws whole groups."""
    pairs = [(np.asarray(first, float)[rows], np.asarray(second, float)[rows]) for rows in _rows_by_group(groups)]

    def of(drawn: Sequence[int]) -> float | None:
        if not len(drawn):
            return None
        return statistic(*(np.concatenate([pairs[group][side] for group in drawn]) for side in (0, 1)))

    return Estimate(of(range(len(pairs))), *_bootstrap(of, len(pairs)), len(pairs))


def within_groups(
    statistic: Statistic, first: Sequence[float], second: Sequence[float], groups: Sequence[object]
) -> Estimate:
    """The mean of a statistic over the groups in which both have spread, with a bootstrap over those groups."""
    values = []
    for rows in _rows_by_group(groups):
        value = statistic(np.asarray(first, float)[rows], np.asarray(second, float)[rows])
        if value is not None:
            values.append(value)
    table = np.array(values)

    def of(drawn: Sequence[int]) -> float | None:
        return float(table[list(drawn)].mean()) if len(drawn) else None

    return Estimate(of(range(len(values))), *_bootstrap(of, len(values)), len(values))


def ranks(values: Sequence[float]) -> list[float]:
    """Each value's rank as a share from 0 (lowest) to 1 (highest); ties share their mean, one alone is at 0.5."""
    from scipy.stats import rankdata

    if len(values) < 2:
        return [0.5] * len(values)
    return [float((rank - 1) / (len(values) - 1)) for rank in rankdata(values)]


def _bootstrap(of: Callable[[Sequence[int]], float | None], groups: int) -> tuple[float | None, float | None]:
    """The percentile interval of a statistic of `groups` groups; the same one each time."""
    if groups < 2:
        return None, None
    generator = np.random.default_rng(0)
    drawn = [of(generator.integers(0, groups, groups).tolist()) for _ in range(RESAMPLES)]
    values = [value for value in drawn if value is not None]
    if not values:
        return None, None
    low, high = np.quantile(values, [(1 - INTERVAL) / 2, (1 + INTERVAL) / 2])
    return float(low), float(high)


def _rows_by_group(groups: Sequence[object]) -> list[list[int]]:
    rows: dict[object, list[int]] = {}
    for row, group in enumerate(groups):
        rows.setdefault(group, []).append(row)
    return list(rows.values())


def _centred(
    table: NDArray[np.float64], whole: NDArray[np.bool_], groups: Sequence[object]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Each group's values less its mean over its whole rows; a row that is alone in its group no longer counts."""
    table, kept = table.copy(), whole.copy()
    for members in _rows_by_group(groups):
        rows = [row for row in members if whole[row]]
        if len(rows) < 2:
            kept[rows] = False
        else:
            # A column of equal values is exactly 0 less its mean only if the mean is exact, so the first is taken off.
            table[:, rows] -= table[:, rows[:1]]
            table[:, rows] -= table[:, rows].mean(axis=1, keepdims=True)
    return table, kept


def _pearson(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correlations of rows that all have spread; the diagonal is exactly 1."""
    # Scaled by the widest value, so that nothing is lost or overflows in the squares.
    centred = rows - rows.mean(axis=1, keepdims=True)
    centred /= np.abs(centred).max(axis=1, keepdims=True)
    centred /= np.sqrt((centred**2).sum(axis=1, keepdims=True))
    matrix: NDArray[np.float64] = np.clip(centred @ centred.T, -1.0, 1.0)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def _both_spread(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    return len(first) >= 2 and float(np.ptp(first)) > NO_SPREAD and float(np.ptp(second)) > NO_SPREAD


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
