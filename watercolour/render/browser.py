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
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from watercolour.errors import ConfigError, InfraError, PrerequisiteError

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

    from watercolour.render.backend import Backend

logger = logging.getLogger(__name__)

NAMES_ON_PATH = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome")
HOW_TO_INSTALL = (
    "run `playwright install --with-deps chromium-headless-shell`, or install your system's chromium package"
)
NOBODY = 65534
MEMORY_LIMIT_KIB = 3 * 1024 * 1024
"""Writable memory that each process of the browser may hold; a sketch that wants more crashes its page."""

# WebGL through SwiftShader, the 2D canvas on the CPU: see page/rounding.js.
SOFTWARE_FLAGS = (
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-accelerated-2d-canvas",
)
FLAGS = (
    *SOFTWARE_FLAGS,
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
    # For the painting machine's own thread: page/orders.js.
    "--enable-features=SharedArrayBuffer",
    "--js-flags=--max-old-space-size=1024",
    # All pages in one process: what it has compiled of the libraries serves the next page too.
    "--renderer-process-limit=1",
)

PLAYWRIGHTS_OWN = "--enable-unsafe-swiftshader"
"""A flag that Playwright adds, with which Chromium falls back to software where a GPU does not work."""

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


def flags_of(backend: Backend) -> tuple[str, ...]:
    """What Chromium is started with to paint on a backend."""
    if backend.name == "wasm":
        return FLAGS
    software = backend.angle == "swiftshader"
    fallback = (PLAYWRIGHTS_OWN,) if software else ("--ignore-gpu-blocklist", "--disable-software-rasterizer")
    return ("--use-gl=angle", f"--use-angle={backend.angle}", *fallback, *FLAGS[len(SOFTWARE_FLAGS) :])


async def launch(playwright: Playwright, chromium: Path, backend: Backend) -> BrowserProcess:
    """Start one Chromium, sandboxed if the machine lets it. Raises InfraError when it does not come up."""
    try:
        return await _launch(playwright, chromium, backend, sandboxed=True)
    except InfraError as error:
        if not _is_about_the_sandbox(str(error.__cause__)):
            raise
        process = await _launch(playwright, chromium, backend, sandboxed=False)
        why = "this machine does not allow one (`watercolour doctor` says more)"
        if "permission denied" in str(error.__cause__).lower():
            why = f"the user nobody may not run {chromium}; put it where every user may (PLAYWRIGHT_BROWSERS_PATH)"
        logger.warning(
            "Chromium runs WITHOUT its sandbox: %s. "
            "Render only sketches you trust here, or run in a container or virtual machine.",
            why,
        )
        return process


async def _launch(playwright: Playwright, chromium: Path, backend: Backend, *, sandboxed: bool) -> BrowserProcess:
    folder = Path(tempfile.mkdtemp(prefix="watercolour-chromium-"))
    as_nobody = sandboxed and os.name == "posix" and os.geteuid() == 0
    launcher = _write_launcher(folder, chromium, as_nobody=as_nobody, groups=_gpu_groups(backend))
    started = False
    environment: dict[str, str | float | bool] = {key: os.environ[key] for key in KEPT_ENVIRONMENT if key in os.environ}
    try:
        browser = await playwright.chromium.launch(
            executable_path=launcher,
            args=list(flags_of(backend)),
            ignore_default_args=None if PLAYWRIGHTS_OWN in flags_of(backend) else [PLAYWRIGHTS_OWN],
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


def _gpu_groups(backend: Backend) -> list[int]:
    """The groups to which a machine gives its GPUs, for a browser that is to paint on one."""
    if backend.name == "wasm":
        return []
    return sorted({node.stat().st_gid for node in Path("/dev/dri").glob("renderD*")} - {0})


def _write_launcher(folder: Path, chromium: Path, *, as_nobody: bool, groups: Sequence[int] = ()) -> Path:
    """A script that Playwright runs in Chromium's place: notes the process id, gives up root, and sets the profile."""
    drop = ""
    if as_nobody and (setpriv := shutil.which("setpriv")):
        kept = f"--groups={','.join(map(str, groups))}" if groups else "--clear-groups"
        drop = f"{setpriv} --reuid={NOBODY} --regid={NOBODY} {kept} -- "
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
