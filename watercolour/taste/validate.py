"""The report on a taste: what it gets right on paintings it never saw, how many ratings that takes, where it fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from watercolour.references import Reference, Tier
from watercolour.taste.calibrate import Calibration, fit_slope
from watercolour.taste.heldout import HeldOut, Ratings, hold_out
from watercolour.taste.metrics import Bin, Bootstrap, Estimate, Frozen, calibration_curve, calibration_error, leads
from watercolour.taste.pairs import RANK, tier_outcomes, tiers_present

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHARES = (0.125, 0.25, 0.5, 0.75)
"""Parts of the ratings for the learning curve, besides all."""
CURVE_REPEATS = 5


class Split(Frozen):
    """Two classes told apart: the better tiers against the rest."""

    auc: Estimate | None
    balanced_accuracy: Estimate
    accuracy: Estimate
    majority: float
    """The plain accuracy of always naming the larger class."""


class CurvePoint(Frozen):
    """Pair accuracies of heads that saw this many ratings."""

    ratings: float
    pairs: dict[str, Estimate]


class Report(Frozen):
    """Everything is measured on held-out paintings, but `probes`, which are in no pool."""

    folds: int
    repeats: int
    groups: int
    tiers: dict[str, int]
    pairs: dict[str, Estimate]
    """Accuracy by kind of pair, such as `love over okay`."""
    coverage_alone: dict[str, Estimate]
    """The same for a rule without any learning, more paint is better: what a taste must beat."""
    splits: dict[str, Split]
    three_tiers: Estimate
    """Balanced accuracy at naming the tier; by chance it would be 1 over the number of tiers."""
    calibration: list[Bin]
    calibration_error: float
    curve: list[CurvePoint]
    flip_mean: float
    flip_worst: float
    """How far the value (0..1) of a painting and of its mirror image lie apart, in the mean and at most."""
    nope_above_okay: list[str]
    """Rejected paintings that score above the median okay one, highest first."""
    probes: dict[str, dict[str, float]]
    """Value, score and distance of pictures that nobody could like."""


def held_out_folds(ratings: Ratings, most: int) -> int:
    """As many folds as the rarest tier has source paintings, but at most `most`; below 2 there is no held-out test."""
    fewest = min(len(set(ratings.groups[ratings.ranks == rank].tolist())) for rank in set(ratings.ranks.tolist()))
    return min(most, fewest)


def calibrate(held: HeldOut, ratings: Ratings) -> Calibration:
    """The slope from held-out pairs, each two tiers counting alike, and every tier's mean held-out scores."""
    lead, weight = [], []
    for better, worse in tiers_present(ratings.ranks):
        found, _, _ = leads(held, tier_outcomes(ratings.ranks, better, worse))
        lead.append(found)
        weight.append(np.full(len(found), 1 / max(1, len(found))))
    scores = held.scores.mean(0)
    rivals = {str(tier): scores[ratings.ranks == rank] for tier, rank in RANK.items() if (ratings.ranks == rank).any()}
    return Calibration(fit_slope(np.concatenate(lead), np.concatenate(weight), len(ratings.ranks)), rivals)


def validate(
    ratings: Ratings,
    references: Sequence[Reference],
    held: HeldOut,
    calibration: Calibration,
    probes: Mapping[str, dict[str, float]],
    *,
    seed: int,
    tick: Callable[[], None] = lambda: None,
) -> Report:
    """The report; `tick` is called after each point of the learning curve."""
    bootstrap = Bootstrap(ratings.groups, seed)
    folds = int(held.folds.max()) + 1
    outcomes = _outcomes(ratings)
    curve: list[CurvePoint] = []
    for share in SHARES:
        thinner = hold_out(ratings, seed=seed, repeats=CURVE_REPEATS, folds=folds, share=share)
        before = round(curve[-1].ratings) if curve else 0
        if before < round(thinner.trained_on) < round(held.trained_on):  # of few ratings, shares come out alike
            curve.append(CurvePoint(ratings=thinner.trained_on, pairs=_accuracies(bootstrap, thinner, outcomes)))
        tick()
    accuracies = _accuracies(bootstrap, held, outcomes)
    curve.append(CurvePoint(ratings=held.trained_on, pairs=accuracies))
    coverage = np.array([[reference.coverage for reference in references]])
    one_fold = HeldOut(np.zeros(coverage.shape, np.int64), coverage, coverage, np.zeros(coverage.shape, np.int64), 0.0)
    comparable = np.logical_or.reduce(list(outcomes.values()))
    bins = calibration_curve(held, comparable)
    apart = np.abs(_values(calibration, held.scores) - _values(calibration, held.mirrored))
    return Report(
        folds=folds,
        repeats=len(held.folds),
        groups=len(np.unique(ratings.groups)),
        tiers={str(tier): int((ratings.ranks == RANK[tier]).sum()) for tier in Tier},
        pairs=accuracies,
        coverage_alone=_accuracies(bootstrap, one_fold, outcomes),
        splits=_splits(bootstrap, held, ratings.ranks),
        three_tiers=bootstrap.recall((held.ranks == ratings.ranks).mean(0), ratings.ranks),
        calibration=bins,
        calibration_error=calibration_error(bins),
        curve=curve,
        flip_mean=float(apart.mean()),
        flip_worst=float(apart.max()),
        nope_above_okay=_nope_above_okay(held, ratings.ranks, references),
        probes=dict(probes),
    )


def _outcomes(ratings: Ratings) -> dict[str, NDArray[np.bool_]]:
    """Who should beat whom, by kind of pair; comparisons have a kind of their own, ties left out."""
    outcomes = {
        f"{better} over {worse}": tier_outcomes(ratings.ranks, better, worse)
        for better, worse in tiers_present(ratings.ranks)
    }
    decided = [pair for pair in ratings.pairs if not pair.tie]
    if decided:
        compared = np.zeros((len(ratings.ranks),) * 2, bool)
        for pair in decided:
            compared[pair.winner, pair.loser] = True
        outcomes["comparisons"] = compared & ~compared.T
    return outcomes


def _accuracies(bootstrap: Bootstrap, held: HeldOut, outcomes: Mapping[str, NDArray[np.bool_]]) -> dict[str, Estimate]:
    measured = {kind: bootstrap.pair_accuracy(held, each) for kind, each in outcomes.items()}
    return {kind: estimate for kind, estimate in measured.items() if estimate is not None}


def _splits(bootstrap: Bootstrap, held: HeldOut, ranks: NDArray[np.int64]) -> dict[str, Split]:
    """Each border between tiers that has paintings on both sides."""
    splits = {}
    for name, border in (("love or okay against nope", 1), ("love against the rest", 2)):
        good = ranks >= border
        if good.all() or not good.any():
            continue
        right = ((held.ranks >= border) == good).mean(0)
        splits[name] = Split(
            auc=bootstrap.pair_accuracy(held, np.logical_and.outer(good, ~good)),
            balanced_accuracy=bootstrap.recall(right, good.astype(np.int64)),
            accuracy=bootstrap.accuracy(right),
            majority=float(max(good.mean(), 1 - good.mean())),
        )
    return splits


def _values(calibration: Calibration, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    return calibration.value(scores.ravel()).reshape(scores.shape)


def _nope_above_okay(held: HeldOut, ranks: NDArray[np.int64], references: Sequence[Reference]) -> list[str]:
    scores = held.scores.mean(0)
    okay = scores[ranks == RANK[Tier.OKAY]]
    if not okay.size:
        return []
    above = [row for row in np.argsort(-scores) if ranks[row] == RANK[Tier.NOPE] and scores[row] > np.median(okay)]
    return [references[row].name for row in above]
