"""The pictures of a gallery: each painting once, as a small one for the wall and a large one for its own page.

A painting is named by its pixels, so what is there already is right and is not made again. WebP, since a wall of 10,000
PNGs would be 2.5 GB; a file a painting rather than sheets of many, so that the page holds only what is in view and a
run that goes on adds files instead of making sheets anew.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

SMALL_PX = 320
SMALL_QUALITY = 80
LARGE_PX = 1200
LARGE_QUALITY = 92
FOLDERS = ("small", "large")


def small_path(folder: Path, name: str) -> Path:
    """Where the small picture of that name lies."""
    return folder / "small" / name[:2] / f"{name}.webp"


def large_path(folder: Path, name: str) -> Path:
    """Where the large picture of that name lies."""
    return folder / "large" / name[:2] / f"{name}.webp"


def missing_pictures(folder: Path, wanted: Mapping[str, Path]) -> dict[str, Path]:
    """Those of the `wanted` paintings, by name, that the gallery has not got yet."""
    return {
        name: path
        for name, path in wanted.items()
        if not (large_path(folder, name).exists() and small_path(folder, name).exists())
    }


def make_pictures(folder: Path, wanted: Mapping[str, Path], *, on_done: Callable[[], None] = lambda: None) -> set[str]:
    """Make the pictures of `wanted`, name to file; the names of those whose file is missing or no picture come back.

    Raises OSError when the gallery cannot be written.
    """

    def make(item: tuple[str, Path]) -> str | None:
        failed = None if _make(folder, *item) else item[0]
        on_done()
        return failed

    for name in wanted:
        for path in (small_path(folder, name), large_path(folder, name)):
            path.parent.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1, thread_name_prefix="pictures") as threads:
        return {name for name in threads.map(make, wanted.items()) if name is not None}


def _make(folder: Path, name: str, source: Path) -> bool:
    from PIL import Image

    try:
        with Image.open(source) as image:
            image.load()
            flat = _on_paper(image)
    except (OSError, ValueError, Image.DecompressionBombError):
        return False
    for path, side, quality in (
        (large_path(folder, name), LARGE_PX, LARGE_QUALITY),
        (small_path(folder, name), SMALL_PX, SMALL_QUALITY),
    ):
        flat.thumbnail((side, side), Image.Resampling.LANCZOS)
        _save(flat, path, quality)
    return True


def _on_paper(image: Image.Image) -> Image.Image:
    from PIL import Image

    if image.mode in ("RGB", "L"):
        return image.convert("RGB")
    clear = image.convert("RGBA")
    paper = Image.new("RGBA", clear.size, "white")
    paper.alpha_composite(clear)
    return paper.convert("RGB")


def _save(image: Image.Image, path: Path, quality: int) -> None:
    """Whole or not at all; not waited for, since a lost one is made again."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            image.save(file, "WEBP", quality=quality, method=3)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
