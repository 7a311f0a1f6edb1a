"""Evaluations on a fixed panel: the training goes on as if there were none, and a crash costs none of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.training.test_resume import command, folder, learnt, said, weights  # noqa: F401 - fixtures
from watercolour.runs import RunDir

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

STEPS = "grpo.steps=3"
PANEL = "eval={every_steps: 2, subjects: [a white hibiscus, a peach hibiscus], samples: 3, seed: 4}"
Command = Callable[..., int]


def measured(run: RunDir) -> list[Any]:
    """All evaluations, but for the seconds."""
    return [{**summary, "seconds": 0} for summary in run.evals()]


def test_evaluations_survive_kills_and_change_nothing_of_the_training(folder: Path, command: Command) -> None:  # noqa: F811
    assert command("train", "--config", "loop.yaml", "--name", "plain", STEPS, log="plain.txt") == 0
    asked = ["--config", "loop.yaml", "--name", "panel", STEPS, PANEL]
    assert command("train", *asked, log="panel.txt") == 0, said(folder, "panel.txt")
    plain, panel = RunDir.open(folder / "plain"), RunDir.open(folder / "panel")
    assert learnt(panel) == learnt(plain)
    assert weights(panel, 3) == weights(plain, 3)
    assert not plain.evals() and not plain.before_after.exists()

    assert [summary["step"] for summary in panel.evals()] == [0, 2, 3]
    for summary in panel.evals():
        records = panel.eval_rollouts(summary["step"])
        assert [(record.step, record.index) for record in records] == [(summary["step"], at) for at in range(6)]
        assert [record.subject for record in records] == ["a white hibiscus"] * 3 + ["a peach hibiscus"] * 3
        rewards = [record.reward for record in records if record.reward is not None]
        assert summary["reward"] == pytest.approx(sum(rewards) / 6)
        assert summary["bad_share"] == pytest.approx(sum(reward < 0.3 for reward in rewards) / 6)
        assert summary["valid_share"] == pytest.approx(sum(record.terms["gate"].value == 1 for record in records) / 6)
        assert summary["distinct_share"] == len({record.source for record in records}) / 6
        assert 0 < summary["valid_share"] < 1 or summary["step"] > 0
    assert "held out after step 2  reward" in said(folder, "panel.txt")
    with Image.open(panel.before_after) as sheet:
        assert sheet.width > 1000

    # Killed half-way through the first evaluation, and through the last one.
    again = ["--config", "loop.yaml", "--name", "halved", STEPS, PANEL]
    for step, checkpoint in ((0, None), (3, "checkpoint-3")):
        arguments = ["--resume", "halved"] if (folder / "halved").exists() else again
        log = f"halved-{step}.txt"
        assert command("train", *arguments, moment="evaluation", step=step, log=log) == -9, said(folder, log)
        last = RunDir.open(folder / "halved").last_checkpoint()
        assert (last and last.name) == checkpoint
    assert command("train", "--resume", "halved", log="halved.txt") == 0, said(folder, "halved.txt")
    halved = RunDir.open(folder / "halved")
    assert learnt(halved) == learnt(panel)
    assert weights(halved, 3) == weights(panel, 3)
    assert measured(halved) == measured(panel)
    assert halved.before_after.read_bytes()[:4] == b"\x89PNG"

    # What was on the disk whole was not asked again, and the panel stays what it was.
    assert len(halved.eval_path.read_text().splitlines()) == 3
    assert command("train", "--resume", "halved", "eval.samples=5", "--allow-change", "eval", log="other.txt") == 2
    assert "eval.samples: cannot change within a run" in said(folder, "other.txt")
