"""How different a group is: bounds, edges, and what does not count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from watercolour.diversity import distinct_share, mean_distances, source_distance


def test_one_sketch_over_and_over_has_no_distance_and_strangers_have_all() -> None:
    assert source_distance(["brush.circle(1, 2, 3);"] * 4) == 0
    assert source_distance(["a b c d e", "v w x y z"]) == 1
    assert source_distance(["brush.circle(1, 2, 3);", "brush.circle(1,  2,\n3);"]) == 0, "white space is no difference"
    # 6 tokens make 3 shingles; a last token exchanged leaves 2 of the 4 that there are.
    assert source_distance(["a b c d e f", "a b c d e g"]) == pytest.approx(0.5)


def test_every_pair_counts_once() -> None:
    assert source_distance(["a b c d", "a b c d", "w x y z"]) == pytest.approx(2 / 3)


def test_too_few_have_no_distance() -> None:
    assert (source_distance([]), source_distance(["a"]), distinct_share([])) == (None, None, None)
    assert source_distance(["", ""]) == 0
    assert source_distance(["", "a"]) == 1
    assert distinct_share(["a", "a", "b", "a"]) == 0.5
    assert mean_distances(np.ones((1, 3), np.float32)) == []


def test_features_are_compared_by_direction() -> None:
    features = np.array([[1, 0], [3, 0], [0, 2], [-1, 0]], np.float32)
    assert mean_distances(features) == pytest.approx([(0 + 1 + 2) / 3, (0 + 1 + 2) / 3, 1, (2 + 2 + 1) / 3])
    assert np.isfinite(mean_distances(np.zeros((3, 4), np.float32))).all()


@given(st.lists(st.text(max_size=40), min_size=2, max_size=5))
def test_any_texts_lie_between_0_and_1_whatever_their_order(sources: list[str]) -> None:
    distance = source_distance(sources)
    assert distance is not None and 0 <= distance <= 1
    assert source_distance(sources[::-1]) == pytest.approx(distance)
