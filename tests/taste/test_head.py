"""The head finds what separates the tiers, the same way each time, and calibration makes chances of its scores."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.taste.conftest import synthetic
from watercolour.taste.calibrate import Calibration, fit_slope, sigmoid
from watercolour.taste.head import fit_head, principal_axes
from watercolour.taste.neighbours import Neighbours, measure_unit
from watercolour.taste.pairs import Pair, win_weights


def test_head_ranks_new_paintings_by_what_set_the_tiers_apart() -> None:
    ratings, fresh = synthetic((20, 20, 20), 3), synthetic((10, 10, 10), 3, seed=1)
    scores = fit_head(ratings.features, ratings.ranks).score(fresh.features)
    means = [scores[fresh.ranks == rank].mean() for rank in range(3)]
    assert means[0] < means[1] < means[2]
    again = fit_head(ratings.features, ratings.ranks).score(fresh.features)
    assert np.array_equal(scores, again)


def test_fit_is_at_the_minimum_of_the_stated_loss() -> None:
    ratings = synthetic((9, 7, 5), 1)
    head = fit_head(ratings.features, ratings.ranks, l2=0.01)
    z, wins = head.standardise(ratings.features), win_weights(ratings.ranks)
    assert np.mean((z**2).sum(1)) == pytest.approx(1)

    def loss(weights: np.ndarray) -> float:
        lead = (z @ weights)[:, None] - z @ weights
        return float((wins * np.log1p(np.exp(-lead))).sum() + 0.005 * weights @ weights)

    rng = np.random.default_rng(0)
    assert all(loss(head.weights) < loss(head.weights + 0.1 * rng.normal(size=12)) for _ in range(20))


def test_comparisons_alone_can_order_one_tier() -> None:
    ratings = synthetic((0, 12, 0), 0)
    order = np.argsort(ratings.features[:, 3])
    pairs = [Pair(int(better), int(worse)) for worse, better in itertools.pairwise(order)]
    scores = fit_head(ratings.features, ratings.ranks, pairs).score(ratings.features)
    assert np.corrcoef(scores, ratings.features[:, 3])[0, 1] > 0.8


def test_features_that_never_vary_or_are_of_another_length_do_no_harm() -> None:
    ratings = synthetic((6, 6, 6), 3)
    constant = np.hstack([ratings.features, np.full((18, 2), 7, np.float32)])
    head = fit_head(constant, ratings.ranks)
    assert np.isfinite(head.score(constant)).all()
    with pytest.raises(ValueError, match="do not fit a head for 14"):
        head.score(ratings.features)


def test_axes_are_orthonormal_and_hold_all_that_varies() -> None:
    z = np.random.default_rng(0).normal(size=(6, 40))
    axes = principal_axes(z - z.mean(0))
    assert axes.shape == (40, 5)
    assert np.allclose(axes.T @ axes, np.eye(5))


def test_slope_recovers_the_odds_that_made_the_pairs() -> None:
    rng = np.random.default_rng(0)
    lead = rng.normal(size=4000)
    won = rng.random(4000) < sigmoid(2 * lead)
    slope = fit_slope(np.where(won, lead, -lead), np.ones(4000), paintings=100_000)
    assert slope == pytest.approx(2, rel=0.15)


def test_slope_stays_finite_where_nothing_was_misjudged_and_small_where_all_was() -> None:
    lead = np.linspace(0.5, 1, 50)
    assert fit_slope(lead, np.ones(50), paintings=50) < 20
    assert fit_slope(-lead, np.ones(50), paintings=50) < 0.01


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20), st.floats(0.001, 1000))
def test_value_is_a_chance_that_rises_with_the_score(scores: list[float], slope: float) -> None:
    calibration = Calibration(slope, {"okay": np.array([0.0, 1.0]), "nope": np.array([-1.0])})
    values = calibration.value(np.sort(scores))
    assert ((values >= 0) & (values <= 1)).all()
    assert (np.diff(values) >= -1e-12).all()


def test_far_is_measured_by_the_rated_and_variants_are_no_neighbours() -> None:
    rng = np.random.default_rng(0)
    rated = rng.normal(size=(30, 5))
    groups = np.arange(30)
    twins = np.vstack([rated, rated + 1e-6])
    alone, with_twins = measure_unit(rated, groups), measure_unit(twins, np.concatenate([groups, groups]))
    assert with_twins > 0.5 * alone
    near = Neighbours(rated, alone)
    assert (near.distance(rated) < 1).mean() > 0.9
    assert near.distance(np.full((1, 5), 30.0))[0] > 5
    ((first, *_),) = near.nearest(rated[4:5])
    assert first == (4, pytest.approx(1))
