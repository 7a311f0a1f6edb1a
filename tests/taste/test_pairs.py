"""Comparisons from a file, and what tiers and comparisons weigh."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.taste.conftest import reference
from watercolour.errors import ConfigError
from watercolour.references import Reference, Tier
from watercolour.taste.pairs import Pair, read_pairs, win_weights, within


@pytest.fixture
def three(tmp_path: Path) -> list[Reference]:
    return [reference(name, Tier.OKAY, tmp_path, file=f"okay/{name}.png") for name in ("rose", "tulip", "aster")]


def test_a_painting_goes_by_its_name_its_file_or_its_hash(three: list[Reference], tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(
        '{"winner": "rose", "loser": "okay/tulip.png"}\n\n{"winner": "sha-aster", "loser": "rose", "tie": true}'
    )
    assert read_pairs(path, three) == [Pair(0, 1), Pair(2, 0, tie=True)]


def test_line_torn_by_a_crash_is_left_out_only_at_the_end(three: list[Reference], tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"winner": "rose", "loser": "tulip"}\n{"winner": "ro')
    assert read_pairs(path, three) == [Pair(0, 1)]
    path.write_text('{"winner": "ro\n{"winner": "rose", "loser": "tulip"}\n')
    with pytest.raises(ConfigError, match=r"pairs\.jsonl:1: not JSON"):
        read_pairs(path, three)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"winner": "rosé", "loser": "tulip"}', "did you mean 'rose'"),
        ('{"winner": "rose"}', "must be an object such as"),
        ("[1]", "must be an object such as"),
        ('{"winner": "rose", "loser": "rose"}', "compared with itself"),
        ('{"winner": "rose", "loser": "tulip", "tie": 1}', "tie must be true or false"),
        ('{"winner": ["rose"], "loser": "tulip"}', "winner: no painting"),
    ],
)
def test_fault_of_a_line_is_told_with_its_number(line: str, says: str, three: list[Reference], tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(f"\n{line}\n")
    with pytest.raises(ConfigError, match=r"pairs\.jsonl:2: ") as caught:
        read_pairs(path, three)
    assert says in str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["winner", "loser", "tie"]), inner),
    max_leaves=6,
)


@given(lines=st.lists(JSON.map(json.dumps) | st.text(), max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_any_file_is_read_or_refused_in_one_line(lines: list[str], three: list[Reference], tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8", errors="replace")
    try:
        pairs = read_pairs(path, three)
    except ConfigError as error:
        assert "\n" not in str(error)
    else:
        assert all(pair.winner != pair.loser for pair in pairs)


def test_each_two_tiers_weigh_alike_however_many_paintings_they_have() -> None:
    ranks = np.array([0] * 40 + [1] * 5 + [2] * 2)
    weights = win_weights(ranks)
    assert weights.sum() == pytest.approx(1)
    for better, worse in ((2, 1), (1, 0), (2, 0)):
        assert weights[np.ix_(ranks == better, ranks == worse)].sum() == pytest.approx(1 / 3)
    assert weights[np.ix_(ranks == 0, ranks == 2)].sum() == 0


def test_tie_pulls_both_ways_and_a_comparison_one() -> None:
    ranks = np.array([1, 1, 1])
    weights = win_weights(ranks, [Pair(0, 1), Pair(1, 2, tie=True)])
    assert weights[0, 1] == pytest.approx(0.5)
    assert weights[1, 2] == weights[2, 1] == pytest.approx(0.25)
    assert within([Pair(0, 1), Pair(1, 2)], np.array([1, 2])) == [Pair(0, 1)]
