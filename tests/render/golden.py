"""The golden paintings: sketches, and where their hashes (golden.json) and small pictures (golden/) lie.

`python -m tests.render.golden` paints them anew and writes both, the hashes under the browser's exact version: for a
new browser build, or when the look is meant to change.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from tests.render.test_fast import SKETCHES
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.sketch import Sketch

HERE = Path(__file__).parent
HASHES = HERE / "golden.json"
PICTURES = HERE / "golden"
NAMES = ("fill", "2B", "hatch", "wash", "field")


def sketch(name: str) -> Sketch:
    return Sketch(SKETCHES[name])


def known_hashes() -> dict[str, dict[str, str]]:
    """Browser version -> sketch -> SHA-256 of its pixels."""
    known: dict[str, dict[str, str]] = json.loads(HASHES.read_text()) if HASHES.exists() else {}
    return known


async def write() -> None:
    PICTURES.mkdir(exist_ok=True)
    known = known_hashes()
    async with RendererPool(RenderSettings(timeout_s=60), workers=1) as pool:
        hashes: dict[str, str] = {}
        for name in NAMES:
            painting = await pool.paint(sketch(name))
            assert painting.sha256 is not None, painting.errors
            (PICTURES / f"{name}.png").write_bytes(painting.png())
            hashes[name] = painting.sha256
        known[await pool.browser_version()] = hashes
    HASHES.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    asyncio.run(write())
