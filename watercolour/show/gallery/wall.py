"""The wall: the reward's favourites, hung in a shuffled order, as one page and as one picture."""

from __future__ import annotations

import html
import math
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from watercolour.files import write_whole
from watercolour.show.gallery.facts import Work
from watercolour.show.gallery.page import asset, digest
from watercolour.show.gallery.pictures import large_path

if TYPE_CHECKING:
    from PIL import Image

TIERS = ("love", "okay", "nope")
PICTURE_PX = 360
MAT_PX = 26
GAP_PX = 64
MARGIN_PX = 120
PAPER = "#f4f1ea"
MAT = "#ffffff"
INK = "#6b665f"


def favourites(works: Iterable[Work], count: int) -> list[Work]:
    """The `count` works with the highest reward, each picture once; where there is no reward, the best tiers first.

    Of equal ones the earlier comes first. Works without a picture are left out.
    """

    def rank(work: Work) -> tuple[float, int]:
        tier = TIERS.index(work.tier) if work.tier in TIERS else len(TIERS)
        return (-work.reward if work.reward is not None else 0.0, tier)

    pictured = [work for work in works if work.painting and (work.reward is not None or work.tier)]
    chosen: dict[str, Work] = {}
    for work in sorted(pictured, key=rank):
        chosen.setdefault(str(work.painting), work)
    return list(chosen.values())[:count]


def shuffled(works: Sequence[Work], seed: int) -> list[Work]:
    """The works in an order that the seed decides."""
    return random.Random(f"wall {seed}").sample(list(works), len(works))


def write_wall(folder: Path, works: Sequence[Work], title: str) -> tuple[Path, Path]:
    """Write wall.html and wall.png into a gallery's folder, in the order given. Raises InfraError and ValueError."""
    import io

    page, picture = folder / "wall.html", folder / "wall.png"
    write_whole(page, wall_html(works, title).encode("utf-8", "backslashreplace"))
    buffer = io.BytesIO()
    wall_picture([large_path(folder, str(work.painting)) for work in works]).save(buffer, "PNG")
    write_whole(picture, buffer.getvalue())
    return page, picture


def wall_html(works: Sequence[Work], title: str) -> str:
    """The page; a name or a subject goes in escaped, and the page's policy lets no script run at all."""
    style = asset("wall.css")
    policy = f"default-src 'none'; style-src {digest(style)}; img-src file: 'self'; base-uri 'none'; form-action 'none'"
    figures = "\n".join(_figure(work) for work in works)
    page = asset("wall.html")
    for name, value in (("POLICY", policy), ("STYLE", style), ("TITLE", html.escape(title)), ("FIGURES", figures)):
        page = page.replace(f"@@{name}@@", value)
    return page


def wall_picture(paths: Sequence[Path]) -> Image.Image:
    """The pictures in rows, each on a mat with a soft shadow. Raises ValueError for none, OSError for a missing one."""
    from PIL import Image, ImageFilter

    if not paths:
        raise ValueError("a wall needs at least one picture")
    columns = columns_for(len(paths))
    rows = math.ceil(len(paths) / columns)
    side = PICTURE_PX + 2 * MAT_PX
    size = [2 * MARGIN_PX + count * (side + GAP_PX) - GAP_PX for count in (columns, rows)]
    wall = Image.new("RGB", (size[0], size[1]), PAPER)
    places = []
    for number in range(len(paths)):
        row, column = divmod(number, columns)
        in_row = min(columns, len(paths) - row * columns)
        indent = (columns - in_row) * (side + GAP_PX) // 2  # a last row that is short hangs in the middle
        places.append((MARGIN_PX + indent + column * (side + GAP_PX), MARGIN_PX + row * (side + GAP_PX)))
    for shift, blur, strength in ((3, 3, 26), (14, 18, 34)):
        shade = Image.new("L", wall.size, 0)
        for left, top in places:
            shade.paste(strength, (left, top + shift, left + side, top + shift + side))
        wall.paste("#3c3228", (0, 0), shade.filter(ImageFilter.GaussianBlur(blur)))
    for path, (left, top) in zip(paths, places, strict=True):
        wall.paste(MAT, (left, top, left + side, top + side))
        with Image.open(path) as picture:
            small = picture.convert("RGB")
        small.thumbnail((PICTURE_PX, PICTURE_PX), Image.Resampling.LANCZOS)
        inset = [(side - length) // 2 for length in small.size]
        wall.paste(small, (left + inset[0], top + inset[1]))
    return wall


def columns_for(count: int) -> int:
    """Columns of a wall about 1.6 times as wide as high, rather with full rows than exactly so."""
    ideal = math.sqrt(count * 1.6)
    near = range(max(1, math.floor(0.75 * ideal)), min(count, math.ceil(1.25 * ideal)) + 1)
    return min(near, key=lambda columns: (-count % columns, abs(columns - ideal)))


def _figure(work: Work) -> str:
    source = large_path(Path(), str(work.painting)).as_posix()
    where = work.name.replace("-", " ") or f"step {work.step}"
    told = " · ".join([where, work.tier if work.reward is None else f"{work.reward:.2f}"])
    return (
        f'<figure><span class="mat"><img src="{source}" alt="{html.escape(work.subject or "a painting")}"></span>'
        f"<figcaption>{html.escape(told)}</figcaption></figure>"
    )
