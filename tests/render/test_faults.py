"""Whose fault it is: what dies is started again, what cannot start is ours, and nothing outlives the pool."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.render.conftest import Loop
from tests.render.test_pool import DOT_SKETCH, LOOK
from watercolour.painting import Painting, RenderOutcome
from watercolour.render.browser import find_chromium
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.render.processes import descendants, group_cpu_s, group_members
from watercolour.sketch import Sketch

pytestmark = [pytest.mark.browser, pytest.mark.alone]

LIGHT = Sketch((LOOK / "light.js").read_text())
IN_FLIGHT = 4


def kill(group: int, kind: str) -> int:
    """Kill -9 all of a browser's processes of a kind (renderer, gpu-process or browser). Answers how many."""
    killed = 0
    for process in group_members(group):
        with contextlib.suppress(OSError):
            found = re.search(rb"--type=([a-z-]+)", Path(f"/proc/{process.pid}/cmdline").read_bytes())
            if kind == (found[1].decode() if found else "browser" if process.pid == group else ""):
                os.kill(process.pid, signal.SIGKILL)
                killed += 1
    return killed


@pytest.mark.timeout(600)
def test_what_is_killed_under_four_sketches_is_tried_once_more(loop: Loop) -> None:
    async def run() -> dict[str, list[Painting]]:
        paintings = {}
        async with RendererPool(RenderSettings(timeout_s=60), workers=IN_FLIGHT) as pool:
            await pool.paint_all([Sketch(DOT_SKETCH)] * IN_FLIGHT)
            for kind in ("renderer", "gpu-process", "browser"):
                groups = await pool.ready()
                assert len(groups) == IN_FLIGHT
                tasks = [asyncio.ensure_future(pool.paint(LIGHT)) for _ in range(IN_FLIGHT)]
                await asyncio.sleep(0.3)
                assert sum(kill(group, kind) for group in groups) >= IN_FLIGHT
                paintings[kind] = await asyncio.gather(*tasks)
        return paintings

    paintings = asyncio.run_coroutine_threadsafe(run(), loop.loop).result()
    for kind, painted in paintings.items():
        assert [painting.outcome for painting in painted] == [RenderOutcome.OK] * IN_FLIGHT, (kind, painted[0].errors)
    assert len({painting.sha256 for painted in paintings.values() for painting in painted}) == 1


@pytest.mark.parametrize("delay_s", [0.0, 0.05, 1.0])
def test_browser_that_is_killed_at_any_moment_is_replaced(loop: Loop, delay_s: float) -> None:
    async def run() -> list[RenderOutcome]:
        async with RendererPool(RenderSettings(timeout_s=60), workers=1) as pool:
            await pool.paint(Sketch(DOT_SKETCH))
            groups = [worker.process.pid for worker in pool._workers if worker.process]
            await asyncio.sleep(delay_s)  # while the next page loads, or when it waits
            os.killpg(groups[0], signal.SIGKILL)
            return [(await pool.paint(Sketch(DOT_SKETCH))).outcome for _ in range(2)]

    assert loop.run(run()) == [RenderOutcome.OK] * 2


