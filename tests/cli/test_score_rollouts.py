"""`watercolour score` on a run's rollouts, and how independent its terms are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.made_run import make_run, sketch
from watercolour.files import read_lines
from watercolour.runs import RunDir

STEP = "runs/first/rollouts/step-00003.jsonl"


@pytest.fixture(autouse=True)
def a_run_and_no_browser(monkeypatch: pytest.MonkeyPatch, in_an_empty_folder: None) -> None:
    monkeypatch.setenv("WATERCOLOUR_CHROMIUM", "/no/such/browser")
    make_run(Path("runs/first"))


def records(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_steps_rollouts_are_scored_with_their_runs_mix_from_their_images(run: Run) -> None:
    result = run("score", STEP, "--json")
    assert result.code == 0, result.err
    found = records(result.out)
    assert [(each["step"], each["index"]) for each in found] == [(3, index) for index in range(4)]
    assert [each["file"] for each in found] == [f"{STEP} step 3 rollout {index}" for index in range(4)]
    assert [each["total"] for each in found] == [each["first_reward"] for each in found]
    assert found[0]["sha256"] == RunDir(Path("runs/first")).rollouts(3)[0].painting
    assert found[3]["terms"]["gate"]["parts"]["violations"][0]["code"] == "syntax_error"


def test_a_whole_run_is_all_its_rollouts_and_another_mix_may_be_asked_for(run: Run) -> None:
    # What the run could not paint needs a browser; the others do not.
    directory = RunDir(Path("runs/first"))
    directory.write_rollouts(2, directory.rollouts(2)[:3])
    found = records(run("score", "runs/first", "--json", "--set", "reward.terms.coverage.weight=0.3").out)
    assert len(found) == 15
    assert found[0]["total"] == pytest.approx(found[0]["first_reward"] - 0.3 * found[0]["terms"]["coverage"]["value"])
    table = run("score", "runs/first", "--why")
    assert table.out.count("syntax_error on line") >= 3
    assert "gate x 0.1" in table.out
    assert "line 1: syntax_error: " in table.out


def test_rollouts_without_their_images_need_a_browser(run: Run) -> None:
    Path("moved.jsonl").write_bytes(Path(STEP).read_bytes())
    result = run("score", "moved.jsonl", "--config", "tiny")
    assert result.code == 2
    assert result.err.startswith("watercolour: WATERCOLOUR_CHROMIUM=/no/such/browser: no such program")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bad.jsonl: holds no rollouts"),
        ('{"a": 1}\n', "not a rollout: 'terms' (bad.jsonl:1)"),
        ("nonsense\n{}\n", "not a JSON object: mend or delete this line (bad.jsonl:1)"),
        ("MISSHAPEN", "bad.jsonl: rollout 1 is misshapen"),
    ],
)
def test_what_holds_no_rollouts_is_one_line(run: Run, text: str, message: str) -> None:
    if text == "MISSHAPEN":
        text = json.dumps(read_lines(Path(STEP))[0] | {"completion": 5}) + "\n"
    Path("bad.jsonl").write_text(text)
    result = run("score", "bad.jsonl")
    assert message in result.err
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)


def test_references_need_a_judge_that_draws_them(run: Run) -> None:
    result = run("score", STEP, "--references", "4", "--seed", "2")
    assert result.code == 2
    assert result.err == "watercolour: --references: first has no weighted pairwise judge that faces the pool\n"


def test_correlations_of_a_run_come_from_its_records(run: Run) -> None:
    found = json.loads(run("score", "runs/first", "--correlate", "--json").out)
    # The rollout that could not be scored has no gate and no coverage.
    assert (found["pooled"]["rows"], found["pooled"]["left_out"]) == (15, 1)
    assert found["pooled"]["names"] == ["gate", "length", "coverage"]
    assert 1 < found["pooled"]["effective"] < 3
    assert found["within_groups"]["names"] == ["gate", "length", "coverage"]
    table = run("score", "runs/first", "--correlate").out
    assert "Terms over all: 15 with a value of each, 1 left out" in table
    assert "Terms within groups, each step's mean taken off: 15 with a value of each, 1 left out" in table
    assert "effective signals of 3 terms" in table


def test_correlations_under_another_mix_are_scored_anew(run: Run) -> None:
    directory = RunDir(Path("runs/first"))
    directory.write_rollouts(2, directory.rollouts(2)[:3])
    given = ("--set", "reward.terms.gate.weight=0", "--correlate", "--json")
    found = json.loads(run("score", "runs/first", *given).out)
    assert found["pooled"]["names"] == ["length", "coverage"]
    assert found["pooled"]["rows"] == 15


def test_a_term_without_spread_is_warned_of(run: Run) -> None:
    directory = RunDir(Path("runs/first"))
    for step in (1, 2, 3, 4):
        directory.write_rollouts(step, directory.rollouts(step)[:3])
    result = run("score", "runs/first", "--correlate")
    assert "warning: gate has no spread: it tells no rollout from another" in result.out


def test_a_folder_has_no_groups(run: Run) -> None:
    Path("pictures").mkdir()
    for image in Path("runs/first/images").rglob("*.png"):
        Path("pictures", image.name).write_bytes(image.read_bytes())
    found = json.loads(run("score", "pictures", "--correlate", "--json").out)
    assert found["within_groups"] is None
    assert (found["pooled"]["rows"], found["pooled"]["names"]) == (12, ["taste"])


@pytest.mark.browser
def test_rollouts_without_their_images_are_painted_from_their_replies(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WATERCOLOUR_CHROMIUM")
    first = read_lines(Path(STEP))[0]
    Path("moved.jsonl").write_text(json.dumps(first) + "\n")
    Path("same.js").write_text(sketch(6, "#a03060"))
    moved, same = records(run("score", "moved.jsonl", "same.js", "--json").out)[::-1]
    assert (moved["outcome"], moved["total"], moved["sha256"]) == ("ok", same["total"], same["sha256"])
    assert moved["file"] == "moved.jsonl step 3 rollout 0"
