"""What run.json says of the circumstances of a run: only what is listed here, so that no secret gets in."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watercolour.render.backend import Backend

VERSIONED = ("watercolour", "torch", "transformers", "trl", "peft", "accelerate", "playwright", "pillow", "numpy")
"""The Python packages whose versions decide what a run does."""

SHORTEST_SECRET = 8
ADAPTER_WEIGHTS = "adapter_model.safetensors"


@dataclass(frozen=True)
class RunFacts:
    """Versions are None where a thing is not installed; `git_sha` ends in "-dirty" when the checkout was changed.

    `renderer` is the backend that paints ("wasm" or "gl") and the GPU's name for itself, None for wasm. `init_adapter`
    is the folder and the SHA-256 of the adapter that the run starts from.
    """

    command: str
    seeds: dict[str, int]
    versions: dict[str, str | None]
    browser: str | None
    git_sha: str | None
    policy_class: str | None = None
    renderer: dict[str, str | None] = field(default_factory=dict)
    init_adapter: dict[str, str] | None = None


def collect_facts(
    argv: Sequence[str],
    *,
    seeds: Mapping[str, int],
    browser: str | None,
    libraries: Mapping[str, str | None],
    backend: Backend,
    init_adapter: Path | None = None,
) -> RunFacts:
    """The facts of a run started now, in this process.

    `browser` is the version the browser gives of itself, `libraries` the versions of p5 and p5.brush, `backend` what
    paints, `init_adapter` the folder of the adapter that the policy starts with. Raises OSError.
    """
    versions = {"python": platform.python_version(), **{name: _version(name) for name in VERSIONED}}
    return RunFacts(
        command=without_secrets(shlex.join(argv), os.environ),
        seeds=dict(seeds),
        versions={**versions, **libraries},
        browser=browser,
        git_sha=git_sha(Path(__file__).resolve().parent.parent),
        renderer={"backend": backend.name, "gpu": backend.gpu},
        init_adapter={"folder": str(init_adapter), "sha256": _sha256(init_adapter / ADAPTER_WEIGHTS)}
        if init_adapter
        else None,
    )


def without_secrets(text: str, environment: Mapping[str, str]) -> str:
    """`text` with the value of every variable whose name speaks of a token, key, secret or password as $NAME."""
    for name, value in environment.items():
        if len(value) >= SHORTEST_SECRET and re.search(r"TOKEN|KEY|SECRET|PASSWORD", name, re.IGNORECASE):
            text = text.replace(value, f"${name}")
    return text


def git_sha(checkout: Path) -> str | None:
    """The commit of the package's own checkout; None where it is installed otherwise, or git is not there."""
    if not (checkout / ".git").exists():
        return None
    command = ["git", "-C", str(checkout), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.strip() or None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