def stand_in(tmp_path: Path, script: str) -> Path:
    """A script in Chromium's place."""
    path = tmp_path / "chromium"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def open_tmp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that every user may enter: as root, the browser runs as nobody."""
    path = tmp_path_factory.mktemp("chromium")
    for folder in (path, path.parent, path.parent.parent):
        folder.chmod(0o777)
    return path


def paint_with(loop: Loop, chromium: Path, workers: int = 1, source: str = DOT_SKETCH) -> Painting:
    async def run() -> Painting:
        async with RendererPool(RenderSettings(timeout_s=60), workers=workers, chromium=chromium) as pool:
            return await pool.paint(Sketch(source))

    return loop.run(run())


def test_sketch_that_breaks_a_fresh_browser_too_is_to_blame(loop: Loop, open_tmp: Path) -> None:
    count = open_tmp / "count"
    count.touch()
    count.chmod(0o666)
    source = (Path(__file__).parents[1] / "hostile" / "lost_context.js").read_text()
    chromium = stand_in(open_tmp, f'echo >> {count}\nexec {find_chromium()} "$@"')
    painting = paint_with(loop, chromium, source=source)
    assert (painting.outcome, painting.outcome.is_ours) == (RenderOutcome.CRASHED, False)
    assert len(count.read_text().splitlines()) == 2


@pytest.mark.parametrize("script", ["exit 1", "kill -9 $$", "exec sleep 0.1"])
def test_browser_that_cannot_start_is_ours(loop: Loop, open_tmp: Path, script: str) -> None:
    count = open_tmp / "count"
    count.touch(0o666)
    count.chmod(0o666)
    painting = paint_with(loop, stand_in(open_tmp, f"echo >> {count}\n{script}"))
    assert (painting.outcome, painting.outcome.is_ours) == (RenderOutcome.INFRA, True)
    assert "did not start" in painting.errors[0]
    assert len(count.read_text().splitlines()) == 2 * LAUNCHES, "three starts, and the painting once more"


LAUNCHES = 3


@pytest.mark.parametrize("failures", [1, LAUNCHES + 1])
def test_browser_that_fails_to_start_a_few_times_still_paints(loop: Loop, open_tmp: Path, failures: int) -> None:
    count = open_tmp / "count"
    count.touch()
    count.chmod(0o666)
    script = f'echo >> {count}\n[ $(wc -l < {count}) -gt {failures} ] || exit 1\nexec {find_chromium()} "$@"'
    painting = paint_with(loop, stand_in(open_tmp, script), workers=2)
    assert painting.outcome == RenderOutcome.OK, painting.errors
    assert len(count.read_text().splitlines()) == failures + 1


def test_cpu_time_is_limited_as_well_as_wall_time(loop: Loop) -> None:
    async def run(settings: RenderSettings) -> Painting:
        async with RendererPool(settings, workers=1) as pool:
            return await pool.paint(Sketch("while (true) {}"))

    by_cpu = loop.run(run(RenderSettings(timeout_s=100, cpu_s=1.0)))
    by_wall = loop.run(run(RenderSettings(timeout_s=1, cpu_s=None)))
    assert [by_cpu.outcome, by_wall.outcome] == [RenderOutcome.TIMED_OUT] * 2
    assert "CPU time, and the limit is 1 s" in by_cpu.errors[0]
    assert by_wall.errors == ("still running after 1 s",)


def test_what_processes_use_is_seen() -> None:
    code = "import os, sys\nos.setpgid(0, 0)\nsum(range(10**7))\nprint(flush=True)\nsys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout
        child.stdout.readline()
        (member,) = group_members(child.pid)
        assert member in descendants(os.getpid())
        assert (member.pid, member.parent) == (child.pid, os.getpid())
        assert member.cpu_s > 0
        assert member.rss_bytes > 2**20
        assert group_cpu_s(child.pid) == pytest.approx(member.cpu_s, abs=0.1)
        child.communicate()
    assert group_members(child.pid) == []


def test_closed_pool_leaves_no_process_and_no_folder(loop: Loop) -> None:
    async def use() -> tuple[int, Path]:
        async with RendererPool(RenderSettings(timeout_s=2), workers=1) as pool:
            await pool.paint(Sketch(DOT_SKETCH))
            process = pool._workers[0].process
            assert process is not None
            await pool.paint(Sketch("while (true) {}"))
            return process.pid, process.folder

    group, folder = loop.run(use())
    assert not folder.exists()
    deadline = time.monotonic() + 10
    while (alive := living(group)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert alive == []


def test_parent_that_is_killed_leaves_no_browser() -> None:
    code = (
        "import asyncio, os, signal\n"
        "from watercolour.render.pool import RendererPool\n"
        "from watercolour.sketch import Sketch\n"
        "async def main():\n"
        "    async with RendererPool(workers=1) as pool:\n"
        f"        await pool.paint(Sketch({DOT_SKETCH!r}))\n"
        "        print(pool._workers[0].process.pid, flush=True)\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    group = int(done.stdout)
    deadline = time.monotonic() + 10
    while (alive := living(group)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert done.returncode == -signal.SIGKILL
    assert alive == []


def living(group: int) -> list[str]:
    """Processes of a group that still run (a zombie that waits for its parent does not)."""
    return [f"{process.name} {process.state}" for process in group_members(group) if process.state != "Z"]
