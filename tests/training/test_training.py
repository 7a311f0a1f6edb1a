"""The whole loop on a tiny real policy and the real browser: the run it leaves, and what happens when it is stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import Run, in_an_empty_folder, run  # noqa: F401 - fixtures
from watercolour.errors import InfraError
from watercolour.painting import read_picture
from watercolour.runs import RunDir
from watercolour.studio import GroupResult, Studio

pytestmark = pytest.mark.browser

CONFIG = """
policy: {{model: {model}, threads: 1, lora: {{r: 4}}}}
grpo: {{steps: {steps}, generations: 4, batch_size: 4, max_completion_tokens: 160, learning_rate: 1e-3,
       schedule: constant, warmup_steps: 0, top_k: 0, save_every_steps: 1, kl_every_steps: 1}}
reward: {{terms: [{{term: gate, weight: 0.1}}, {{term: coverage, weight: 0.9}}]}}
"""


def write_config(model: Path, steps: int) -> None:
    Path("loop.yaml").write_text(CONFIG.format(model=model, steps=steps))


def test_run_directory_holds_every_fact_of_every_step(run: Run, painter: Path) -> None:  # noqa: F811
    write_config(painter, steps=2)
    result = run("train", "--config", "loop.yaml", "--json", "seed=3")
    assert result.code == 0, result.err
    outcome = json.loads(result.out)
    assert (outcome["run"], outcome["steps"]) == ("runs/loop-1", 2)
    assert "step 2/2  reward" in result.err

    directory = RunDir.open("loop-1")
    assert [step["step"] for step in directory.metrics()] == [1, 2]
    for step in directory.metrics():
        assert sum(step["seconds"].values()) == pytest.approx(step["trainer"]["step_s"], rel=0.01)
        assert sum(step["outcomes"].values()) == step["rollouts"] == 4
        assert 0 <= step["painted_while_generating_s"] <= step["seconds"]["generate"] + 0.1
        assert step["diversity"]["distinct_share"] == step["distinct_sources"] / 4
        assert 0 <= step["diversity"]["source_distance"] <= 1
        assert step["diversity"]["picture_distance"] is None, "no term looked at features"
        assert step["trainer"]["entropy"] > 0 and step["trainer"]["kl_to_start"] >= 0
        assert (
            step["trainer"]["completion_tokens"]
            == sum(rollout.tokens for rollout in directory.rollouts() if rollout.step == step["step"]) / 4
        )
    assert any(step["painted_while_generating_s"] > 0 for step in directory.metrics())
    rollouts = directory.rollouts()
    assert [(rollout.step, rollout.index) for rollout in rollouts] == [(s, i) for s in (1, 2) for i in range(4)]
    painted = [rollout for rollout in rollouts if rollout.outcome == "ok"]
    assert painted, [rollout.outcome for rollout in rollouts]
    for rollout in painted:
        picture = read_picture(directory.image_path(rollout.painting or ""))
        assert picture.sha256 == rollout.painting
        assert rollout.terms["gate"].value == 1
        assert rollout.reward == pytest.approx(0.1 + 0.9 * (rollout.terms["coverage"].value or 0))
        assert "createCanvas" in rollout.source
        assert 0 < rollout.tokens <= 160
        assert not rollout.truncated
    assert all(rollout.reward == 0 for rollout in rollouts if rollout.terms["gate"].value == 0)
    facts = directory.facts()
    assert facts["status"] == "finished"
    assert facts["seeds"] == {"run": 3, "render": 1}
    assert facts["policy_class"] == "LlamaForCausalLM"
    assert facts["versions"]["p5.brush"] == "2.2.2"
    assert facts["renderer"] == {"backend": "wasm", "gpu": None}
    assert Path("runs/loop-1/config.yaml").read_text() == Path("loop.yaml").read_text()
    assert directory.resolved_config()["seed"] == 3

    # Scored again under its own mix, it has the same rewards, and nothing is painted for it.
    replayed = json.loads(run("replay", "loop-1", "--config", "loop.yaml", "--json").out)
    assert (replayed["compared"], replayed["painted"], replayed["moved"]) == (8, 0, [])
    assert all(step["first"] == pytest.approx(step["second"]) for step in replayed["steps"])

    refused = run("train", "--config", "loop.yaml", "--name", "runs/loop-1")
    assert refused.code == 2
    assert "runs/loop-1: already holds a run" in refused.err


def test_interrupted_run_ends_with_130_and_goes_on(run: Run, painter: Path) -> None:  # noqa: F811
    write_config(painter, steps=3)
    command = [sys.executable, "-m", "watercolour", "train", "--config", "loop.yaml", "--name", "halted"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    metrics = Path("halted/metrics.jsonl")
    deadline = time.monotonic() + 120
    while not metrics.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.1)
    # As a terminal does it: to the whole group, the browser's driver included.
    os.killpg(process.pid, signal.SIGINT)
    assert process.stderr is not None
    said = process.stderr.read()
    assert process.wait(60) == 130, said
    assert "Traceback" not in said
    assert "watercolour train --resume halted" in said
    assert RunDir.open("halted").facts()["status"] == "interrupted"

    result = run("train", "--resume", "halted")
    assert result.code == 0, result.err
    directory = RunDir.open("halted")
    assert directory.facts()["status"] == "finished"
    assert [step["step"] for step in directory.metrics()] == [1, 2, 3]
    assert len(directory.rollouts()) == 12


def test_group_that_could_not_be_evaluated_is_written_as_unscored_and_no_other(
    run: Run,  # noqa: F811
    painter: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evaluate = Studio.evaluate

    async def fails_in_step_2(self: Studio, completions: Sequence[str], *, step: int, subject: str) -> GroupResult:
        if step == 2:
            raise InfraError("the browsers are gone")
        return await evaluate(self, completions, step=step, subject=subject)

    monkeypatch.setattr(Studio, "evaluate", fails_in_step_2)
    write_config(painter, steps=3)
    assert run("train", "--config", "loop.yaml", "reward.max_unscored_share=0.5").code == 0
    directory = RunDir.open("loop-1")
    first, lost, last = directory.metrics()
    assert (first["unscored"], lost["unscored"], last["unscored"]) == (0, 4, 0)
    assert (lost["reward"], lost["outcomes"]) == (None, {"infra": 4})
    records = directory.rollouts(2)
    assert [record.reward for record in records] == [None] * 4
    assert all(record.errors == ("the browsers are gone",) and record.completion for record in records)


def test_failed_start_writes_no_run(run: Run, painter: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    write_config(painter, steps=1)
    Path("broken").write_text("#!/bin/sh\necho Chromium 0\nexit 1\n")
    Path("broken").chmod(0o755)
    monkeypatch.setenv("WATERCOLOUR_CHROMIUM", str(Path("broken").absolute()))
    result = run("train", "--config", "loop.yaml")
    assert result.code != 0
    assert "Traceback" not in result.err
    assert not Path("runs").exists()
