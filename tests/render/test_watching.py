"""Clocks and films only watch: the picture stays the same, the stages are its own, the film ends as it does."""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.render.conftest import Loop
from watercolour.painting import Painting, RenderOutcome
from watercolour.render import fast
from watercolour.render.film import Film, film_of, fps_of
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.render.report import painting_of
from watercolour.render.stages import STAGES, heading, row, whole
from watercolour.sketch import Sketch

LOOK = Path(__file__).parent.parent / "data" / "look"
CANVAS = "createCanvas(600, 600, WEBGL); "
STYLE = 'brush.noStroke(); brush.fillTexture(0.2, 0.4); brush.fill("#2040c0", 200);'
DISCS = "for (let i = 0; i < 5; i++) brush.circle(100 * i - 200, 0, 50);"
ON_PAPER = f'function setup() {{ {CANVAS} background("#eee"); {STYLE} {DISCS} noLoop(); }}'
MIXED = (
    f'function setup() {{ {CANVAS} background("#fbf6ee"); fill("#c03050"); rect(-200, -200, 90, 90); {STYLE} {DISCS}'
    'brush.set("2B", "#223", 1); brush.line(-200, 150, 200, 220); noLoop(); }'
)
MANY = ON_PAPER.replace(DISCS, "for (let i = 0; i < 24; i++) brush.circle(20 * i - 240, 9 * i - 100, 12);")
TRANSPARENT = f"function setup() {{ {CANVAS} {STYLE} {DISCS} noLoop(); }}"


@pytest.fixture(scope="module")
def watching(loop: Loop) -> Iterator[RendererPool]:
    pool = RendererPool(RenderSettings(timeout_s=60), workers=1, trace=True, film=True)
    loop.run(pool.__aenter__())
    yield pool
    loop.run(pool.close())


@pytest.fixture(scope="module")
def plain(loop: Loop) -> Iterator[RendererPool]:
    pool = RendererPool(RenderSettings(timeout_s=60), workers=1)
    loop.run(pool.__aenter__())
    yield pool
    loop.run(pool.close())


def watch(loop: Loop, pool: RendererPool, source: str) -> Painting:
    return loop.run(pool.paint(Sketch(source)))


