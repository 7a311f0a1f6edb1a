"""Fetches photographs of a taxon into a folder: made smaller, with a manifest of whose they are, never one twice."""

from __future__ import annotations

import asyncio
import hashlib
import io
import os
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageOps

from watercolour.curate.inaturalist import Found, INaturalist, Taxon
from watercolour.curate.photographs import ATTRIBUTION, INDEX, Photograph, attribution_page, read_photographs
from watercolour.files import append_line, cannot_write, cut_torn_tail, write_whole
from watercolour.reward.judge.verdict import UnresolvedError
from watercolour.runs import take_lock

PHOTOS = "photos"
SMALLEST_PX = 200
"""A photograph whose shorter side is below this shows too little to paint from."""
JPEG_QUALITY = 90


@dataclass
class Fetched:
    """What came of it. `left_out` counts why others were not taken, `failed` says why some could not be had."""

    taxon: Taxon
    new: list[Photograph] = field(default_factory=list)
    known: list[Photograph] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    failed: dict[str, str] = field(default_factory=dict)


async def fetch_photos(
    api: INaturalist,
    asked: str,
    folder: Path,
    *,
    count: int,
    size_px: int,
    on_photo: Callable[[Photograph], None] = lambda photo: None,
) -> Fetched:
    """Fetch until the folder holds `count` photographs of the taxon, or there are no more.

    Each is noted in the manifest as soon as it is whole on the disk, so that an end at any time loses none. Raises
    ConfigError for a taxon that is not clear or a folder that is in use or broken, InfraError where the API fails.
    """
    try:
        (folder / PHOTOS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        cannot_write(folder, error)
    lock = take_lock(folder, otherwise="")
    try:
        cut_torn_tail(folder / INDEX)
        held = read_photographs(folder, is_new=True)
        async with api:
            taxon = await api.taxon(asked)
            result = Fetched(taxon, left_out=api.left_out)
            ids = {photo.id for photo in held}
            hashes = {photo.sha256 for photo in held}
            result.known = [photo for photo in held if photo.asked == str(taxon.id)]
            try:
                if len(result.known) < count:
                    async for found in api.photographs(taxon):
                        if found.id in ids:
                            continue
                        ids.add(found.id)
                        photo = await _take(api, found, folder, size_px, hashes, result)
                        if photo is not None:
                            on_photo(photo)
                        if len(result.known) + len(result.new) >= count:
                            break
            finally:
                _write_attribution(folder)
    finally:
        os.close(lock)
    return result


async def _take(
    api: INaturalist, found: Found, folder: Path, size_px: int, hashes: set[str], result: Fetched
) -> Photograph | None:
    try:
        data, size = await asyncio.to_thread(smaller, await api.picture(found), size_px)
    except UnresolvedError as error:
        result.failed[found.id] = str(error)
        return None
    digest = hashlib.sha256(data).hexdigest()
    if digest in hashes:
        result.left_out["the same picture again"] += 1
        return None
    hashes.add(digest)
    file = f"{PHOTOS}/{found.id}.jpg"
    photo = Photograph(file=file, size=size, sha256=digest, asked=str(result.taxon.id), **vars(found))
    write_whole(folder / file, data)
    append_line(folder / INDEX, photo.record())
    result.new.append(photo)
    return photo


def smaller(data: bytes, size_px: int) -> tuple[bytes, tuple[int, int]]:
    """A picture as JPEG, upright, without its camera's notes, its longer side at most `size_px`; and its size.

    Raises UnresolvedError for what is no picture, or too small a one.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data)) as opened:
                image = ImageOps.exif_transpose(opened).convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise UnresolvedError(f"is no picture that can be read ({type(error).__name__})") from None
    if min(image.size) < SMALLEST_PX:
        raise UnresolvedError(f"is only {image.width} x {image.height} pixels")
    image.thumbnail((size_px, size_px), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=JPEG_QUALITY, optimize=True)
    return buffer.getvalue(), image.size


def _write_attribution(folder: Path) -> None:
    held = read_photographs(folder, is_new=True)
    write_whole(folder / ATTRIBUTION, attribution_page(held).encode())
