"""How fast this project renders, beside the usual way, and how alike the pictures are.

    python bench/render.py                 light, medium, dots and wash, each against the baseline run just before it
    python bench/render.py --all           heavy too, whose baseline takes minutes
    python bench/render.py --only light    one sketch
    python bench/render.py --group         a group of 8 mixed sketches on two browsers, CPU-seconds a picture, and the
                                           cores that such a group needs to be done in five seconds

The sketches and the baseline lie beside this repository in ../shared/bench; without them this says so and stops. Ours
are medians of `RUNS`, each in a fresh page that was loaded `SETTLED_S` before, as pages wait while a model writes, from
handing over the source to the PNG's bytes.
CPU-seconds are those of all processes of the browser. The second table is of one more run of each, clocked inside as
`watercolour render --trace` does and not counted in the first: the longest stage is what to speed up next. Seconds
depend on the machine and on what else it does; ratios hold.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from watercolour.painting import Painting, RenderOutcome
from watercolour.render.libraries import P5, P5_BRUSH, VENDOR_DIR
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.render.stages import heading, row, whole
from watercolour.sketch import Sketch

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "bench"
OUT = ROOT / "bench" / "out"
RUNS = 5
SETTLED_S = 1.0
QUICK = ("light", "medium", "dots", "wash")
SLOW = ("heavy",)
GROUP = ("light", "medium", "dots", "wash", "heavy", "light", "medium", "dots")
GROUP_WORKERS = 2
GROUP_GOAL_S = 5.0
WARM_UP = Sketch("function setup() { createCanvas(600, 600, WEBGL); background(255); }")


@dataclass(frozen=True)
class Result:
    """One sketch, ours beside the baseline. Times in seconds; differences of 8-bit channels."""

    sketch: str
    ours_s: float
    ours_cpu_s: float
    baseline_s: float
    ratio: float
    mean_abs_diff: float
    share_over_8: float


def cpu_seconds(group: int) -> float:
    """CPU time so far of the processes of a process group, those that it has reaped included."""
    ticks = 0
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group:
            ticks += sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def png_of(painting: Painting) -> bytes:
    """The painting as a PNG. Stops the benchmark if it did not come out."""
    if painting.outcome is not RenderOutcome.OK or painting.pixels is None:
        sys.exit(f"bench: it did not paint: {painting.outcome} {painting.errors}")
    buffer = io.BytesIO()
    Image.fromarray(painting.pixels).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


async def ours(source: str, runs: int) -> tuple[float, float, Image.Image]:
    """Median wall and CPU seconds of `runs`, and the picture."""
    walls, cpus = [], []
    async with RendererPool(RenderSettings(timeout_s=60), workers=1) as pool:
        await pool.paint(WARM_UP)
        for _ in range(runs):
            group = await pool.ready()
            await asyncio.sleep(SETTLED_S)
            cpu_before, started = cpu_seconds(group[0]), time.perf_counter()
            painting = await pool.paint(Sketch(source))
            png = png_of(painting)
            walls.append(time.perf_counter() - started)
            cpus.append(cpu_seconds(group[0]) - cpu_before)
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    return statistics.median(walls), statistics.median(cpus), picture


async def trace(source: str) -> dict[str, float]:
    """Seconds by stage of one run that is clocked inside."""
    async with RendererPool(RenderSettings(timeout_s=60), workers=1, trace=True) as pool:
        await pool.paint(WARM_UP)
        await pool.ready()
        await asyncio.sleep(SETTLED_S)
        started = time.perf_counter()
        painting = await pool.paint(Sketch(source))
        painted = time.perf_counter()
        png_of(painting)
        encoded = time.perf_counter()
    return whole({**painting.stages, "encode_s": encoded - painted}, encoded - started)


def baseline(name: str, chromium: Path) -> tuple[float, Image.Image]:
    """Seconds and picture of the usual way."""
    with tempfile.TemporaryDirectory() as folder:
        libraries = ["--p5", str(VENDOR_DIR / P5.name), "--brush", str(VENDOR_DIR / P5_BRUSH.name)]
        command = [
            sys.executable,
            str(SHARED / "baseline.py"),
            *libraries,
            "--chromium",
            str(chromium),
            "--out",
            folder,
        ]
        done = subprocess.run(
            [*command, str(SHARED / "sketches" / f"{name}.js")],
            capture_output=True,
            text=True,
            check=True,
            timeout=1200,
        )
        seconds = float(json.loads(done.stdout.splitlines()[-1])["seconds"])
        return seconds, Image.open(Path(folder) / f"{name}.png").convert("RGB")


def compare(name: str, runs: int) -> tuple[Result, Image.Image]:
    """Both ways, back to back, and a strip of ours, theirs and eight times their difference."""
    source = (SHARED / "sketches" / f"{name}.js").read_text()
    baseline_s, theirs = baseline(name, RendererPool(workers=1).chromium)
    wall, cpu, mine = asyncio.run(ours(source, runs))
    difference = np.abs(np.asarray(mine).astype(int) - np.asarray(theirs).astype(int))
    over = float((difference.max(axis=2) > 8).mean())
    result = Result(name, wall, cpu, baseline_s, baseline_s / wall, float(difference.mean()), over)
    amplified = Image.fromarray(np.clip(255 - 8 * difference, 0, 255).astype(np.uint8))
    strip = np.concatenate([np.asarray(image) for image in (mine, theirs, amplified)], axis=1)
    return result, Image.fromarray(strip)


def longest_of(stages: dict[str, float]) -> str:
    """The stage that takes the most time, with its seconds."""
    stage = max(stages.keys() - {"total_s"}, key=lambda stage: stages[stage])
    return f"{stage.removesuffix('_s')} {stages[stage]:.2f}"


def print_row(result: Result, stages: dict[str, float]) -> None:
    """A line of the table."""
    print(
        f"{result.sketch:8} {result.baseline_s:9.1f} {result.ours_s:7.2f} {result.ours_cpu_s:7.2f} {result.ratio:6.0f}x"
        f" {result.mean_abs_diff:6.3f} {100 * result.share_over_8:6.2f} %   {longest_of(stages)}",
        flush=True,
    )


async def group(names: tuple[str, ...]) -> None:
    """A group of sketches on two browsers: wall seconds, and CPU-seconds a picture with its page's loading."""
    sketches = [Sketch((SHARED / "sketches" / f"{name}.js").read_text()) for name in names]
    async with RendererPool(RenderSettings(timeout_s=60), workers=GROUP_WORKERS) as pool:
        await pool.paint_all(sketches[:GROUP_WORKERS])
        groups = await pool.ready()
        before, started = sum(map(cpu_seconds, groups)), time.perf_counter()
        for painting in await pool.paint_all(sketches):
            png_of(painting)
        wall = time.perf_counter() - started
        await pool.ready()
        cpu = sum(map(cpu_seconds, groups)) - before
    each = cpu / len(names)
    print(f"group of {len(names)} on {GROUP_WORKERS} browsers: {wall:.2f} s, {each:.2f} CPU-seconds a picture")
    print(f"in {GROUP_GOAL_S:g} s it needs {cpu / GROUP_GOAL_S:.1f} cores: {cpu:.1f} CPU-seconds, loading included")


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--all", action="store_true", help="heavy too")
    parser.add_argument("--only", metavar="NAME", help="one sketch")
    parser.add_argument("--group", action="store_true", help="a group of 8 on two browsers")
    parser.add_argument("--json", action="store_true", help="one JSON object a sketch")
    parser.add_argument("--runs", type=int, default=RUNS)
    args = parser.parse_args()
    if not (SHARED / "baseline.py").exists():
        print(f"skipped: no baseline at {os.path.relpath(SHARED, ROOT)}")
        return
    if args.group:
        asyncio.run(group(GROUP))
        return
    names = (args.only,) if args.only else QUICK + (SLOW if args.all else ())
    if not args.json:
        print("sketch    baseline    ours     CPU   ratio   mean  over 8   longest stage, s")
    strips, traces = [], {}
    for name in names:
        result, strip = compare(name, args.runs)
        stages = traces[name] = asyncio.run(trace((SHARED / "sketches" / f"{name}.js").read_text()))
        strips.append(strip)
        if args.json:
            print(json.dumps({**asdict(result), "stages": stages}), flush=True)
        else:
            print_row(result, stages)
    if not args.json:
        print(f"\n{heading()}")
        for name, stages in traces.items():
            print(row(name, stages))
    OUT.mkdir(exist_ok=True)
    Image.fromarray(np.concatenate([np.asarray(strip) for strip in strips])).save(OUT / "contact.png")


if __name__ == "__main__":
    main()
