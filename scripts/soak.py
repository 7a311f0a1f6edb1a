"""Paints thousands of sketches, hostile ones among them, and fails if the renderer leaks, errs or leaves anything.

    python -m scripts.soak                  2,000 renders on two browsers, as `make soak` does
    python -m scripts.soak --renders 200    a shorter one

Every outcome must be the expected one and every picture the same bytes each time. The memory of all processes of the
browsers together is sampled after each render; of the samples after the warm-up the first and the last third are
compared by their medians, since single samples jump as pages come and go. It counts as flat when the last is at most
`MAX_GROWTH` above the first. This process's own memory is held to `MAX_OWN_GROWTH_BYTES` in the same way.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from watercolour.painting import RenderOutcome
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.render.processes import descendants, group_members, own_rss_bytes
from watercolour.sketch import Sketch

MAX_GROWTH = 0.15
MAX_OWN_GROWTH_BYTES = 48 * 2**20
WARM_UP_SHARE = 0.2
REPORT_EVERY_S = 10.0
CHEAP_LIMIT_S = 20.0
HOSTILE_EVERY = 20

CHEAP = """function setup() {{
  createCanvas(200, 200, WEBGL);
  background("#f4efe6");
  {style}
  brush.circle({x}, {y}, {radius});
  noLoop();
}}"""
STYLES = (
    'brush.noStroke(); brush.wash("#197278", 150);',
    'brush.noStroke(); brush.fill("#a04030", 180);',
    'brush.noFill(); brush.set("2B", "#222", 1);',
)
HOSTILE = {
    "throw new Error('x');": RenderOutcome.THREW,
    "function setup( {": RenderOutcome.SYNTAX_ERROR,
    "let painted = 0;": RenderOutcome.NO_CANVAS,
    'function setup() { createCanvas(200, 200, WEBGL); background("#eee"); noLoop(); }': RenderOutcome.BLANK,
    "function setup() { createCanvas(200, 200, WEBGL); location.href = 'about:blank'; }": None,
    "function setup() { createCanvas(200, 200, WEBGL); document.write('gone'); }": RenderOutcome.BLANK,
    "new Array(1e7).fill(1); open('about:blank'); let painted = 0;": RenderOutcome.NO_CANVAS,
}
FATAL = ("for (;;) {}", RenderOutcome.TIMED_OUT)
"""Once in `FATAL_EVERY` renders: it costs its browser, which must come back."""
FATAL_EVERY = 200


@dataclass
class Soak:
    """What has been seen so far."""

    done: int = 0
    wrong: list[str] = field(default_factory=list)
    restarts: int = 0
    tree_bytes: list[int] = field(default_factory=list)
    own_bytes: list[int] = field(default_factory=list)
    hashes: dict[str, str | None] = field(default_factory=dict)
    groups: set[int] = field(default_factory=set)


def sketches(count: int) -> Iterator[tuple[str, RenderOutcome | None]]:
    """Sources with the outcome that each must have; None where leaving the page may end in two ways."""
    hostile = list(HOSTILE.items())
    for index in range(count):
        if index % FATAL_EVERY == FATAL_EVERY // 2:
            yield FATAL
        elif index % HOSTILE_EVERY == HOSTILE_EVERY - 1:
            yield hostile[index // HOSTILE_EVERY % len(hostile)]
        else:
            style = STYLES[index % len(STYLES)]
            yield CHEAP.format(style=style, x=index % 7 * 10 - 30, y=index % 5 * 10 - 20, radius=20), RenderOutcome.OK


async def soak(renders: int, workers: int) -> Soak:
    """Paint that many. Never raises for what a sketch or a browser does."""
    seen = Soak()
    queue = sketches(renders)
    started = last_line = time.monotonic()
    # A loop must be cut soon whatever else the machine does, and a cheap sketch must not.
    settings = RenderSettings((200, 200), timeout_s=CHEAP_LIMIT_S, cpu_s=4.0)
    async with RendererPool(settings, workers=workers) as pool:

        async def lane() -> None:
            nonlocal last_line
            for source, outcome in queue:
                painting = await pool.paint(Sketch(source))
                judge(seen, source, outcome, painting.outcome, painting.sha256, "; ".join(painting.errors))
                alive = {worker.process.pid for worker in pool._workers if worker.process}
                seen.restarts += len(alive - seen.groups)
                seen.groups |= alive
                if outcome is RenderOutcome.OK:  # a hostile one's memory is its own affair
                    tree = await asyncio.to_thread(descendants, os.getpid())
                    seen.tree_bytes.append(sum(process.rss_bytes for process in tree))
                    seen.own_bytes.append(own_rss_bytes())
                if time.monotonic() - last_line > REPORT_EVERY_S:
                    last_line = time.monotonic()
                    print(line(seen, last_line - started), file=sys.stderr, flush=True)

        await asyncio.gather(*(lane() for _ in range(workers)))
    return seen


def judge(
    seen: Soak, source: str, expected: RenderOutcome | None, outcome: RenderOutcome, sha256: str | None, said: str
) -> None:
    """Take note of one result, and of what is wrong with it."""
    seen.done += 1
    right = outcome in (RenderOutcome.THREW, RenderOutcome.BLANK) if expected is None else outcome is expected
    if not right:
        seen.wrong.append(f"{outcome}, not {expected}: {source[:60]!r} {said[:200]}")
    if expected is RenderOutcome.OK and sha256 != seen.hashes.setdefault(source, sha256):
        seen.wrong.append(f"other bytes than before: {source!r}")


def line(seen: Soak, seconds: float) -> str:
    tree, own = (f"{values[-1] / 2**20:.0f}" if values else "?" for values in (seen.tree_bytes, seen.own_bytes))
    return (
        f"{seconds:5.0f} s  {seen.done} renders  browsers {tree} MiB  own {own} MiB"
        f"  browsers started {seen.restarts}  wrong {len(seen.wrong)}"
    )


def thirds(samples: list[int]) -> tuple[float, float]:
    """Medians of the first and the last third after the warm-up, in the samples' unit."""
    steady = samples[int(len(samples) * WARM_UP_SHARE) :]
    third = max(1, len(steady) // 3)
    return statistics.median(steady[:third]), statistics.median(steady[-third:])


def verdict(seen: Soak) -> list[str]:
    """What is wrong, one line each; nothing when all went well."""
    troubles = list(seen.wrong)
    first, last = thirds(seen.tree_bytes)
    if last > first * (1 + MAX_GROWTH):
        troubles.append(f"the browsers' memory grew from {first / 2**20:.0f} to {last / 2**20:.0f} MiB")
    first, last = thirds(seen.own_bytes)
    if last > first + MAX_OWN_GROWTH_BYTES:
        troubles.append(f"our own memory grew from {first / 2**20:.0f} to {last / 2**20:.0f} MiB")
    deadline = time.monotonic() + 10
    while (left := leftovers(seen)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return troubles + left


def leftovers(seen: Soak) -> list[str]:
    """Processes that should be gone by now, alive or zombies: children of ours, and the browsers' own groups."""
    orphans = [process for group in seen.groups for process in group_members(group)]
    return [
        f"left behind: {process.name} {process.pid} {process.state}"
        for process in [*descendants(os.getpid()), *orphans]
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--renders", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    if not Path("/proc/self/stat").exists():
        print("soak: needs Linux's /proc to see memory and processes", file=sys.stderr)
        return 3
    started = time.monotonic()
    seen = asyncio.run(soak(options.renders, options.workers))
    print(line(seen, time.monotonic() - started))
    troubles = verdict(seen)
    for trouble in troubles:
        print(trouble)
    (first, last), (own_first, own_last) = thirds(seen.tree_bytes), thirds(seen.own_bytes)
    print(
        f"browsers {first / 2**20:.0f} -> {last / 2**20:.0f} MiB, own {own_first / 2**20:.0f} -> "
        f"{own_last / 2**20:.0f} MiB (medians of the first and the last third after the warm-up)"
    )
    print("soak: failed" if troubles else f"soak: passed, {seen.done} renders")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
