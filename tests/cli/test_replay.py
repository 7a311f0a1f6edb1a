"""`watercolour replay`: a run under another mix."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.made_run import CONFIG, make_run
from watercolour.files import read_lines


@pytest.fixture(autouse=True)
def a_run_and_no_browser(monkeypatch: pytest.MonkeyPatch, in_an_empty_folder: None) -> None:
    monkeypatch.setenv("WATERCOLOUR_CHROMIUM", "/no/such/browser")
    make_run(Path("runs/first"))
    Path("same.yaml").write_text(CONFIG.replace("seed: 3", "seed: 0"))
    Path("bare.yaml").write_text(CONFIG.replace("weight: 0.3", "weight: 0.8").replace("weight: 0.6", "weight: 0.1"))


def test_the_same_mix_agrees_in_full(run: Run) -> None:
    result = run("replay", "first", "--config", "same", "--json")
    assert result.code == 0, result.err
    found = json.loads(result.out)
    assert (found["run"], found["config"], found["file"]) == ("runs/first", "same", "runs/first/replays/same.jsonl")
    assert (found["compared"], found["scored"], found["painted"]) == (15, 15, 0)
    assert (found["unscored_first"], found["unscored_second"], found["moved"]) == (1, 0, [])
    for where in ("overall", "within_groups"):
        for statistic in ("spearman", "kendall"):
            assert found[where][statistic]["value"] == pytest.approx(1)
    assert [step["step"] for step in found["steps"]] == [1, 2, 3, 4]
    assert all(step["first"] == step["second"] for step in found["steps"])
    assert found["correlations"]["pooled"]["names"] == ["gate", "length", "coverage"]
    assert found["correlations"]["pooled"]["rows"] == 15
    assert len(read_lines(Path(found["file"]))) == 15


def test_another_mix_is_shown_with_what_it_disagrees_on(run: Run) -> None:
    result = run("replay", "runs/first", "--config", "bare.yaml")
    assert result.code == 0, result.err
    for expected in (
        "runs/first under bare: runs/first/replays/bare.jsonl",
        "15 rollouts compared; left out as unscored: 1 by the run, 0 now (15 scored now, 0 painted again)",
        "Spearman's rho",
        "within groups, mean of 4 with spread",
        "Mean by step, 4 steps",
        "Moved most",
        "% of the ranks: step ",
        "effective signals of 3 terms",
    ):
        assert expected in result.out
    found = json.loads(run("replay", "first", "--config", "bare.yaml", "--json").out)
    assert found["scored"] == 0
    assert found["overall"]["spearman"]["low"] < found["overall"]["spearman"]["value"] < 1
    assert found["moved"][0]["first_rank"] != found["moved"][0]["second_rank"]


def test_set_changes_the_mix_and_so_the_file(run: Run) -> None:
    for weight, name in (("0.6", "same"), ("0.5", "same-2"), ("0.6", "same")):
        setting = f"reward.terms.coverage.weight={weight}"
        found = json.loads(run("replay", "first", "--config", "same", "--set", setting, "--json").out)
        assert Path(found["file"]).stem == name


def test_what_cannot_be_painted_again_is_left_out_counted_and_ends_with_1(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    next(Path("runs/first/images").rglob("*.png")).unlink()
    # A browser that is there, but cannot start.
    Path("broken").write_text("#!/bin/sh\necho Chromium 0\nexit 1\n")
    Path("broken").chmod(0o755)
    monkeypatch.setenv("WATERCOLOUR_CHROMIUM", str(Path("broken").absolute()))
    result = run("replay", "first", "--config", "same", "--json")
    assert result.code == 1
    assert "1 of 15 could not be scored (unscored, gate: " in result.err
    assert "the same command tries them again" in result.err
    found = json.loads(result.out)
    assert (found["compared"], found["unscored_second"], found["painted"]) == (14, 1, 1)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["frist", "--config", "same"], 2, "no run 'frist', did you mean 'first'?"),
        (["first", "--config", "smae"], 2, "no configuration 'smae'"),
        (["first", "--config", "same", "--set", "reward.terms.judge.weight=1"], 2, "reward.terms.judge: there is none"),
        (["first", "--config", "judge-led"], 3, "judge (weight 0.6): "),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, message: str
) -> None:
    monkeypatch.delenv("HF_TOKEN", raising=False)
    result = run("replay", *arguments)
    assert message in result.err
    assert (result.code, result.out, result.err.count("\n")) == (code, "", 1)
    assert not Path("runs/first/replays").exists()
