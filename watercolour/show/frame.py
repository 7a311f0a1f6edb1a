"""The frames of a run's film: the painting, the step and its reward, and a thin curve that the film walks along."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from watercolour.painting import read_picture
from watercolour.show.reel import Reel, Scene, Shot, all_steps, scene_at
from watercolour.show.sheet import EDGE, FAINT, INK, MARK, PAGE, PAPER, cut, fit, printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

MARGIN_PX = 36
GAP_PX = 10
"""Between the paintings of a group."""
CAPTION_PX = 58
CURVE_PX = 56
SMOOTH = 4
"""The curve is drawn so many times larger and shrunk, for smooth edges."""
FADED = "#cfc8ba"


def film_frames(reels: Sequence[Reel], side_px: int) -> Iterator[NDArray[np.uint8]]:
    """One (height, width, 3) uint8 picture a step; `side_px` is the side of a run's painting, or of its group."""
    steps = all_steps(reels)
    top = max((scene.reward or 0.0 for reel in reels for scene in reel.scenes.values()), default=0.0)
    cells = [_Cell(reel, steps, top or 1.0, side_px) for reel in reels]
    columns = math.ceil(math.sqrt(len(cells)))
    rows = math.ceil(len(cells) / columns)
    width = columns * side_px + (columns + 1) * MARGIN_PX
    height = rows * cells[0].height + (rows + 1) * MARGIN_PX
    for step in steps:
        page = Image.new("RGB", (width + width % 2, height + height % 2), PAGE)
        for number, cell in enumerate(cells):
            row, column = divmod(number, columns)
            place = MARGIN_PX + column * (side_px + MARGIN_PX), MARGIN_PX + row * (cell.height + MARGIN_PX)
            page.paste(cell.at(step), place)
        yield np.asarray(page)


class _Cell:
    """One run's part of the page."""

    def __init__(self, reel: Reel, steps: Sequence[int], top: float, side_px: int) -> None:
        self.reel, self.steps, self.top, self.side = reel, steps, top, side_px
        self.columns = math.ceil(math.sqrt(reel.places))
        self.rows = math.ceil(reel.places / self.columns)
        self.thumb = (side_px - (self.columns - 1) * GAP_PX) // self.columns
        self.picture_height = self.rows * self.thumb + (self.rows - 1) * GAP_PX
        self.height = self.picture_height + CAPTION_PX + CURVE_PX

    def at(self, step: int) -> Image.Image:
        cell = Image.new("RGB", (self.side, self.height), PAGE)
        scene = scene_at(self.reel, step)
        for number, shot in enumerate(scene.shots if scene else ()):
            row, column = divmod(number, self.columns)
            self._show(cell, shot, column * (self.thumb + GAP_PX), row * (self.thumb + GAP_PX))
        self._caption(cell, scene)
        cell.paste(self._curve(step), (0, self.picture_height + CAPTION_PX))
        return cell

    def _show(self, cell: Image.Image, shot: Shot, left: int, top: int) -> None:
        draw = ImageDraw.Draw(cell)
        why = shot.why
        if shot.picture is not None:
            try:
                pixels = read_picture(shot.picture).pixels
            except (OSError, ValueError):
                pixels, why = None, "its picture cannot be read"
            if pixels is not None:
                small = fit(pixels, self.thumb)
                cell.paste(small, (left + (self.thumb - small.width) // 2, top + (self.thumb - small.height) // 2))
                return
        draw.rectangle((left, top, left + self.thumb - 1, top + self.thumb - 1), PAPER, EDGE)
        font = ImageFont.load_default(max(10, min(16, self.thumb // 14)))
        middle = left + self.thumb / 2, top + self.thumb / 2
        draw.text(middle, cut(printable(why), font, self.thumb - 8), FAINT, font, "mm")

    def _caption(self, cell: Image.Image, scene: Scene | None) -> None:
        draw, line = ImageDraw.Draw(cell), self.picture_height + 30
        large, small = ImageFont.load_default(24), ImageFont.load_default(14)
        step = f"step {scene.step}" if scene else "not begun"
        draw.text((0, line), step, INK, large, "ls")
        value = "unscored" if scene and scene.reward is None else f"{scene.reward:.3f}" if scene else ""
        draw.text((self.side - 1, line), value, MARK, large, "rs")
        room = self.side - large.getlength(step) - large.getlength(value) - 40
        draw.text((large.getlength(step) + 14, line), cut(printable(self.reel.name), small, room), FAINT, small, "ls")
        why = f"{scene.shots[0].why}, " if scene and len(scene.shots) == 1 and scene.shots[0].why else ""
        font = ImageFont.load_default(12)
        draw.text((self.side - 1, line + 19), cut(printable(why) + self.reel.shows, font, self.side), FAINT, font, "rs")

    def _curve(self, now: int) -> Image.Image:
        """Past rewards as a line, those to come faint; a step that is unscored is a gap."""
        width, height, pad = self.side * SMOOTH, CURVE_PX * SMOOTH, 5 * SMOOTH
        image = Image.new("RGB", (width, height), PAGE)
        draw = ImageDraw.Draw(image)
        draw.line((0, height - pad, width, height - pad), EDGE, SMOOTH)
        first, last = self.steps[0], self.steps[-1]

        def point(scene: Scene) -> tuple[float, float]:
            along = (scene.step - first) / max(1, last - first)
            value = max(0.0, scene.reward or 0.0) / self.top
            return pad + along * (width - 2 * pad), height - pad - value * (height - 2 * pad)

        scenes = [self.reel.scenes[step] for step in sorted(self.reel.scenes)]
        for is_past, colour in ((False, FADED), (True, MARK)):
            for before, after in pairwise(scenes):
                if before.reward is not None and after.reward is not None and (after.step <= now) is is_past:
                    draw.line((*point(before), *point(after)), colour, 2 * SMOOTH)
        scene = scene_at(self.reel, now)
        if scene is not None and scene.reward is not None:
            x, y = point(scene)
            radius = 4 * SMOOTH
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), MARK)
        return image.resize((self.side, CURVE_PX), Image.Resampling.LANCZOS)
