"""What the programs are like, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.show.report.made import rollout
from watercolour.runs import TermRecord
from watercolour.show.report.diversity import feature_distance
from watercolour.show.report.sketches import (
    code_tokens,
    codes_of,
    count_codes,
    coverage_in_band,
    length_against,
    shapes_against,
    shapes_written,
)


def test_codes_count_once_a_rollout() -> None:
    parts = {"violations": [{"code": "forged"}, {"code": "forged"}, {"code": "text_label"}, {}, "odd"]}
    failed = rollout(1, 0, 0.0, terms={"gate": TermRecord(0.0, 0.1, "", parts)})
    assert codes_of(failed, ["gate"]) == ["forged", "text_label"]
    assert codes_of(failed, ["other"]) == []
    assert [dict(each) for each in count_codes([[["a", "b"], ["a"]], []])] == [{"a": 2, "b": 1}, {}]


def test_tokens_are_the_length_terms_where_there_is_one() -> None:
    length = TermRecord(0.5, 0.1, "", {"tokens": 40, "counted_by": "characters / 4"})
    assert code_tokens(rollout(1, 0, 0.5, tokens=90, terms={"length": length})) == 40
    assert code_tokens(rollout(1, 0, 0.5, tokens=90)) == 90


def test_length_against_a_term_by_hand() -> None:
    pairs = [(step, 10 * place + step, place / 10) for step in (1, 2) for place in range(5)]
    found = length_against(pairs)
    assert found is not None
    assert found["within_groups"]["value"] == pytest.approx(1)
    assert found["within_groups"]["groups"] == 2
    assert [each["tokens"] for each in found["bins"]] == [1.5, 11.5, 21.5, 31.5, 41.5]
    assert [each["value"] for each in found["bins"]] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    assert length_against(pairs[:9]) is None
    assert length_against([(1, 5, 0.5)] * 12) is None


def test_calls_that_lay_paint_are_counted_in_the_text() -> None:
    source = "function draw() { for (;;) brush.circle(1, 2, 3); brush.fill('#fff', 9); b = brush; b.circle(1, 2, 3); }"
    assert shapes_written([source, source, ""]) == {source: 2, "": 0}


def test_shapes_by_hand() -> None:
    found = shapes_against([(1, 2, 8, 0.1), (1, 4, 10, 0.5), (2, 3, 5, 0.2), (3, 1, 1, 0.9)])
    assert found is not None
    assert (found["written"], found["painted"]) == (2.5, 6.0)
    assert [third["painted"] for third in found["thirds"]] == [9.0, 5.0, 1.0]
    assert found["painted_against_reward"]["value"] == pytest.approx(1)
    assert shapes_against([]) is None


def test_coverage_in_the_high_band_by_hand() -> None:
    rows = [(step, share, reward) for step, (share, reward) in enumerate([(0.1, 0.2)] * 6 + [(0.3, 0.9), (0.5, 0.8)])]
    found = coverage_in_band(rows)
    assert found is not None
    assert (found["least_reward"], found["in_band"], found["below_band"]) == (
        0.8,
        pytest.approx(0.4),
        pytest.approx(0.1),
    )
    assert found["against_reward"] == pytest.approx(-1)
    assert coverage_in_band(rows[:7]) is None


def test_distances_by_hand() -> None:
    features = np.array([[1, 0], [0, 2], [1, 0]], np.float32)
    assert feature_distance(features) == pytest.approx(2 / 3)
    assert feature_distance(features[:1]) is None