@pytest.mark.browser
@pytest.mark.parametrize(
    "source",
    [(LOOK / "light.js").read_text(), MIXED, TRANSPARENT],
    ids=["light", "mixed", "transparent"],
)
def test_watched_painting_is_the_same_and_its_film_ends_with_it(
    loop: Loop, watching: RendererPool, plain: RendererPool, source: str
) -> None:
    watched = watch(loop, watching, source)
    assert watched.outcome is RenderOutcome.OK
    assert watched.sha256 == watch(loop, plain, source).sha256
    assert watched.film is not None
    assert watched.pixels is not None
    frames = list(watched.film.frames(watched.pixels))
    assert len(frames) > 5
    assert len(frames) >= (watched.brush_fills or 0)
    assert (frames[-1] == watched.pixels).all()
    painted = [int((frame != frames[0]).any(axis=2).sum()) for frame in frames]
    assert painted[-1] > painted[len(frames) // 2] > 0
    # What film.js kept leads to the finished picture, but for the rounding of what is half transparent.
    replayed = list(Film(600, 600, (*watched.film.changes, ())).frames(watched.pixels, limit=10**6))[-2]
    assert np.abs(replayed.astype(int) - watched.pixels).max() <= 1


@pytest.mark.browser
def test_stages_are_clocked_and_lie_within_the_seconds(loop: Loop, watching: RendererPool) -> None:
    stages = watch(loop, watching, MIXED).stages
    assert min(stages[f"{name}_s"] for name in ("sketch", "raster", "composite", "gl", "read")) > 0
    still = watch(loop, watching, f'function setup() {{ {CANVAS} background("#eee"); noLoop(); }}').stages
    assert still["raster_s"] == 0


@pytest.mark.browser
def test_sketch_cannot_see_that_it_is_watched(loop: Loop, watching: RendererPool, plain: RendererPool) -> None:
    names = "Object.getOwnPropertyNames(globalThis).filter((name) => /watercolour|film|spent|timed|Film/.test(name))"
    source = f"throw new Error(JSON.stringify({names}));"
    assert watch(loop, watching, source).errors == watch(loop, plain, source).errors == ("Error: [] (line 1)",)


@pytest.mark.browser
def test_sketch_that_spoils_its_film_still_paints(loop: Loop, watching: RendererPool) -> None:
    spoil = "const m = Map.prototype[Symbol.iterator]; setTimeout(() => 0);"
    spoil += "Map.prototype[Symbol.iterator] = function () { throw new Error('spoilt'); };"
    painting = watch(loop, watching, ON_PAPER.replace("noLoop()", f"noLoop(); {spoil}"))
    assert painting.outcome is RenderOutcome.OK
    assert painting.film is None
    assert any("spoilt" in error for error in painting.errors)
    assert painting.pixels is not None


@pytest.mark.browser
@pytest.mark.parametrize(("frames", "megabytes"), [(8, 128), (480, 2)], ids=["frames", "bytes"])
def test_film_is_thinned_to_what_it_may_hold(
    loop: Loop, monkeypatch: pytest.MonkeyPatch, frames: int, megabytes: int
) -> None:
    monkeypatch.setattr(fast, "FILM_FRAMES", frames)
    monkeypatch.setattr(fast, "FILM_BYTES", megabytes << 20)

    async def film() -> Painting:
        async with RendererPool(RenderSettings(timeout_s=60), workers=1, film=True) as pool:
            return await pool.paint(Sketch(MANY))

    painting = loop.run(film())
    assert painting.film is not None
    assert painting.pixels is not None
    changes = painting.film.changes
    assert 2 <= len(changes) <= min(frames, (painting.brush_fills or 0) // 2)
    assert sum(4 * pixels.nbytes // 3 for change in changes for _, _, pixels in change) <= megabytes << 20
    shares = [(frame != 255).any(axis=2).mean() for frame in painting.film.frames(painting.pixels)]
    assert shares == sorted(shares)


def report(tiles: list[list[Any]], **changes: Any) -> dict[str, Any]:
    return {"width": 70, "height": 40, "tile": 64, "tiles": tiles, **changes}


def tile(width: int, height: int, *colour: int) -> str:
    return base64.b64encode(np.full((height, width, 4), colour, np.uint8).tobytes()).decode()


def test_frames_build_on_one_another() -> None:
    red, half = tile(64, 40, 200, 0, 0, 255), tile(6, 40, 50, 0, 0, 128)
    film = film_of([report([[0, red]]), report([[1, half]]), report([])])
    assert film is not None
    finished = np.zeros((40, 70, 3), np.uint8)
    first, second, last = film.frames(finished)
    assert (first[:, :64] == (200, 0, 0)).all()
    assert (first[:, 64:] == 255).all()
    assert (second[:, :64] == (200, 0, 0)).all()
    assert (second[:, 64:] == (177, 127, 127)).all()
    assert last is finished
    assert film_of([]) is None


@pytest.mark.parametrize(("count", "limit", "wanted"), [(5, 240, 5), (500, 240, 240), (3, 2, 2), (2, 1, 1)])
def test_film_shows_at_most_so_many_frames(count: int, limit: int, wanted: int) -> None:
    changes = tuple(((0, 0, np.full((1, 1, 3), i % 256, np.uint8)),) for i in range(count))
    frames = list(Film(1, 1, changes).frames(np.full((1, 1, 3), 77, np.uint8), limit=limit))
    assert len(frames) == wanted
    assert frames[-1][0, 0, 0] == 77
    values = [int(frame[0, 0, 0]) for frame in frames[:-1]]
    if count == 500:
        assert {(after - before) % 256 for before, after in itertools.pairwise(values)} <= {2, 3}


@pytest.mark.parametrize(
    "frame", [{}, report([[0, "AAAA"]]), report([[99, tile(64, 40, 0, 0, 0, 0)]]), report(7), report([], tile=0)]
)
def test_nonsense_for_a_frame_is_a_crash_and_no_error(frame: Any) -> None:
    pixel = {"kind": "2d", "width": 1, "height": 1, "base64": "AAAA/w=="}
    reply = {"outcome": "ok", "picture": pixel, "brushMarks": 0, "frames": [frame]}
    assert painting_of(reply, Sketch("x"), 1).outcome is RenderOutcome.CRASHED


def test_pace_of_a_film() -> None:
    assert [fps_of(frames) for frames in (1, 33, 80, 240)] == [6, 6, 10, 30]


def test_rows_line_up_and_the_rest_makes_them_whole() -> None:
    stages = whole({"queue_s": 0.25, "sketch_s": 1.5}, 2.0)
    assert stages == {"queue_s": 0.25, "sketch_s": 1.5, "rest_s": 0.25, "total_s": 2.0}
    cells = row("a.js", stages).split()
    assert cells == ["0.250", "-", "1.500", *["-"] * 5, "0.250", "2.000", "a.js"]
    assert heading().split() == [*STAGES, "total", "seconds"]
    assert heading().index("seconds") == row("a.js", stages).index("a.js")
