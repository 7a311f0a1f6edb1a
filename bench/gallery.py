"""How fast a gallery of 10,000 rollouts is made, opens, scrolls, sorts and searches, in the browser that paints.

    python bench/gallery.py                10,000 rollouts, each with picture files of its own
    python bench/gallery.py --works 2000   fewer

The rollouts are made up; sources and pictures are those of the shipped pool of hibiscus paintings, and the picture
files are hard links to theirs, so that 10,000 different ones are asked of the disk without painting them. Bars: a first
view (data read, every picture in view decoded) under 2 s from the start of the navigation, and no task over 50 ms while
the whole wall is scrolled past. Seconds depend on the machine and on what else it does; the load is printed too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.show.gallery.made import write_run  # noqa: E402 - after the path to it
from watercolour.show.gallery.build import Gallery  # noqa: E402
from watercolour.show.gallery.facts import open_collection, short_name  # noqa: E402
from watercolour.show.gallery.pictures import large_path, small_path  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

GENERATIONS = 8
VIEWS = 5
FIRST_VIEW_BAR_S = 2.0
SCROLL_S = 10
SEEN = """async () => {
  const isThere = (image) => image.complete || image.getBoundingClientRect().top > innerHeight;
  const seen = () => document.documentElement.dataset.ready
    && [...document.querySelectorAll('#wall img:not([hidden])')].every(isThere);
  while (!seen()) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() / 1000;
}"""
FOUND = """async () => {
  const told = () => /^[\\d,]+ of [\\d,]+$/.test(document.getElementById('status').textContent);
  while (!told()) await new Promise(requestAnimationFrame);
}"""
WATCHED = """window.longTasks = []; new PerformanceObserver((list) => window.longTasks.push(
  ...list.getEntries().map((entry) => entry.duration))).observe({type: 'longtask'});"""
SCROLL = """async (seconds) => {
  window.longTasks.length = 0;
  const frames = [], began = performance.now();
  let elements = 0, last = began;
  while (last - began < 1000 * seconds) {
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
    scrollTo(0, document.documentElement.scrollHeight * (now - began) / (1000 * seconds));
    elements = Math.max(elements, document.querySelectorAll('*').length);
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  frames.sort((a, b) => a - b);
  return {elements, frames: frames.length, p50: frames[Math.floor(frames.length / 2)],
    p99: frames[Math.floor(frames.length * 0.99)], longTasks: window.longTasks};
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--works", type=int, default=10_000)
    works = parser.parse_args().works
    with tempfile.TemporaryDirectory(prefix="watercolour-gallery-") as name:
        folder = Path(name)
        rows = make(folder, works // GENERATIONS)
        rows += look(folder / "gallery" / "index.html")
    print(f"{works} rollouts; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print("| what | measured |\n|---|---|")
    for what, measured in rows:
        print(f"| {what} | {measured} |")


def make(folder: Path, steps: int) -> list[tuple[str, str]]:
    """The gallery, and how long its parts took."""
    base = write_run(folder / "base", steps=100, generations=GENERATIONS, of_each=60)
    began, cpu = time.perf_counter(), time.process_time()
    few = Gallery(folder / "few", [open_collection(str(base))])
    few.update()
    spent, cpu_spent = time.perf_counter() - began, time.process_time() - cpu
    pictures = len(list((folder / "few" / "small").rglob("*.webp")))
    rows = [("making pictures", f"{spent / pictures:.3f} s, {cpu_spent / pictures:.3f} CPU-s a painting ({pictures})")]
    run = write_run(folder / "run", steps=steps, generations=GENERATIONS, of_each=60)
    show = Gallery(folder / "gallery", [open_collection(str(run))])
    for path in sorted((run / "rollouts").iterdir()):
        path.write_text("".join(own_picture(line, folder) for line in path.read_text().splitlines()))
    began = time.perf_counter()
    show.update()
    rows.append(("reading rollouts and writing data", f"{time.perf_counter() - began:.1f} s"))
    began = time.perf_counter()
    show.update()
    rows.append(("a look of --watch without anything new", f"{time.perf_counter() - began:.2f} s"))
    data = sum(path.stat().st_size for path in (folder / "gallery" / "data").iterdir())
    rows.append(
        (
            "data: for the wall, in all",
            f"{(folder / 'gallery/data/works.js').stat().st_size / 1e6:.1f}, {data / 1e6:.0f} MB",
        )
    )
    return rows


def own_picture(line: str, folder: Path) -> str:
    """A rollout's line with a painting of its own: another name for the same pixels."""
    record: dict[str, Any] = json.loads(line)
    if record["painting"]:
        own = hashlib.sha256(f"{record['step']}/{record['index']}".encode()).hexdigest()
        for path_of in (small_path, large_path):
            there = path_of(folder / "few", short_name(record["painting"]))
            here = path_of(folder / "gallery", short_name(own))
            here.parent.mkdir(parents=True, exist_ok=True)
            if there.exists():
                os.link(there, here)
        record["painting"] = own
    return json.dumps(record) + "\n"


def look(index: Path) -> list[tuple[str, str]]:
    """What a person waits for."""
    from playwright.sync_api import sync_playwright

    from watercolour.render.browser import find_chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        views = [first_view(browser, index) for _ in range(VIEWS)]
        median = statistics.median(views)
        met = "met" if median < FIRST_VIEW_BAR_S else "missed"
        rows = [(f"first view (bar {FIRST_VIEW_BAR_S:g} s: {met})", f"median {median:.2f} s, worst {max(views):.2f} s")]
        page = opened(browser, index)
        scrolled = page.evaluate(SCROLL, SCROLL_S)
        tasks = scrolled["longTasks"]
        rows.append(
            (
                f"whole wall scrolled past in {SCROLL_S} s: frames",
                f"{scrolled['frames']}, 50 % in {scrolled['p50']:.0f} ms, 99 % in {scrolled['p99']:.0f} ms",
            )
        )
        rows.append(
            ("tasks over 50 ms meanwhile", f"{len(tasks)}" + (f", longest {max(tasks):.0f} ms" if tasks else ""))
        )
        rows.append(("elements of the page at most", str(scrolled["elements"])))
        began = time.perf_counter()
        page.select_option("#sort", "term judge")
        page.evaluate(SEEN)
        rows.append(("sorted by a term and shown", f"{time.perf_counter() - began:.2f} s"))
        for what in ("first search of all sources", "another search"):
            page.fill("#query", "")
            page.wait_for_timeout(400)
            began = time.perf_counter()
            page.fill("#query", "fillBleed(0.3" if what.startswith("first") else "scribble")
            page.evaluate(FOUND)
            rows.append((what, f"{time.perf_counter() - began:.1f} s"))
        browser.close()
    return rows


def opened(browser: Browser, index: Path) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.add_init_script(WATCHED)
    page.goto(index.as_uri(), wait_until="commit")
    page.evaluate(SEEN)
    return page


def first_view(browser: Browser, index: Path) -> float:
    """Seconds from the start of the navigation until all that is in view is there."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(index.as_uri(), wait_until="commit")
    seconds = float(page.evaluate(SEEN))
    page.close()
    return seconds


if __name__ == "__main__":
    main()
