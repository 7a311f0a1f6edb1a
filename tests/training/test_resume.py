"""Kill -9 at every moment of a run, then `--resume`: nothing is lost, and the run ends as if nothing had happened."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from watercolour.runs import RunDir

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1200)]  # a dozen runs in one test

STEPS = 6
CONFIG = """
policy: {{model: {model}, threads: 1, lora: {{r: 4}}}}
subject: [a peach hibiscus, a blue hibiscus]
grpo: {{steps: 6, generations: 4, batch_size: 2, max_completion_tokens: 160, learning_rate: 3e-4,
       schedule: linear, warmup_steps: 0, top_k: 0, temperature: 1.2, save_every_steps: 2}}
render: {{workers: 1, recheck_every_steps: 0}}
reward: {{terms: [{{term: gate, weight: 0.1}}, {{term: coverage, weight: 0.8}},
                  {{term: length, kind: ramp, floor_tokens: 1, full_tokens: 2000, weight: 0.1}}]}}
"""
MOMENTS = [
    ("generation", 1, None),
    ("render", 1, None),
    ("score", 3, "checkpoint-2"),
    ("rollouts", 3, "checkpoint-2"),
    ("optimiser", 4, "checkpoint-2"),
    ("metrics", 4, "checkpoint-2"),
    ("checkpoint", 4, "checkpoint-2"),
    ("state", 4, "checkpoint-2"),
    ("rename", 4, "checkpoint-2"),
    ("renamed", 4, "checkpoint-4"),
]
Command = Callable[..., int]


@pytest.fixture(scope="module")
def folder(painter: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("killed")
    (folder / "loop.yaml").write_text(CONFIG.format(model=painter))
    return folder


@pytest.fixture(scope="module")
def command(folder: Path) -> Iterator[Command]:
    """Runs `watercolour ARGUMENTS` in a process of its own that perhaps kills itself; its exit code."""
    script = Path(__file__).parent / "killed.py"
    root = Path(__file__).parents[2]
    environment = os.environ | {
        "PYTHONPATH": str(root),
        "TQDM_DISABLE": "1",
        "WATERCOLOUR_CACHE": str(folder / "cache"),
    }
    server = subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment,
    )  # fmt: skip
    assert server.stdin is not None and server.stdout is not None

    def run(*argv: str, moment: str | None = None, step: int = 0, fault: str = "kill", log: str = "log.txt") -> int:
        assert server.stdin is not None and server.stdout is not None
        job = {"argv": argv, "moment": moment, "step": step, "fault": fault, "log": str(folder / log)}
        print(json.dumps(job), file=server.stdin, flush=True)
        return int(server.stdout.readline())

    with server:
        yield run
        server.stdin.close()


def said(folder: Path, log: str = "log.txt") -> str:
    return (folder / log).read_text()


def painted(folder: Path, log: str) -> int:
    path = (folder / log).with_suffix(".painted")
    return len(path.read_text()) if path.exists() else 0


def weights(run: RunDir, step: int) -> bytes:
    return (run.checkpoints / f"checkpoint-{step}" / "adapter_model.safetensors").read_bytes()


def learnt(run: RunDir) -> list[Any]:
    """All that must not depend on a crash: not the seconds that things took."""
    return [{**vars(rollout), "seconds": 0} for rollout in run.rollouts()]


@pytest.fixture(scope="module")
def straight(folder: Path, command: Command) -> RunDir:
    """Six steps without a fault."""
    code = command("train", "--config", "loop.yaml", "--name", "straight", log="straight.txt")
    assert code == 0, said(folder, "straight.txt")
    return RunDir.open(folder / "straight")


@pytest.fixture
def copy(folder: Path, straight: RunDir) -> RunDir:
    """A copy of it that may be changed, stopped after checkpoint-2."""
    shutil.rmtree(folder / "copy", ignore_errors=True)
    shutil.copytree(straight.path, folder / "copy")
    for step in (4, 6):
        shutil.rmtree(folder / "copy" / "checkpoints" / f"checkpoint-{step}")
    return RunDir.open(folder / "copy")


def test_six_steps_straight_equal_six_steps_killed_at_every_moment(
    folder: Path, command: Command, straight: RunDir
) -> None:
    first = ["--config", "loop.yaml", "--name", "killed"]
    for moment, step, last in MOMENTS:
        arguments = ["--resume", "killed"] if (folder / "killed").exists() else first
        assert command("train", *arguments, moment=moment, step=step, log=f"{moment}.txt") == -9, (
            moment,
            said(folder, f"{moment}.txt"),
        )
        killed = RunDir.open(folder / "killed")
        checkpoint = killed.last_checkpoint()
        assert (checkpoint and checkpoint.name) == last, moment
        assert killed.facts()["status"] == "running"
        assert all(record["step"] <= step for record in killed.metrics())
    assert command("train", "--resume", "killed", log="last.txt") == 0, said(folder, "last.txt")

    assert killed.facts()["status"] == "finished"
    assert learnt(killed) == learnt(straight)
    assert {rollout.subject for rollout in killed.rollouts()} == {"a peach hibiscus", "a blue hibiscus"}
    assert [record["step"] for record in killed.metrics()] == list(range(1, STEPS + 1))
    for ours, theirs in zip(killed.metrics(), straight.metrics(), strict=True):
        for key in ("reward", "terms", "outcomes", "coverage"):
            assert ours[key] == theirs[key]
        for key in ("loss", "grad_norm", "learning_rate", "reward_std"):
            assert ours["trainer"][key] == theirs["trainer"][key]
    for step in (2, 4, 6):
        assert weights(killed, step) == weights(straight, step)
    assert weights(straight, 2) != weights(straight, 6)
    assert not list(killed.checkpoints.glob(".saving-*"))
    assert len({rollout.reward for rollout in killed.rollouts()}) >= 2

    # Steps 3 and 4 were painted by whoever came there first, then never again.
    assert painted(folder, "straight.txt") > 0
    assert [painted(folder, f"{moment}.txt") for moment in ("metrics", "checkpoint", "rename")] == [0, 0, 0]
    assert killed.metrics()[3]["cached_renders"] == 4


@pytest.mark.parametrize(
    ("moment", "step", "fault"),
    [
        ("render", 3, "ENOSPC"),
        ("metrics", 3, "EROFS"),
        ("state", 4, "ENOSPC"),
        ("rename", 4, "ENOSPC"),
    ],
)
def test_a_disk_that_takes_no_more_ends_the_run_in_one_line_and_the_last_checkpoint_goes_on(
    folder: Path, command: Command, straight: RunDir, copy: RunDir, moment: str, step: int, fault: str
) -> None:
    copy.renders_path.unlink()  # or nothing would have to be painted
    log = f"{moment}-{fault}.txt"
    assert command("train", "--resume", "copy", moment=moment, step=step, fault=fault, log=log) == 1
    *_, hint, line = said(folder, log).splitlines()
    assert hint == "watercolour: failed; go on with: watercolour train --resume copy"
    assert line.startswith("watercolour: copy/") and "cannot be written" in line
    assert "Traceback" not in said(folder, log)
    assert [path.name for path in copy.checkpoints.iterdir()] == ["checkpoint-2"]
    if moment == "render":
        assert command("train", "--resume", "copy") == 0
        assert weights(copy, 6) == weights(straight, 6)


def test_a_run_whose_rollouts_go_unscored_stops_with_the_reason_and_goes_on(
    folder: Path, command: Command, copy: RunDir
) -> None:
    assert command("train", "--resume", "copy", step=3, fault="blind", log="blind.txt") == 1
    assert "of the last 12 rollouts could not be scored" in said(folder, "blind.txt")
    assert "the judge is away" in said(folder, "blind.txt")
    assert copy.facts()["status"] == "failed"
    stopped = copy.last_checkpoint()
    assert stopped is not None and stopped.name == "checkpoint-4"
    assert command("train", "--resume", "copy") == 0
    assert copy.facts()["status"] == "finished"
    assert [step["unscored"] for step in copy.metrics()] == [0, 0, 4, 4, 0, 0]


def test_changed_settings_are_refused_unless_allowed_and_then_noted(
    folder: Path, command: Command, copy: RunDir
) -> None:
    assert command("train", "--resume", "copy", "seed=5", "grpo.steps=3", log="drift.txt") == 2
    assert "grpo.steps 6 -> 3" in said(folder, "drift.txt") and "seed 0 -> 5" in said(folder, "drift.txt")
    assert "config_changes" not in copy.facts()
    assert command("train", "--resume", "copy", "--config", "loop.yaml", "grpo.steps=3", log="same.txt") == 2
    assert "seed" not in said(folder, "same.txt")
    allowed = ["--allow-change", "grpo.steps"]
    assert command("train", "--resume", "copy", "grpo.steps=3", *allowed, log="allowed.txt") == 0
    (noted,) = copy.facts()["config_changes"]
    assert noted.items() >= {"key": "grpo.steps", "old": 6, "new": 3, "after_checkpoint": "checkpoint-2"}.items()
    assert copy.resolved_config()["grpo"]["steps"] == 3
    assert (copy.checkpoints / "checkpoint-3").is_dir()
    assert command("train", "--config", "loop.yaml", *allowed) == 2


def test_a_second_process_is_refused_before_it_starts_a_browser(folder: Path, command: Command, copy: RunDir) -> None:
    with RunDir.resume(copy.path):
        assert command("train", "--resume", "copy", log="second.txt") == 2
    assert said(folder, "second.txt").splitlines() == [
        "watercolour: copy: another process is writing this run: wait until it ends, or choose another --name"
    ]
