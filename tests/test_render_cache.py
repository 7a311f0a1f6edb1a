"""A painting is painted once a run: found again by all that decides it, and by nothing less."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from watercolour.config import load_config_text
from watercolour.errors import FatalInfraError
from watercolour.painting import Painting, RenderOutcome
from watercolour.recheck import recheck
from watercolour.render.backend import Backend
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.render_cache import CachedRenderer
from watercolour.run_facts import RunFacts
from watercolour.runs import RunDir
from watercolour.sketch import Sketch

FACTS = RunFacts(command="watercolour train", seeds={}, versions={}, browser="156", git_sha=None)
CONFIG = "policy: {model: a}\ngrpo: {steps: 1}\nreward: {terms: [{term: gate, weight: 1}]}"
DISC = Sketch(
    """function setup() { createCanvas(600, 600, WEBGL); noLoop(); }
function draw() { background("#fff"); brush.noStroke(); brush.fill("#d04070", 220); brush.circle(0, 0, 150); }
"""
)


class FakePool:
    """Paints noise, a new one every time, so that a painting that comes back can be told from one made again."""

    def __init__(self, outcome: RenderOutcome = RenderOutcome.OK, **changes: Any) -> None:
        self.settings = RenderSettings(**changes.pop("settings", {}))
        self.backend = changes.pop("backend", Backend("wasm"))
        self.outcome = outcome
        self.painted: list[str] = []

    def page_html(self, seed: int, settings: dict[str, Any]) -> str:
        return f"the libraries, seeded with {seed}"

    async def paint_all(self, sketches: Sequence[Sketch], *, seed: int) -> list[Painting]:
        await asyncio.sleep(0)
        self.painted += [sketch.source for sketch in sketches]
        pixels = np.random.default_rng().integers(0, 256, (4, 5, 3), dtype=np.uint8)
        return [
            Painting(
                sketch, self.outcome, pixels, paper=(250, 251, 252), coverage=0.25, canvas=(600, 400.5), errors=("oh",),
                painted_by_brush=0.2, brush_fills=3, seed=seed, seconds=1.5,
            )
            for sketch in sketches
        ]  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return RunDir.create(tmp_path / "run", load_config_text(CONFIG), CONFIG, FACTS)


def renderer(run: RunDir, pool: Any = None, browser: str = "156") -> CachedRenderer:
    return CachedRenderer(pool or FakePool(), run, browser)


def paint(renderer: CachedRenderer, *sketches: Sketch, seed: int = 1) -> list[Painting]:
    return asyncio.run(renderer.paint_all(sketches, seed=seed))


def test_what_was_painted_comes_back_whole_after_a_crash(run: RunDir) -> None:
    pool = FakePool()
    (first,) = paint(renderer(run, pool), DISC)
    again = renderer(run, pool)
    (second,) = paint(again, DISC)
    assert (pool.painted, again.cached) == ([DISC.source], 1)
    assert first.pixels is not None and second.pixels is not None
    assert np.array_equal(first.pixels, second.pixels)
    assert replace(first, pixels=None) == replace(second, pixels=None)


def test_twins_in_a_group_are_painted_once_and_all_keep_their_place(run: RunDir) -> None:
    pool, other = FakePool(), Sketch("other")
    ours = renderer(run, pool)
    paintings = paint(ours, DISC, other, DISC, other, DISC)
    assert sorted(pool.painted) == sorted([DISC.source, other.source])
    assert [painting.sketch for painting in paintings] == [DISC, other, DISC, other, DISC]
    assert paintings[0].sha256 == paintings[2].sha256 != paintings[1].sha256
    assert ours.cached == 3


def test_what_was_begun_ahead_is_taken_up_and_counts_as_if_it_had_not_been(run: RunDir) -> None:
    pool, other, stray = FakePool(), Sketch("other"), Sketch("not in the group")
    told: list[str] = []

    async def on_painted(painting: Painting) -> None:
        told.append(painting.sketch.source if painting.sketch else "")

    async def group(ours: CachedRenderer) -> list[Painting]:
        for sketch in (DISC, DISC, stray):
            ours.paint_ahead(sketch, on_painted=on_painted)
        await asyncio.sleep(0.1)
        assert DISC.source in pool.painted
        return await ours.paint_all([other, DISC, DISC], seed=1, on_painted=on_painted)

    ours = renderer(run, pool)
    paintings = asyncio.run(group(ours))
    assert [painting.sketch for painting in paintings] == [other, DISC, DISC]
    assert sorted(pool.painted) == sorted([DISC.source, other.source, stray.source]) == sorted(told)
    assert ours.cached == 1, "one of the twins"
    assert ours.ahead_s > 0
    again = renderer(run, pool)
    asyncio.run(group(again))
    assert (len(pool.painted), again.cached) == (3, 3)
    paint(again, DISC)
    assert again.ahead_s == 0


def test_what_might_end_otherwise_is_still_painted_once_when_begun_ahead(run: RunDir) -> None:
    pool = FakePool(RenderOutcome.TIMED_OUT)
    ours = renderer(run, pool)

    async def group() -> None:
        ours.paint_ahead(DISC)
        await asyncio.sleep(0.1)
        await ours.paint_all([DISC], seed=1)

    asyncio.run(group())
    assert (len(pool.painted), ours.cached) == (1, 0)


def test_a_fault_met_ahead_is_raised_with_the_group(run: RunDir, caplog: pytest.LogCaptureFixture) -> None:
    run.images.rmdir()
    run.images.write_text("in the way")
    ours = renderer(run)

    async def group() -> None:
        ours.paint_ahead(DISC)
        ours.paint_ahead(Sketch("not in the group"))
        await asyncio.sleep(0.1)
        with pytest.raises(FatalInfraError, match=r"images.*cannot be written"):
            await ours.paint_all([DISC], seed=1)
        ours.paint_ahead(DISC)
        ours.forget_ahead()

    asyncio.run(group())
    assert not caplog.records


@pytest.mark.parametrize(
    ("pool", "browser", "seed", "source"),
    [
        (FakePool(), "157", 1, DISC.source),
        (FakePool(), "156", 2, DISC.source),
        (FakePool(), "156", 1, DISC.source + " "),
        (FakePool(settings={"frames": 2}), "156", 1, DISC.source),
        (FakePool(settings={"timeout_s": 3.0}), "156", 1, DISC.source),
        (FakePool(backend=Backend("gl", "vulkan", "Some GPU")), "156", 1, DISC.source),
    ],
)
def test_whatever_decides_a_painting_makes_another(
    run: RunDir, pool: FakePool, browser: str, seed: int, source: str
) -> None:
    paint(renderer(run), DISC)
    changed = renderer(run, pool, browser)
    paint(changed, Sketch(source), seed=seed)
    assert (len(pool.painted), changed.cached) == (1, 0)


@pytest.mark.parametrize("outcome", [RenderOutcome.INFRA, RenderOutcome.TIMED_OUT, RenderOutcome.CRASHED])
def test_what_might_end_otherwise_is_painted_again(run: RunDir, outcome: RenderOutcome) -> None:
    pool = FakePool(outcome)
    for _ in range(2):
        paint(renderer(run, pool), DISC)
    assert len(pool.painted) == 2


@pytest.mark.parametrize("damage", ["gone", "torn", "another", "record"])
def test_a_damaged_cache_is_painted_over(run: RunDir, damage: str) -> None:
    pool = FakePool()
    (first,) = paint(renderer(run, pool), DISC)
    picture = run.image_path(first.sha256 or "")
    match damage:
        case "gone":
            picture.unlink()
        case "torn":
            picture.write_bytes(picture.read_bytes()[:40])
        case "another":
            picture.write_bytes(replace(first, pixels=np.zeros((4, 5, 3), np.uint8)).png())
        case "record":
            record = json.loads(run.renders_path.read_text())
            run.renders_path.write_text(json.dumps({"key": record["key"]}) + "\n")
    paint(renderer(run, pool), DISC)
    assert len(pool.painted) == 2


def test_a_folder_that_takes_no_picture_stops_the_run(run: RunDir) -> None:
    run.images.rmdir()
    run.images.write_text("in the way")
    with pytest.raises(FatalInfraError, match=r"images.*cannot be written"):
        paint(renderer(run), DISC)


@pytest.mark.browser
def test_a_painting_painted_again_in_a_fresh_browser_is_the_same_or_stops_the_run(
    run: RunDir, caplog: pytest.LogCaptureFixture
) -> None:
    async def check() -> None:
        async with RendererPool(workers=1) as pool:
            ours = CachedRenderer(pool, run, await pool.browser_version())
            paintings = await ours.paint_all([DISC, Sketch("nonsense(")], seed=1)
            assert [painting.outcome for painting in paintings] == [RenderOutcome.OK, RenderOutcome.SYNTAX_ERROR]
            await recheck(paintings, pool, 2, "0 10")
            assert not caplog.records
            assert paintings[0].pixels is not None
            forged = replace(paintings[0], pixels=255 - paintings[0].pixels)
            with pytest.raises(FatalInfraError, match=r"in a fresh browser, ok [0-9a-f]{12} became ok [0-9a-f]{12}: "):
                await recheck([forged], pool, 2, "0 10")
            # A sketch that painted nothing, with the picture of the sketch before it.
            empty = replace(paintings[0], sketch=Sketch(DISC.source.replace("brush.circle(0, 0, 150);", "")))
            with pytest.raises(FatalInfraError, match="became blank"):
                await recheck([empty], pool, 1, "0 20")

    asyncio.run(check())
