"""What every command shares: help, version, and errors of one line with the right exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from watercolour import __version__

HEAVY = {"torch", "transformers", "trl", "playwright", "numpy", "pydantic", "rich", "PIL"}


def test_help_names_the_commands_and_loads_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['watercolour', '--help']\n"
        "from watercolour.cli.app import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted(name for name in sys.modules if '.' not in name), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert all(name in done.stdout for name in ("train", "export", "render", "score", "replay", "doctor"))
    assert HEAVY.isdisjoint(name.strip(" '") for name in done.stderr.strip("[]\n").split(","))


def test_version(run: Run) -> None:
    assert run("--version").out == f"watercolour {__version__}\n"


def test_a_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m watercolour train --config tiny --dry-run | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("# tiny: ")
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_under_standard_output_is_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "watercolour", "train", "--config", "tiny", "--dry-run"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("watercolour: standard output cannot be written (")
    assert len(done.stderr.splitlines()) == 1


def test_a_pipe_by_name_is_refused_rather_than_waited_for(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "sketch.js"
    os.mkfifo(pipe)
    result = run("render", str(pipe))
    assert result.code == 2
    assert "is not a regular file" in result.err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["render", "nowhere.js"], 2, "nowhere.js: cannot be read (No such file or directory)"),
        (["render", "empty.js"], 2, "empty.js: is empty; it should hold a p5.brush sketch"),
        (["render", "."], 2, ".: is a folder; name the files in it"),
        (["render", "latin.js"], 2, "latin.js: not text in UTF-8 (byte 3)"),
        (["render", "a.js", "b/a.js", "-o", "out"], 2, "b/a.js: would overwrite out/a.png of another sketch"),
        (["render", "a.js", "b/a.js", "-o", "one.png"], 2, "one file cannot hold 2 pictures"),
        (["render", "a.js", "--medium", "oil"], 2, "medium 'oil': not one of animals, hibiscus"),
        (["score", "nowhere.png"], 2, "nowhere.png: no such file or folder"),
        (["score", "bad.png"], 2, "bad.png: not a readable picture"),
        (["score", "b/.."], 2, "bad.png: not a readable picture"),
        (["score", "void"], 2, "void: holds no sketches (.js) and no pictures"),
        (["score", "a.xyz"], 2, "a.xyz: neither a sketch"),
        (["score", "a.js", "--config", "tinny"], 2, "did you mean 'tiny'"),
        (
            ["score", "a.js", "--set", "reward.terms.gaet.weight=1"],
            2,
            "reward.terms.gaet: there is none; there are gate, l",
        ),
        (["score", "a.js", "--config", "judge-led"], 3, "judge (weight 0.6): "),
        (["train", "--config", "typo.yaml"], 2, "grpo.stepz: unknown key, did you mean 'steps'? (typo.yaml:2)"),
        (["train", "--config", "type.yaml"], 2, "(type.yaml:2)"),
        (["train", "--config", "tiny", "grpo.steps=ten"], 2, "(command line: grpo.steps=ten)"),
        (["train", "--resume", "never"], 2, "no run 'never'"),
        (["train", "--resume", "never", "--name", "x"], 2, "leave out --name"),
        (["score", "a" * 300], 2, "cannot be read (File name too long)"),
    ],
)
def test_bad_input_is_one_line_and_the_right_code(run: Run, arguments: list[str], code: int, message: str) -> None:
    Path("empty.js").write_text(" \n")
    Path("latin.js").write_bytes(b"// \xe9t\xe9")
    Path("b").mkdir()
    Path("void").mkdir()
    for name in ("a.js", "b/a.js", "a.xyz"):
        Path(name).write_text("function setup() {}")
    Path("bad.png").write_bytes(b"\x89PNG\r\n\x1a\nno")
    Path("typo.yaml").write_text(
        "policy: {model: smollm2-135m}\ngrpo: {stepz: 3, steps: 1}\nreward: {terms: [{term: gate, weight: 1}]}\n"
    )
    Path("type.yaml").write_text(
        "policy: {model: smollm2-135m}\ngrpo: {steps: ten}\nreward: {terms: [{term: gate, weight: 1}]}\n"
    )
    result = run(*arguments)
    assert message in result.err
    assert result.code == code
    assert result.err.count("\n") == 1
    assert result.out == ""


def test_closed_standard_input_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    result = run("render", "-")
    assert (result.code, result.out) == (2, "")
    assert "standard input: is closed" in result.err


@pytest.mark.parametrize("name", ["judge-led", "hps-led", "hps-only"])
def test_full_configs_say_what_they_lack_and_do_not_start(run: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    result = run("train", "--config", f"{name}.yaml")
    assert result.code == 3
    assert f"{name} cannot start here: " in result.err
    assert "policy: Qwen/Qwen3.5-35B-A3B is not on this machine (hf download Qwen/Qwen3.5-35B-A3B)" in result.err
    assert "hpsv3 (weight 0." in result.err
    assert ("judge (weight 0." in result.err) == (name != "hps-only")
    assert not Path("runs").exists()


def test_dry_run_prints_a_configuration_that_can_be_used(run: Run) -> None:
    result = run("train", "--config", "tiny", "--dry-run", "grpo.steps=3", "seed=7")
    assert result.code == 0
    assert "48 renders" in result.out  # half of them before the first step and after the last
    assert "#   0.7    taste" in result.out
    Path("again.yaml").write_text(result.out)
    again = run("train", "--config", "again.yaml", "--dry-run")
    assert again.out == result.out
    plan = json.loads(run("train", "--config", "again.yaml", "--dry-run", "--json").out)
    assert (plan["cost"]["renders"], plan["config"]["seed"]) == (48, 7)
    assert not Path("runs").exists()
