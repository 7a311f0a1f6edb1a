"""The three published curves: what the report makes of them was computed elsewhere too, and must be the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from watercolour.errors import ConfigError
from watercolour.show.report.curve import read_curve
from watercolour.show.report.sections import analyse, compare_runs

CURVES = Path(__file__).parents[2] / "data" / "curves"
NAMES = ("hps-only", "judge-led", "hps-led")


@pytest.fixture(scope="module")
def sections() -> dict[str, dict[str, Any]]:
    return {
        name: {key: section.facts for key, section in analyse(read_curve(CURVES / f"curve-{name}.csv")).items()}
        for name in NAMES
    }


@pytest.mark.parametrize(
    ("name", "steps", "thirds", "slope", "t"),
    [
        ("hps-only", 60, (0.579, 0.637, 0.710), 0.00357, 6.4),
        ("judge-led", 110, (0.451, 0.647, 0.715), 0.00354, 10.5),
        ("hps-led", 110, (0.573, 0.740, 0.817), 0.00328, 15.6),
    ],
)
def test_thirds_and_slope(
    sections: dict[str, Any], name: str, steps: int, thirds: tuple[float, ...], slope: float, t: float
) -> None:
    found = sections[name]["reward"]["trend"]
    assert found["steps"] == steps
    assert found["thirds"] == pytest.approx(thirds, abs=0.0005)
    assert found["slope"] == pytest.approx(slope, abs=0.000005)
    assert found["t"] == pytest.approx(t, abs=0.05)
    assert found["low"] < found["difference"] < found["high"]


@pytest.mark.parametrize(
    ("name", "judge", "hpsv3", "coverage"),
    [
        ("hps-only", (0.243, 0.283), (0.571, 0.714), (0.108, 0.143)),
        ("judge-led", (0.364, 0.697), (0.564, 0.768), (0.110, 0.227)),
        ("hps-led", (0.432, 0.842), (0.633, 0.822), (0.128, 0.296)),
    ],
)
def test_terms_and_coverage(
    sections: dict[str, Any],
    name: str,
    judge: tuple[float, float],
    hpsv3: tuple[float, float],
    coverage: tuple[float, float],
) -> None:
    terms = sections[name]["terms"]
    trends = (terms["judge"]["trend"], terms["hpsv3"]["trend"], sections[name]["coverage"]["trend"])
    for found, ends in zip(trends, (judge, hpsv3, coverage), strict=True):
        assert (found["thirds"][0], found["thirds"][2]) == pytest.approx(ends, abs=0.00055)


@pytest.mark.parametrize(
    ("name", "raw", "detrended", "differences"),
    [
        ("hps-only", 0.546, 0.586, 0.644),
        ("judge-led", 0.762, 0.551, 0.456),
        ("hps-led", 0.680, 0.249, 0.136),
    ],
)
def test_correlation_of_judge_and_hpsv3(
    sections: dict[str, Any], name: str, raw: float, detrended: float, differences: float
) -> None:
    tables = sections[name]["independence"]
    for kind, value in {"raw": raw, "detrended": detrended, "differences": differences}.items():
        names = tables[kind]["names"]
        found = tables[kind]["matrix"][names.index("judge")][names.index("hpsv3")]
        assert found == pytest.approx(value, abs=0.0005), kind


def test_the_two_judged_runs_share_their_draws() -> None:
    [pair] = compare_runs([read_curve(CURVES / f"curve-{name}.csv") for name in ("judge-led", "hps-led")])
    assert pair["detrended_correlation"]["judge"] == pytest.approx(0.58, abs=0.005)
    assert pair["detrended_correlation"]["hpsv3"] == pytest.approx(0.15, abs=0.005)


def test_what_a_curve_lacks_is_left_out_with_a_reason() -> None:
    found = analyse(read_curve(CURVES / "curve-hps-only.csv"))
    lacking = {name: section.left_out for name, section in found.items() if section.facts is None}
    assert set(lacking) == {"failing", "eval", "draws", "gate", "length", "shapes", "diversity"}
    assert all(lacking.values())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no column"),
        ("step,loss\n1,2\n", "no column reward"),
        ("step,reward\nx,2\n", ":2"),
        ("step,reward\n1.5,2\n", "whole number"),
    ],
)
def test_what_is_no_curve_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "curve.csv"
    path.write_text(text)
    with pytest.raises(ConfigError, match=words):
        read_curve(path)


def test_a_curve_with_holes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "curve-mine.csv"
    path.write_text("step,reward,odd_mean\n2,,0.5\n1,0.5,nan\n3,0.75\n")
    found = read_curve(path)
    assert found.name == "mine"
    assert [(step.step, step.reward, step.terms["odd"]) for step in found.steps] == [
        (1, 0.5, None),
        (2, None, 0.5),
        (3, 0.75, None),
    ]
