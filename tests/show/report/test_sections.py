"""A report's sections on runs made for one question each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.made_run import make_run
from tests.show.report.made import duel, evidence, rollout
from watercolour.runs import TermRecord
from watercolour.show.report.build import read_all
from watercolour.show.report.diversity import by_features
from watercolour.show.report.sections import Options, analyse

if TYPE_CHECKING:
    from numpy.typing import NDArray


def test_the_draw_of_a_judge_is_told_by_term() -> None:
    wins = {1: (0.0, 0.5), 2: (0.5, 1.0), 3: (1.0, 1.0)}
    rollouts = [
        rollout(
            step,
            0,
            sum(pair) / 2,
            terms={"eye": TermRecord(sum(pair) / 2, 1, "", {"references": [duel("a", pair[0]), duel("b", pair[1])]})},
        )
        for step, pair in wins.items()
    ]
    found = analyse(evidence(rollouts, {"eye": "judge"}))["draws"].facts
    assert found is not None
    assert [rival["name"] for rival in found["eye"]["rivals"]] == ["a", "b"]
    assert [rival["win_rate"] for rival in found["eye"]["rivals"]] == [0.5, pytest.approx(1 / 6)]
    assert [step["raw"] for step in found["eye"]["steps"]] == [0.25, 0.75, 1.0]
    assert found["eye"]["raw_trend"]["slope"] == pytest.approx(0.375)
    assert found["eye"]["adjusted_trend"]["slope"] > 0


def test_a_judge_that_never_met_a_reference_twice_is_left_out_with_the_reason() -> None:
    parts = {"references": [duel("a", 1.0)]}
    found = analyse(evidence([rollout(1, 0, 1.0, terms={"judge": TermRecord(1.0, 1, "", parts)})]))["draws"]
    assert found.facts is None
    assert "no reference was met at two steps" in str(found.left_out)


def test_a_term_that_says_the_same_of_all_is_called_dead_weight() -> None:
    rollouts = [
        rollout(step, place, 0.5, terms={"flat": float(step > 2) or 0.1 * place, "live": 0.1 * place, "faint": 0.5})
        for step in range(1, 7)
        for place in range(3)
    ]
    found = analyse(evidence(rollouts, weights={"live": 0.9, "flat": 0.05}))["saturation"].facts
    assert found is not None
    assert (found["flat"]["dead"], found["live"]["dead"], found["faint"]["dead"]) == (True, False, True)
    assert found["flat"]["says"] == "flat is dead weight: in the last third it says the same of everything"
    assert found["live"]["says"] == "live still tells paintings apart"
    assert found["live"]["last"] == pytest.approx(np.std([0, 0.1, 0.2]))


def test_a_term_of_little_weight_and_spread_hardly_counts() -> None:
    rollouts = [
        rollout(step, place, 0.5, terms={"small": 0.5 + 0.01 * place}) for step in (1, 2, 3) for place in (0, 1)
    ]
    found = analyse(evidence(rollouts, weights={"small": 0.05}))["saturation"].facts
    assert found is not None
    assert found["small"]["says"].startswith("small hardly counts: weight times spread is 0.0003 ")


class Corner:
    """An encoder whose features are a picture's first two pixels."""

    name = "corner"
    fingerprint = "corner-1"

    def encode(self, pictures: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        return np.stack([picture[0, :2].reshape(-1) for picture in pictures]).astype(np.float32)


def test_pictures_are_compared_where_an_encoder_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATERCOLOUR_CACHE", str(tmp_path / "cache"))
    make_run(tmp_path / "run", steps=3)
    [run] = read_all([str(tmp_path / "run")])
    ticks: list[int] = []
    found = by_features(run, Corner(), lambda: ticks.append(1))
    assert len(ticks) == len(found) == 3
    assert all(value is not None and 0 < value < 1 for value in found)
    # 3 pictures in the colours 60 + 5 seed, 90, 120: 65, 115 and 165 at step 1
    rows = np.array([[65, 90, 120], [115, 90, 120], [165, 90, 120]], float)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    by_hand = np.mean([1 - rows[one] @ rows[other] for one, other in ((0, 1), (0, 2), (1, 2))])
    assert found[0] == pytest.approx(by_hand, abs=1e-6)
    section = analyse(run, Options({"run": ("corner", found)}))["diversity"].facts
    assert section is not None
    assert section["pictures"]["by"] == "pictures, by corner"
    assert section["different_sources"] == [1.0, 1.0, 1.0]
