from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts import install_torch
from watercolour.render.browser import find_chromium

ROOT = Path(__file__).parents[1]
Program = Callable[[str, str], None]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Puts a shell script on a PATH that holds nothing else."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def write(name: str, body: str) -> None:
        path = folder / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    return write


def run_script(name: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", f"scripts.{name}"]
    return subprocess.run(
        command, cwd=cwd, env=os.environ | environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a choice of builds")
@pytest.mark.parametrize(
    ("nvidia_smi", "is_cpu"),
    [
        ("echo 'GPU 0: NVIDIA H200 (UUID: GPU-1)'", False),
        ("echo 'NVIDIA-SMI has failed' >&2; exit 9", True),
        ("echo 'No devices were found'", True),
        (None, True),
    ],
)
def test_only_a_gpu_that_answers_gets_the_cuda_build(program: Program, nvidia_smi: str | None, is_cpu: bool) -> None:
    if nvidia_smi:
        program("nvidia-smi", nvidia_smi)
    wanted = [attempt[0] for attempt in install_torch.attempts()]
    assert wanted == (["torch==2.13.0+cpu"] * 2 if is_cpu else ["torch==2.13.0"])


def test_what_is_there_already_is_left_alone(program: Program) -> None:
    """With nothing on PATH, npm and nvidia-smi included, the scripts still end well, in silence."""
    for name in ("install_torch", "fetch_libraries", "fetch_hpsv3"):
        result = run_script(name)
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_failing_npm_is_quoted(program: Program, tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    for folder in ("scripts", "watercolour/render"):
        (checkout / folder).mkdir(parents=True)
    for name in (
        "package.json",
        "package-lock.json",
        "scripts/fetch_libraries.py",
        "watercolour/__init__.py",
        "watercolour/errors.py",
        "watercolour/render/__init__.py",
        "watercolour/render/libraries.py",
    ):
        (checkout / name).write_bytes((ROOT / name).read_bytes())
    program("node", "true")
    program("npm", "echo 'npm error code EINTEGRITY' >&2; exit 1")
    result = run_script("fetch_libraries", checkout)
    assert result.returncode == 1
    assert "npm error code EINTEGRITY" in result.stderr
    assert "Traceback" not in result.stderr
    assert not (checkout / "watercolour/render/vendor").exists()


@pytest.mark.browser
def test_chromium_that_is_there_is_taken() -> None:
    result = run_script("ensure_chromium", WATERCOLOUR_CHROMIUM=str(find_chromium()))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_chromium_that_is_named_wrongly_is_no_reason_to_install_another() -> None:
    result = run_script("ensure_chromium", WATERCOLOUR_CHROMIUM="/no/such/chromium")
    assert result.returncode == 2
    assert "/no/such/chromium" in result.stderr
    assert "Traceback" not in result.stderr
