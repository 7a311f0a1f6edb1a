"""Colour words and what they look like: a closed table of regions of CIELAB, and which of its words a prompt says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HUE_EDGE, LIGHTNESS_EDGE, CHROMA_EDGE = 10.0, 10.0, 8.0
"""How far outside its region a colour still counts a little: degrees, L* and C*. It falls linearly, so that a near miss
scores more than a far one."""

BINS = 32
"""Steps of each channel of RGB that colours are counted in: 8 of its 256 values each, about 2 units of CIELAB."""


@dataclass(frozen=True)
class Colour:
    """A region of CIELAB in cylinder form: hue in degrees (from, to, the shorter way round past 360 where to < from),
    lightness L* and chroma C*, each from and to. A hue of None is any: the colour is a grey."""

    hue: tuple[float, float] | None
    lightness: tuple[float, float]
    chroma: tuple[float, float]
    also: Colour | None = None
    """A second region; the colour is what lies in either."""

    def membership(self, lab: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far each colour, (..., 3), is of this one: 1 inside the region, falling to 0 at its soft edge."""
        import numpy as np

        lightness, chroma = lab[..., 0], np.hypot(lab[..., 1], lab[..., 2])
        beyond = _beyond(lightness, self.lightness) / LIGHTNESS_EDGE + _beyond(chroma, self.chroma) / CHROMA_EDGE
        if self.hue is not None:
            hue = np.degrees(np.arctan2(lab[..., 2], lab[..., 1]))
            start, width = self.hue[0], (self.hue[1] - self.hue[0]) % 360
            past = (hue - start - width / 2 + 180) % 360 - 180
            beyond = beyond + np.maximum(0, np.abs(past) - width / 2) / HUE_EDGE
        inside = np.asarray(np.clip(1 - beyond, 0, 1))
        return inside if self.also is None else np.maximum(inside, self.also.membership(lab))


# A wash is its pigment thinned by the paper: its hue stays, its lightness rises and its chroma falls. So the regions of
# strong colours reach far towards the light and the pale, and those of pale words (peach, lilac) begin there.
COLOURS = MappingProxyType(
    {
        "red": Colour((8, 44), (20, 56), (34, 120)),
        "crimson": Colour((352, 30), (15, 66), (26, 110)),
        "scarlet": Colour((30, 52), (28, 62), (48, 120)),
        "coral": Colour((12, 38), (54, 90), (16, 85)),
        "peach": Colour((43, 78), (62, 94), (10, 56)),
        "orange": Colour((50, 80), (48, 90), (28, 120)),
        "gold": Colour((72, 96), (48, 88), (34, 120)),
        "yellow": Colour((76, 110), (62, 97), (20, 120)),
        "cream": Colour((65, 112), (78, 98), (5, 30)),
        "white": Colour(None, (68, 100), (0, 9), also=Colour((210, 330), (66, 100), (0, 15))),  # its shades are cool
        "grey": Colour(None, (30, 78), (0, 10)),
        "black": Colour(None, (0, 28), (0, 14)),
        "brown": Colour((40, 85), (15, 55), (12, 50)),
        "pink": Colour((340, 25), (55, 93), (12, 60)),
        "magenta": Colour((328, 8), (22, 86), (16, 110)),
        "violet": Colour((300, 322), (12, 86), (16, 130)),
        "lilac": Colour((296, 336), (58, 92), (9, 45)),
        "blue": Colour((238, 302), (12, 90), (17, 130)),
        "navy": Colour((262, 306), (5, 38), (10, 80)),
        "turquoise": Colour((180, 235), (30, 90), (16, 90)),
        "green": Colour((108, 175), (20, 92), (14, 130)),
    }
)
"""The table. Where its numbers come from: sRGB colours that bear these names and the washes of the shipped pool."""

SYNONYMS = MappingProxyType(
    {
        "apricot": "peach",
        "salmon": "coral",
        "golden": "gold",
        "amber": "gold",
        "ivory": "cream",
        "gray": "grey",
        "silver": "grey",
        "fuchsia": "magenta",
        "purple": "violet",
        "lavender": "lilac",
        "mauve": "lilac",
        "indigo": "navy",
        "teal": "turquoise",
        "cyan": "turquoise",
        "vermilion": "scarlet",
        "maroon": "crimson",
        "burgundy": "crimson",
    }
)
"""Further words, each for a colour of the table."""


def colours_in(text: str) -> tuple[str, ...]:
    """The colours that a prompt names, as the table calls them, in order and each once; words are taken whole.

    What a word belongs to is not understood: "pale" and "dark" change nothing, and "an orange" is a colour.
    """
    words = re.findall(r"[a-z]+", text.lower())
    found = [SYNONYMS.get(word, word) for word in words]
    return tuple(dict.fromkeys(word for word in found if word in COLOURS))


def to_lab(rgb: Any) -> NDArray[np.float64]:
    """CIELAB, D65, of 8-bit sRGB colours (..., 3): L* 0..100, a*, b*.

    The transfer curve and the matrix are those of IEC 61966-2-1, the cube root with its linear foot that of CIE 15.
    """
    import numpy as np

    value = np.asarray(rgb, dtype=np.float64) / 255
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array(
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    )
    xyz = linear @ to_xyz.T / to_xyz.sum(axis=1)
    root = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def count_colours(pixels: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The coarse colours of a picture (H, W, 3): their places in the table of all, and how many pixels each has."""
    import numpy as np

    shift = 8 - BINS.bit_length() + 1
    red, green, blue = (pixels[..., channel].ravel().astype(np.int64) >> shift for channel in range(3))
    counts = np.bincount((red * BINS + green) * BINS + blue, minlength=BINS**3)
    places = np.flatnonzero(counts)
    return places, counts[places]


@cache
def bin_labs() -> NDArray[np.float64]:
    """CIELAB of the middle of every coarse colour, (BINS ** 3, 3)."""
    import numpy as np

    middle = (np.arange(BINS) + 0.5) * 256 / BINS
    return to_lab(np.stack(np.meshgrid(middle, middle, middle, indexing="ij"), axis=-1).reshape(-1, 3))


def _beyond(value: NDArray[np.float64], limits: tuple[float, float]) -> NDArray[np.float64]:
    """How far outside the limits; 0 inside."""
    import numpy as np

    return np.asarray(np.maximum(0, np.maximum(limits[0] - value, value - limits[1])))
