"""Does it rise? Thirds of the run with the difference and its interval, and the slope with two values of t.

Steps follow each other, so that their noise may go together; intervals and the t of Newey and West allow for that.
Source: Newey and West, "A simple, positive semi-definite, heteroskedasticity and autocorrelation consistent covariance
matrix", Econometrica 55 (1987), 703-708; lags by the rule floor(4 (n / 100)^(2/9)).

"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

INTERVAL = 0.95
NO_ERROR = 1e-12

Item = TypeVar("Item")


@dataclass(frozen=True)
class Trend:
    """A series by step. `thirds` are equal: with n steps each has n // 3, and the last n % 3 steps are in none of them.

    `difference` is last less first third, in `low`..`high` with 95 %; `slope` is by least squares, a step. None where
    the steps are too few: under 3 for thirds and slope, under 6 for the interval; t is None too where nothing is left
    to err.

    """

    steps: int
    left_out: int
    thirds: tuple[float, float, float] | None
    difference: float | None
    low: float | None
    high: float | None
    slope: float | None
    t: float | None
    t_newey_west: float | None
    lags: int | None


def thirds_of(items: Sequence[Item]) -> tuple[Sequence[Item], Sequence[Item], Sequence[Item]] | None:
    """First, second and third n // 3 of them; None under 3."""
    size = len(items) // 3
    return (items[:size], items[size : 2 * size], items[2 * size : 3 * size]) if size else None


def trend(steps: Sequence[int], values: Sequence[float | None]) -> Trend:
    """The trend of a series over steps; those without a value are left out."""
    known = [(step, value) for step, value in zip(steps, values, strict=True) if value is not None]
    parts = thirds_of([value for _, value in known])
    if parts is None:
        return Trend(len(known), len(known), None, None, None, None, None, None, None, None)
    y = np.array([value for _, value in known])
    x = np.array([float(step) for step, _ in known])
    count = len(y)
    first, second, third = (math.fsum(part) / len(part) for part in parts)
    lags = newey_west_lags(count)
    line = np.stack([np.ones(count), x - x.mean()], axis=1)
    slope, plain, robust = _fit(line, y, lags)
    low, high = _interval(y[: 3 * (count // 3)], lags)
    return Trend(
        steps=count,
        left_out=count % 3,
        thirds=(first, second, third),
        difference=third - first,
        low=low,
        high=high,
        slope=slope,
        t=_ratio(slope, plain),
        t_newey_west=_ratio(slope, robust),
        lags=lags,
    )


def newey_west_lags(count: int) -> int:
    """How many lags count for that many steps."""
    return math.floor(4 * math.pow(count / 100, 2 / 9))


def detrended(steps: Sequence[int], values: Sequence[float]) -> list[float]:
    """What is left of a series when its line by least squares is taken off."""
    x, y = np.array(steps, float), np.array(values, float)
    line = np.stack([np.ones(len(x)), x - x.mean()], axis=1)
    return [float(value) for value in y - line @ np.linalg.lstsq(line, y, rcond=None)[0]]


def _interval(y: NDArray[np.float64], lags: int) -> tuple[float | None, float | None]:
    """Around the difference of last and first third: a regression on which third a step is in."""
    from scipy.stats import t as student

    size = len(y) // 3
    if size < 2:
        return None, None
    design = np.zeros((3 * size, 3))
    design[:, 0] = 1
    design[size : 2 * size, 2] = 1
    design[2 * size :, 1] = 1
    difference, _, error = _fit(design, y, lags)
    if error is None:
        return None, None
    half = float(student.ppf((1 + INTERVAL) / 2, 3 * size - 3)) * error
    return difference - half, difference + half


def _fit(design: NDArray[np.float64], y: NDArray[np.float64], lags: int) -> tuple[float, float | None, float | None]:
    """The second coefficient by least squares, its usual standard error, and Newey and West's (times n / (n - k))."""
    count, width = design.shape
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ y
    rest = y - design @ coefficients
    free = count - width
    if free < 1 or float(np.abs(rest).max()) <= NO_ERROR:
        return float(coefficients[1]), None, None
    usual = inverse * float(rest @ rest) / free
    scores = design * rest[:, None]
    middle = scores.T @ scores
    for lag in range(1, min(lags, count - 1) + 1):
        shared = scores[lag:].T @ scores[:-lag]
        middle += (1 - lag / (lags + 1)) * (shared + shared.T)
    robust = inverse @ middle @ inverse * count / free
    return float(coefficients[1]), _root(usual[1, 1]), _root(robust[1, 1])


def _root(variance: float) -> float | None:
    return math.sqrt(variance) if variance > 0 else None


def _ratio(value: float, error: float | None) -> float | None:
    return None if error is None else value / error
