"""Put the torch that fits this machine into the running interpreter's environment, before anything else asks for one.

    .venv/bin/python -m scripts.install_torch

On Linux, PyPI's torch is a CUDA build of several GB. So where no NVIDIA GPU answers, the CPU build is asked for by
name: from the places that pip is set up with first, then from PyTorch's own index of CPU builds. A torch of the right
version that is there already, of whatever build, is left alone.
"""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys

TORCH_VERSION = "2.13.0"
CPU_INDEX_URL = "https://download.pytorch.org/whl/cpu"


def main() -> int:
    if _installed_version() == TORCH_VERSION:
        return 0
    *first, last = attempts()
    for attempt in (*first, last):
        print(f"install_torch: pip install {' '.join(attempt)}", file=sys.stderr)
        if _pip_install(attempt, quiet=attempt is not last):
            return 0
    print(
        f"install_torch: no torch {TORCH_VERSION} could be installed, see pip's lines above; any build of it will do: "
        f"`{sys.executable} -m pip install torch=={TORCH_VERSION}` (from PyPI on Linux: CUDA, several GB)",
        file=sys.stderr,
    )
    return 1


def attempts() -> list[list[str]]:
    """pip's arguments, in the order to try. Only Linux has a choice of builds under one name."""
    if sys.platform != "linux" or has_nvidia_gpu():
        return [[f"torch=={TORCH_VERSION}"]]
    cpu_build = f"torch=={TORCH_VERSION}+cpu"
    return [[cpu_build], [cpu_build, "--extra-index-url", CPU_INDEX_URL]]


def has_nvidia_gpu() -> bool:
    nvidia_smi = shutil.which("nvidia-smi")
    if nvidia_smi is None:
        return False
    try:
        listing = subprocess.run([nvidia_smi, "--list-gpus"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return listing.returncode == 0 and "GPU" in listing.stdout


def _installed_version() -> str | None:
    """torch's public version, without the build's name after the plus sign."""
    try:
        return importlib.metadata.version("torch").partition("+")[0]
    except importlib.metadata.PackageNotFoundError:
        return None


def _pip_install(arguments: list[str], *, quiet: bool) -> bool:
    command = [sys.executable, "-m", "pip", "install", "--quiet", *arguments]
    return subprocess.run(command, stderr=subprocess.DEVNULL if quiet else None, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
