"""Agreement of two sets of tiers, against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from watercolour.curate.agreement import agree, interval, kappa, share_equal, weighted_kappa
from watercolour.references import Tier
from watercolour.statistics import Estimate

TIERS = st.dictionaries(st.sampled_from("abcdefghij"), st.sampled_from(list(Tier)))


def named(tiers: str) -> dict[str, Tier]:
    """Of "lon": paintings 0, 1, 2 are love, okay, nope."""
    return {str(number): {"l": Tier.LOVE, "o": Tier.OKAY, "n": Tier.NOPE}[tier] for number, tier in enumerate(tiers)}


def test_kappa_by_hand() -> None:
    # Rows first, columns second, in the order love, okay, nope:  2 1 0 / 1 2 0 / 1 0 3
    found = agree(named("lllooonnnn"), named("llolooLnnn".lower()))
    assert found.count == 10
    assert found.table == ((2, 1, 0), (1, 2, 0), (1, 0, 3))
    assert found.equal.value == 0.7
    # By chance: 0.3 x 0.4 + 0.3 x 0.3 + 0.4 x 0.3 = 0.33.
    assert found.kappa.value == pytest.approx((0.7 - 0.33) / (1 - 0.33))
    # Seen cost: (1 + 1 + 4) / 10 = 0.6. By chance: love-okay 0.3 x 0.3, love-nope 4 x 0.3 x 0.3, okay-love 0.3 x 0.4,
    # okay-nope 0.3 x 0.3, nope-love 4 x 0.4 x 0.4, nope-okay 0.4 x 0.3: 1.42.
    assert found.weighted_kappa.value == pytest.approx(1 - 0.6 / 1.42)
    assert found.equal.low is not None
    assert found.equal.high is not None
    assert found.equal.low <= 0.7 <= found.equal.high


def test_only_what_both_rate_counts() -> None:
    found = agree({"a": Tier.LOVE, "b": Tier.NOPE, "c": Tier.NOPE}, {"b": Tier.NOPE, "a": Tier.OKAY, "d": Tier.LOVE})
    assert found.count == 2
    assert found.table == ((0, 1, 0), (0, 0, 0), (0, 0, 1))


def test_no_painting_and_one_tier_alone_have_no_kappa() -> None:
    assert agree({}, {"a": Tier.LOVE}).equal.value is None
    alone = agree(named("lll"), named("lll"))
    assert alone.equal.value == 1.0
    assert alone.kappa.value is None
    assert alone.weighted_kappa.value is None
    assert interval(alone.kappa) == "-"


def test_opposite_ratings_are_worse_than_chance() -> None:
    found = agree(named("lnlnln"), named("nlnlnl"))
    assert found.kappa.value == -1.0
    assert found.weighted_kappa.value == -1.0


def test_an_interval_is_told_where_there_is_one() -> None:
    assert interval(Estimate(0.5, 0.25, 0.75, 9)) == "0.50 [0.25, 0.75]"
    assert interval(Estimate(0.5, None, None, 1)) == "0.50"


@given(TIERS, TIERS)
def test_agreement_is_the_same_from_either_side_and_never_above_one(
    first: dict[str, Tier], second: dict[str, Tier]
) -> None:
    rank = {Tier.NOPE: 0.0, Tier.OKAY: 1.0, Tier.LOVE: 2.0}
    both = [name for name in first if name in second]
    one, other = (np.array([rank[tiers[name]] for name in both]) for tiers in (first, second))
    for of in (share_equal, kappa, weighted_kappa):
        there, back = of(one, other), of(other, one)
        assert (there is None) == (back is None)
        if there is not None and back is not None:
            assert math.isclose(there, back, abs_tol=1e-12)
            assert there <= 1
