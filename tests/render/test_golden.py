"""The same bytes, always: against hashes that were written down, in any order, at once, and after a restart."""

from __future__ import annotations

import os

import numpy as np
import pytest
from PIL import Image

from tests.render.conftest import Loop, Paint
from tests.render.golden import NAMES, PICTURES, known_hashes, sketch
from watercolour.painting import Painting
from watercolour.render.pool import RendererPool, RenderSettings

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", NAMES)
def test_golden_painting(paint: Paint, loop: Loop, pool: RendererPool, name: str) -> None:
    painting = paint(sketch(name).source)
    assert painting.pixels is not None, painting.errors
    expected = known_hashes().get(loop.run(pool.browser_version()))
    if expected is not None:
        assert painting.sha256 == expected[name]
    reference = np.asarray(Image.open(PICTURES / f"{name}.png").convert("RGB")).astype(int)
    assert np.abs(painting.pixels.astype(int) - reference).mean() <= (0.5 if expected is None else 0)


def test_same_bytes_in_any_order_at_once_and_after_a_restart(paint: Paint, loop: Loop) -> None:
    expected = {name: paint(sketch(name).source).sha256 for name in NAMES[:3]}

    async def backwards_at_once_and_again() -> list[tuple[str, Painting]]:
        names = list(reversed(expected)) * 2
        async with RendererPool(RenderSettings(timeout_s=60), workers=2) as pool:
            first = await pool.paint_all([sketch(name) for name in names])
            for group in await pool.ready():
                os.killpg(group, 9)
            second = await pool.paint_all([sketch(name) for name in expected])
        return list(zip([*names, *expected], first + second, strict=True))

    for name, painting in loop.run(backwards_at_once_and_again()):
        assert painting.sha256 == expected[name], (name, painting.errors)


def test_sketch_that_seeds_itself_keeps_its_seed(paint: Paint) -> None:
    seeded = (
        "function setup() { createCanvas(160, 160, WEBGL); background(255);"
        "randomSeed(5); noiseSeed(5); brush.seed(5); brush.noiseSeed(5); brush.noStroke();"
        'brush.fill("#2040c0", 180); brush.circle(random(-20, 20), 40 * noise(1), 40); noLoop(); }'
    )
    unseeded = seeded.replace("randomSeed(5); noiseSeed(5); brush.seed(5); brush.noiseSeed(5);", "")
    assert paint(seeded, seed=1).sha256 == paint(seeded, seed=2).sha256 is not None
    assert paint(unseeded, seed=1).sha256 != paint(unseeded, seed=2).sha256
