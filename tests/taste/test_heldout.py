"""Nothing that a head was fitted to is held out from it, and the numbers say what the features are worth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.taste.conftest import synthetic
from watercolour.references import Tier
from watercolour.taste import heldout
from watercolour.taste.heldout import grouped_folds, hold_out
from watercolour.taste.metrics import Bootstrap, calibration_curve, calibration_error
from watercolour.taste.pairs import tier_outcomes


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 8)), min_size=4, max_size=60), st.integers(0, 99))
@settings(max_examples=60)
def test_a_group_never_straddles_folds_and_tiers_are_spread(paintings: list[tuple[int, int]], seed: int) -> None:
    ranks, groups = np.array(paintings).T
    groups = np.unique(groups, return_inverse=True)[1]
    folds = grouped_folds(ranks, groups, 4, np.random.default_rng(seed))
    assert all(len(set(folds[groups == group])) == 1 for group in set(groups))
    apart = grouped_folds(ranks, np.arange(len(ranks)), 4, np.random.default_rng(seed))
    for rank in range(3):
        counts = np.bincount(apart[ranks == rank], minlength=4)
        assert counts.max() - counts.min() <= 1


def test_no_head_sees_a_variant_of_what_it_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = synthetic((12, 12, 12), 1)
    groups = np.arange(36) // 3
    features = np.hstack([ratings.features, groups[:, None].astype(np.float32)])
    trained: list[set[int]] = []
    real = heldout.fit_head

    def spy(features: np.ndarray, *rest: object) -> object:
        trained.append(set(features[:, -1].astype(int)))
        return real(features, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(heldout, "fit_head", spy)
    held = hold_out(replace(ratings, features=features, mirrored=features, groups=groups), seed=0, repeats=3, folds=4)
    for number, seen in enumerate(trained):
        repeat, fold = divmod(number, 4)
        assert not seen & set(groups[held.folds[repeat] == fold])
    assert len(trained) == 12


def test_signal_is_found_and_noise_is_not() -> None:
    for gap, low, high in ((4, 0.95, 1.0), (0, 0.3, 0.7)):
        ratings = synthetic((25, 25, 25), gap)
        held = hold_out(ratings, seed=0, repeats=3)
        accuracy = Bootstrap(ratings.groups, 0).pair_accuracy(held, tier_outcomes(ratings.ranks, Tier.LOVE, Tier.OKAY))
        assert accuracy is not None
        assert low <= accuracy.value <= high
        assert accuracy.low <= accuracy.value <= accuracy.high


def test_copies_of_noise_look_like_signal_only_when_they_are_not_grouped() -> None:
    """Ratings of noise, each painting with a twin of its own rating: an ungrouped test would call it a taste."""
    ratings = synthetic((20, 20, 20), 0, seed=2, width=80)
    double = np.concatenate([ratings.features, ratings.features + 0.01])
    ranks = np.concatenate([ratings.ranks, ratings.ranks])
    outcomes = tier_outcomes(ranks, Tier.LOVE, Tier.NOPE)
    values = []
    for groups in (np.arange(120), np.concatenate([np.arange(60)] * 2)):
        held = hold_out(
            replace(ratings, features=double, mirrored=double, ranks=ranks, groups=groups), seed=0, repeats=2
        )
        accuracy = Bootstrap(groups, 0).pair_accuracy(held, outcomes)
        assert accuracy is not None
        values.append(accuracy.value)
    leaking, honest = values
    assert leaking > 0.9
    assert honest < 0.75


def test_fewer_ratings_are_shown_by_tier_and_the_seed_decides() -> None:
    ratings = synthetic((40, 20, 8), 2)
    thin = hold_out(ratings, seed=3, repeats=2, share=0.25)
    assert 10 <= thin.trained_on <= 16
    assert np.array_equal(thin.scores, hold_out(ratings, seed=3, repeats=2, share=0.25).scores)
    assert not np.array_equal(thin.folds, hold_out(ratings, seed=4, repeats=2, share=0.25).folds)


def test_interval_is_wider_for_fewer_sources() -> None:
    right = np.array([1.0, 0.0, 1.0, 1.0] * 10)
    many = Bootstrap(np.arange(40), 0).accuracy(right)
    few = Bootstrap(np.arange(40) // 10, 0).accuracy(np.repeat([1.0, 0.0, 1.0, 1.0], 10))
    assert many.value == few.value == 0.75
    assert few.high - few.low > many.high - many.low


def test_balanced_accuracy_is_not_fooled_by_the_larger_class() -> None:
    classes = np.array([0] * 90 + [1] * 10)
    always_nope = (classes == 0).astype(float)
    bootstrap = Bootstrap(np.arange(100), 0)
    assert bootstrap.accuracy(always_nope).value == 0.9
    assert bootstrap.recall(always_nope, classes).value == 0.5


def test_calibration_curve_counts_every_meeting_and_is_near_the_truth() -> None:
    ratings = synthetic((60, 60, 0), 1)
    held = hold_out(ratings, seed=0, repeats=2)
    outcomes = tier_outcomes(ratings.ranks, Tier.OKAY, Tier.NOPE)
    curve = calibration_curve(held, outcomes)
    assert sum(each.pairs for each in curve) == sum(
        int((outcomes & (folds[:, None] == folds)).sum()) for folds in held.folds
    )
    assert calibration_error(curve) < 0.15
