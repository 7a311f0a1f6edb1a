"""Finding a Chromium, and starting one in which a hostile sketch can do no harm.

What this covers: the browser gets no network (every name unresolvable, every connection through a proxy that is not
there, loopback included), no secrets (an environment of a few harmless variables), a throw-away profile, bounded
memory, and Chromium's own sandbox: as root it is started as the user `nobody`, since Chromium refuses to
sandbox root. What it does not cover: where the machine allows no sandbox (no user namespaces) it still starts, without
one, and says so; a hole in Chromium itself is then a hole in the machine. SwiftShader is not a security boundary.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from watercolour.errors import ConfigError, InfraError, PrerequisiteError

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

logger = logging.getLogger(__name__)

NAMES_ON_PATH = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome")
HOW_TO_INSTALL = (
    "run `playwright install --with-deps chromium-headless-shell`, or install your system's chromium package"
)
NOBODY = 65534
MEMORY_LIMIT_KIB = 3 * 1024 * 1024
"""Writable memory that each process of the browser may hold; a sketch that wants more crashes its page."""

FLAGS = (
    # WebGL through SwiftShader, the 2D canvas on the CPU: see page/look.js.
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-accelerated-2d-canvas",
    # No way out. Chromium sends loopback around a proxy unless told otherwise.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-breakpad",
    "--js-flags=--max-old-space-size=1024",
)

KEPT_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "TZ", "FONTCONFIG_PATH", "FONTCONFIG_FILE", "LD_LIBRARY_PATH")
"""All that Chromium is told of our environment. Keys stay out; so do allocator and OpenMP settings, which break it."""


def find_chromium() -> Path:
    """The browser to use: $WATERCOLOUR_CHROMIUM, Playwright's own, or one on PATH. Raises PrerequisiteError if none."""
    named = os.environ.get("WATERCOLOUR_CHROMIUM")
    if named:
        found = shutil.which(named)
        if not found:
            raise ConfigError(f"WATERCOLOUR_CHROMIUM={named}: no such program; unset it or point it at a Chromium")
        return Path(found)
    for path in _playwright_browsers():
        return path
    for name in NAMES_ON_PATH:
        if found := shutil.which(name):
            return Path(found)
    raise PrerequisiteError(f"no Chromium found: {HOW_TO_INSTALL}, or set WATERCOLOUR_CHROMIUM")


def _playwright_browsers() -> list[Path]:
    """Executables that `playwright install` left, newest revision first, the headless shell before the full browser."""
    home = Path.home()
    default = home / "Library/Caches/ms-playwright" if sys.platform == "darwin" else home / ".cache/ms-playwright"
    root = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or default)
    found: list[Path] = []
    for pattern in ("chromium_headless_shell-*", "chromium-*"):
        folders = sorted(root.glob(pattern), key=lambda folder: int(folder.name.rpartition("-")[2] or 0), reverse=True)
        for folder in folders:
            for name in ("headless_shell", "chrome-headless-shell", "chrome", "Chromium"):
                found += [path for path in sorted(folder.glob(f"*/**/{name}")) if os.access(path, os.X_OK)][:1]
    return found


def chromium_version(path: Path) -> str:
    """The browser's own version line, such as "Chromium 156.0.8078.73". Raises InfraError when it does not start."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise InfraError(f"{path} --version failed: {error}") from error
    return done.stdout.strip()


@dataclass
class BrowserProcess:
    """A running Chromium of ours: Playwright's handle, its process id and the folder of its profile."""

    browser: Browser
    pid: int
    folder: Path
    sandboxed: bool

    async def kill(self) -> None:
        """End the browser and its children now, whatever they are busy with, and remove its profile."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self.browser.close(), 5)
        await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)


async def launch(playwright: Playwright, chromium: Path) -> BrowserProcess:
    """Start one Chromium, sandboxed if the machine lets it. Raises InfraError when it does not come up."""
    try:
        return await _launch(playwright, chromium, sandboxed=True)
    except InfraError as error:
        if not _is_about_the_sandbox(str(error.__cause__)):
            raise
        process = await _launch(playwright, chromium, sandboxed=False)
        logger.warning(
            "Chromium runs WITHOUT its sandbox: this machine does not allow one (`watercolour doctor` says more). "
            "Render only sketches you trust here, or run in a container or virtual machine."
        )
        return process


async def _launch(playwright: Playwright, chromium: Path, *, sandboxed: bool) -> BrowserProcess:
    folder = Path(tempfile.mkdtemp(prefix="watercolour-chromium-"))
    launcher = _write_launcher(folder, chromium, as_nobody=sandboxed and os.name == "posix" and os.geteuid() == 0)
    started = False
    environment: dict[str, str | float | bool] = {key: os.environ[key] for key in KEPT_ENVIRONMENT if key in os.environ}
    try:
        browser = await playwright.chromium.launch(
            executable_path=launcher,
            args=list(FLAGS),
            chromium_sandbox=sandboxed,
            env=environment | {"HOME": str(folder)},
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
            timeout=30_000,
        )
        process = BrowserProcess(browser, int((folder / "pid").read_text()), folder, sandboxed)
        started = True
        return process
    except Exception as error:
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise InfraError(f"{chromium} did not start: {reason[0]}") from error
    finally:
        if not started:
            shutil.rmtree(folder, ignore_errors=True)


def _is_about_the_sandbox(message: str) -> bool:
    """Whether a browser's last words say that it may not sandbox itself, or that `nobody` may not run it."""
    lowered = message.lower()
    return any(word in lowered for word in ("sandbox", "namespace", "permission denied", "setpriv"))


def _write_launcher(folder: Path, chromium: Path, *, as_nobody: bool) -> Path:
    """A script that Playwright runs in Chromium's place: notes the process id, gives up root, and sets the profile."""
    drop = ""
    if as_nobody and (setpriv := shutil.which("setpriv")):
        drop = f"{setpriv} --reuid={NOBODY} --regid={NOBODY} --clear-groups -- "
        os.chown(folder, NOBODY, NOBODY)
    launcher = folder / "launch"
    profile = shlex.quote(str(folder / "profile"))
    launcher.write_text(
        f"#!/bin/sh\necho $$ > {shlex.quote(str(folder / 'pid'))}\n"
        f"ulimit -d {MEMORY_LIMIT_KIB} 2>/dev/null\n"
        f'exec {drop}{shlex.quote(str(chromium))} "$@" --user-data-dir={profile}\n'
    )
    launcher.chmod(0o755)
    return launcher
