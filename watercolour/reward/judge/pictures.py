"""Pictures as a judge gets them: known by their hash, read and encoded once, and only when something is asked."""

from __future__ import annotations

import asyncio
import base64
import io
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from PIL import Image

from watercolour.errors import ConfigError
from watercolour.painting import Painting, hash_pixels, read_picture
from watercolour.references import Reference
from watercolour.reward.judge.flight import Flight

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT = 128
"""Encoded pictures kept in memory; one of 600 x 600 takes about 400 kB."""

ImageFormat = Literal["png", "webp"]


@dataclass(frozen=True)
class Picture:
    """A picture by the hash of its pixels. `read` gives them, (height, width, 3) uint8 RGB."""

    sha256: str
    read: Callable[[], NDArray[np.uint8]] = field(repr=False, compare=False)


def picture_of(painting: Painting) -> Picture | None:
    """A painting's picture; None when it has none."""
    pixels = painting.pixels
    return None if pixels is None else Picture(hash_pixels(pixels), lambda: pixels)


def picture_of_reference(reference: Reference) -> Picture:
    """A reference's picture, by the hash in the pool's index; the file is read when it has to be sent.

    Reading raises ConfigError when the file is no picture, or not the one that the index names.
    """

    def read() -> NDArray[np.uint8]:
        try:
            pixels = read_picture(reference.picture).pixels
        except (OSError, ValueError) as error:
            raise ConfigError(f"{reference.picture}: not a readable picture ({error})") from error
        if pixels is None or hash_pixels(pixels) != reference.sha256:
            raise ConfigError(f"{reference.picture}: not the picture whose sha256 the pool's index gives")
        return pixels

    return Picture(reference.sha256, read)


class Encoder:
    """Turns pictures into data: URLs, each once however many ask, and keeps the last `KEPT` of them.

    `image_px` is the longer side that a larger picture is shrunk to; None leaves all as they are.
    """

    def __init__(self, image_px: int | None, image_format: ImageFormat) -> None:
        self.image_px = image_px
        self.image_format = image_format
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._flight = Flight[str]()

    async def data_url(self, picture: Picture) -> str:
        """Raises what reading the picture raises."""
        if picture.sha256 not in self._kept:
            return await self._flight.join(picture.sha256, lambda: self._encode(picture))
        self._kept.move_to_end(picture.sha256)
        return self._kept[picture.sha256]

    async def _encode(self, picture: Picture) -> str:
        url = await asyncio.to_thread(lambda: encode(picture.read(), self.image_px, self.image_format))
        self._kept[picture.sha256] = url
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return url


def encode(pixels: NDArray[np.uint8], image_px: int | None, image_format: ImageFormat) -> str:
    """Pixels as a data: URL, lossless, at the cheapest compression: what is sent is thrown away."""
    image = Image.fromarray(pixels)
    if image_px is not None and max(image.size) > image_px:
        width, height = (max(1, round(side * image_px / max(image.size))) for side in image.size)
        image = image.resize((width, height), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    if image_format == "webp":
        image.save(buffer, "WEBP", lossless=True, quality=0, method=0)
    else:
        image.save(buffer, "PNG", compress_level=1)
    return f"data:image/{image_format};base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"
