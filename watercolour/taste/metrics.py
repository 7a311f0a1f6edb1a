"""What held-out scores are worth, each number with a bootstrap interval over source paintings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from pydantic import BaseModel, ConfigDict

from watercolour.taste.calibrate import fit_slope, sigmoid
from watercolour.taste.heldout import HeldOut

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESAMPLES = 1000
INTERVAL = (0.025, 0.975)


class Frozen(BaseModel):
    """A record that is written to taste.json as it stands."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Estimate(Frozen):
    """A share or mean, with the 95 % interval of `RESAMPLES` bootstrap resamples of the source paintings.

    An interval [1, 1] means that there was no error to resample, not that there can be none.
    """

    value: float
    low: float
    high: float
    count: int
    """Pairs or paintings that it is measured on."""


class Bin(Frozen):
    """Held-out pairs whose better-scored painting was given this chance of being the better one."""

    low: float
    high: float
    predicted: float
    observed: float
    pairs: int


class Bootstrap:
    """Resamples groups. A measure is given (b, n) weights, one row a resample, and gives (b,) values."""

    def __init__(self, groups: NDArray[np.int64], seed: int, resamples: int = RESAMPLES) -> None:
        rng = np.random.default_rng([seed, 2])
        number = int(groups.max()) + 1
        drawn = rng.multinomial(number, np.full(number, 1 / number), size=resamples).astype(float)
        self.weights = drawn[:, groups]

    def estimate(self, measure: Callable[[NDArray[np.float64]], NDArray[np.float64]], count: int) -> Estimate:
        """The measure on the paintings as they are, and its interval; resamples that lack a tier are left out."""
        value = float(measure(np.ones((1, self.weights.shape[1])))[0])
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn = measure(self.weights)
        drawn = drawn[np.isfinite(drawn)]
        low, high = np.quantile(drawn, INTERVAL) if drawn.size else (value, value)
        return Estimate(value=value, low=float(low), high=float(high), count=count)

    def pair_accuracy(self, held: HeldOut, outcomes: NDArray[np.bool_]) -> Estimate | None:
        """The share of held-out pairs that are scored the right way round, which is the AUC. None without pairs.

        `outcomes` (n, n) says where the row should beat the column. Equal scores are half right.
        """
        won, met = meetings(held, outcomes)
        if not met.any():
            return None
        return self.estimate(
            lambda weights: ((weights @ won) * weights).sum(1) / ((weights @ met) * weights).sum(1),
            int((met > 0).sum()),
        )

    def recall(self, right: NDArray[np.float64], classes: NDArray[np.int64]) -> Estimate:
        """Balanced accuracy: the mean over the classes of the share that was right; `right` (n,) lies in 0..1."""
        masks = [classes == each for each in np.unique(classes)]
        return self.estimate(
            lambda weights: np.mean([(weights * mask) @ right / (weights @ mask) for mask in masks], axis=0), len(right)
        )

    def accuracy(self, right: NDArray[np.float64]) -> Estimate:
        """Plain accuracy."""
        return self.estimate(lambda weights: weights @ right / weights.sum(1), len(right))


def meetings(held: HeldOut, outcomes: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(n, n) each: how often the row scored above the column it should beat, and how often the two met in a fold."""
    won, met = np.zeros(outcomes.shape), np.zeros(outcomes.shape)
    for folds, scores in zip(held.folds, held.scores, strict=True):
        together = outcomes & (folds[:, None] == folds)
        lead = scores[:, None] - scores
        met += together
        won += together * ((lead > 0) + 0.5 * (lead == 0))
    return won, met


def leads(
    held: HeldOut, outcomes: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Of all meetings: the winner's score less the loser's, the repeat, and the fold."""
    found, repeats, where = [], [], []
    for repeat, (folds, scores) in enumerate(zip(held.folds, held.scores, strict=True)):
        rows, columns = np.nonzero(outcomes & (folds[:, None] == folds))
        found.append(scores[rows] - scores[columns])
        repeats.append(np.full(len(rows), repeat))
        where.append(folds[rows])
    return np.concatenate(found), np.concatenate(repeats), np.concatenate(where)


def calibration_curve(held: HeldOut, outcomes: NDArray[np.bool_], bins: int = 5) -> list[Bin]:
    """Predicted against observed, for chances of .5 to 1; a fold's slope comes from the other folds of its repeat."""
    lead, repeats, folds = leads(held, outcomes)
    chance = np.full(len(lead), np.nan)
    for repeat, fold in np.unique(np.stack([repeats, folds]), axis=1).T:
        here = (repeats == repeat) & (folds == fold)
        others = (repeats == repeat) & (folds != fold)
        if others.any():
            slope = fit_slope(lead[others], np.ones(int(others.sum())), outcomes.shape[0])
            chance[here] = sigmoid(slope * np.abs(lead[here]))
    known = np.isfinite(chance)
    right, chance = ((lead > 0) + 0.5 * (lead == 0))[known], chance[known]
    edges = np.linspace(0.5, 1, bins + 1)
    place = np.clip(np.searchsorted(edges, chance, side="right") - 1, 0, bins - 1)
    return [
        Bin(
            low=float(edges[at]),
            high=float(edges[at + 1]),
            predicted=float(chance[place == at].mean()),
            observed=float(right[place == at].mean()),
            pairs=int((place == at).sum()),
        )
        for at in range(bins)
        if (place == at).any()
    ]


def calibration_error(curve: list[Bin]) -> float:
    """The mean distance of predicted from observed, over the pairs: the expected calibration error."""
    total = sum(each.pairs for each in curve)
    return sum(each.pairs * abs(each.predicted - each.observed) for each in curve) / total if total else 0.0
