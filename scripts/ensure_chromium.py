"""Find a Chromium, or install one: Playwright's headless shell, or else the system's own package.

.venv/bin/python -m scripts.ensure_chromium
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from watercolour.errors import ConfigError, InfraError, PrerequisiteError
from watercolour.render.browser import chromium_version, find_chromium

DEBIAN_PACKAGES = ("chromium-headless-shell", "chromium")
"""The headless shell alone is half the size; Debian has it as a package of its own since bookworm."""


def main() -> int:
    try:
        if _found() is not None:
            return 0
        for install in (_from_playwright, _from_debian):
            if install() and (path := _found()) is not None:
                _say(f"{chromium_version(path)} at {path}")
                return 0
    except (ConfigError, InfraError) as error:
        _say(str(error))
        return error.exit_code
    _say("no Chromium could be installed: install your system's chromium package, or set WATERCOLOUR_CHROMIUM to one")
    return PrerequisiteError.exit_code


def _found() -> Path | None:
    try:
        return find_chromium()
    except PrerequisiteError:
        return None


def _from_playwright() -> bool:
    """Download first, its system libraries after: where the download fails, those would have been fetched in vain."""
    playwright = (sys.executable, "-m", "playwright")
    if not _run([*playwright, "install", "chromium-headless-shell"]):
        return False
    return _starts() or _run([*playwright, "install-deps", "chromium-headless-shell"])


def _from_debian() -> bool:
    apt_get = shutil.which("apt-get")
    root = _root_prefix()
    if apt_get is None or root is None:
        return False
    apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", apt_get, "--quiet=2"]
    _run([*apt, "update"])
    return any(_run([*apt, "install", "--yes", "--no-install-recommends", name]) for name in DEBIAN_PACKAGES)


def _root_prefix() -> list[str] | None:
    """What to put before a command to run it as root without a question: nothing, sudo, or None where neither works."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None


def _starts() -> bool:
    try:
        return bool(chromium_version(find_chromium()))
    except (PrerequisiteError, InfraError):
        return False


def _run(command: Sequence[str]) -> bool:
    _say(" ".join(command))
    result = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if result.returncode != 0:
        lines = [line for line in result.stdout.splitlines() if line.strip()]
        _say(f"exited {result.returncode}: {next((line for line in lines if 'rror' in line), 'no reason given')}")
    return result.returncode == 0


def _say(message: str) -> None:
    print(f"ensure_chromium: {message}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
