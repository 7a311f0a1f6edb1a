"""A Painting: what a sketch painted, how that went, and what can be measured on its pixels."""

from __future__ import annotations

import hashlib
import io
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from watercolour.render.film import Film
    from watercolour.sketch import Sketch

PAINT_DISTANCE = 32.0
"""A pixel counts as paint when it lies farther than this from the paper, as Euclidean distance in 8-bit RGB."""

BLANK_COVERAGE = 0.005
"""Below this share of painted pixels a canvas counts as blank."""


MEASURES = ("paper", "canvas", "painted_by_brush", "brush_fills")
"""What is measured while a painting is made and cannot be had from its picture and source."""


class RenderOutcome(StrEnum):
    """How a render ended. All but NOT_PAINTED and INFRA are the sketch's doing."""

    OK = "ok"
    """It painted."""
    NO_SKETCH = "no_sketch"
    """The reply held nothing that could be run."""
    SYNTAX_ERROR = "syntax_error"
    """The browser could not parse it; nothing ran."""
    THREW = "threw"
    """It threw; whatever it had painted by then is the picture."""
    TIMED_OUT = "timed_out"
    """It was still running at the limit and was cut."""
    BLANK = "blank"
    """It ran to its end and left (almost) no paint."""
    NO_CANVAS = "no_canvas"
    """It ended with no WebGL canvas to read."""
    CRASHED = "crashed"
    """It took the browser down, twice."""
    NOT_PAINTED = "not_painted"
    """It was not run: the run does not paint, since no term of its reward looks at a picture."""
    INFRA = "infra"
    """Ours: the browser could not be had. The painting is unscored, never 0."""

    @property
    def is_ours(self) -> bool:
        """True when the fault is this program's and the painting must be left unscored."""
        return self is RenderOutcome.INFRA


@dataclass(frozen=True)
class Painting:
    """What came of one sketch, or of a picture file (then `sketch` is None).

    `pixels` is (height, width, 3) uint8 RGB on the paper, or None when there is no picture. `paper` is the RGB colour
    of the bare paper. `coverage` is the share of pixels that carry paint, 0..1; `painted_by_brush` is the share of
    pixels that carry paint and that p5.brush's own marks, and nothing else, have changed since the canvas was last
    cleared. So `coverage - painted_by_brush` is paint that came there in another way. `brush_fills` counts those marks.
    `canvas` is the (width, height) that the sketch asked for, in sketch units. Each of these three is None where it is
    not known. `seconds` is wall time. `film` is how it grew, where the pool was asked for it.
    """

    sketch: Sketch | None
    outcome: RenderOutcome
    pixels: NDArray[np.uint8] | None = None
    paper: tuple[int, int, int] | None = None
    coverage: float = 0.0
    canvas: tuple[float, float] | None = None
    painted_by_brush: float | None = None
    brush_fills: int | None = None
    errors: tuple[str, ...] = ()
    seed: int = 1
    seconds: float = 0.0
    stages: dict[str, float] = field(default_factory=dict)
    film: Film | None = None

    @property
    def sha256(self) -> str | None:
        """The painting's name: a hash of its size and pixels, so that it does not depend on how a PNG is compressed."""
        return None if self.pixels is None else hash_pixels(self.pixels)

    def measures(self) -> dict[str, Any]:
        """What was measured of it besides what a run's records name themselves; `restore` takes it."""
        return {name: getattr(self, name) for name in MEASURES}

    def png(self) -> bytes:
        """The picture as PNG bytes. Raises ValueError when there is no picture."""
        if self.pixels is None:
            raise ValueError(f"no picture to write: the render ended as {self.outcome}")
        buffer = io.BytesIO()
        Image.fromarray(self.pixels).save(buffer, "PNG", compress_level=6)
        return buffer.getvalue()


def restore(painting: Painting, measures: Mapping[str, Any]) -> Painting:
    """A painting with its measures as a record holds them. Those that this version does not know are left out."""
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in measures.items() if name in MEASURES
    }
    return replace(painting, **given)


def hash_pixels(pixels: NDArray[np.uint8]) -> str:
    """SHA-256 over "WIDTHxHEIGHT" and the RGB bytes, row by row."""
    height, width, _ = pixels.shape
    digest = hashlib.sha256(f"{width}x{height}\n".encode())
    digest.update(np.ascontiguousarray(pixels).tobytes())
    return digest.hexdigest()


def measure_coverage(pixels: NDArray[np.uint8], paper: tuple[int, int, int]) -> float:
    """The share of pixels, 0..1, that lie farther than `PAINT_DISTANCE` from the paper colour."""
    return float(np.mean(find_paint(pixels, paper)))


def find_paint(pixels: NDArray[np.uint8], paper: tuple[int, int, int]) -> NDArray[np.bool_]:
    """Which pixels, (H, W), carry paint: those farther than `PAINT_DISTANCE` from the paper colour."""
    difference = pixels.astype(np.int32) - np.asarray(paper, dtype=np.int32)
    return np.asarray(np.einsum("hwc,hwc->hw", difference, difference) > PAINT_DISTANCE**2)


def guess_paper(pixels: NDArray[np.uint8]) -> tuple[int, int, int]:
    """The commonest colour along the picture's border: the paper of a picture whose sketch is not known."""
    border = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    colours, counts = np.unique(border, axis=0, return_counts=True)
    red, green, blue = colours[int(np.argmax(counts))]
    return int(red), int(green), int(blue)


def flatten(rgba: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(H, W, 4) straight-alpha RGBA laid on white paper, as (H, W, 3)."""
    alpha = rgba[..., 3:].astype(np.uint16)
    mixed = rgba[..., :3].astype(np.uint16) * alpha + 255 * (255 - alpha)
    return ((mixed + 127) // 255).astype(np.uint8)


def read_picture(path: Path) -> Painting:
    """A picture file as a Painting without a sketch.

    Raises OSError or ValueError when the file is not a picture that can be read, one too large for memory included.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path) as image:
                pixels = flatten(np.asarray(image.convert("RGBA")))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ValueError("too many pixels") from error
    paper = guess_paper(pixels)
    coverage = measure_coverage(pixels, paper)
    outcome = RenderOutcome.OK if coverage >= BLANK_COVERAGE else RenderOutcome.BLANK
    return Painting(sketch=None, outcome=outcome, pixels=pixels, paper=paper, coverage=coverage)
