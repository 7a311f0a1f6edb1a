"""A pool's features, each picture encoded once: they are kept on the disk by encoder and picture."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from watercolour.errors import ConfigError
from watercolour.files import cannot_write, write_whole
from watercolour.painting import hash_pixels, read_picture
from watercolour.policy.cache import cache_dir
from watercolour.references import Reference
from watercolour.taste.encoder import Encoder

if TYPE_CHECKING:
    from numpy.typing import NDArray


def pool_features(
    encoder: Encoder,
    references: Sequence[Reference],
    *,
    mirrored: bool = False,
    tick: Callable[[], None] = lambda: None,
) -> NDArray[np.float32]:
    """(n, d) features of the paintings, or of their mirror images; `tick` is called after each.

    Raises ConfigError for a picture that cannot be read, InfraError when the cache cannot be written.
    """
    rows = []
    for pixels in _pictures(references):
        rows.append(picture_features(encoder, np.ascontiguousarray(pixels[:, ::-1]) if mirrored else pixels))
        tick()
    return np.stack(rows)


def picture_features(encoder: Encoder, pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(d,) features of one picture, from the cache where they are there and whole. Raises InfraError."""
    path = _path(encoder, hash_pixels(pixels))
    if (known := _read(path)) is not None:
        return known
    features: NDArray[np.float32] = encoder.encode([pixels])[0]
    buffer = io.BytesIO()
    np.save(buffer, features, allow_pickle=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        cannot_write(path, error)
    write_whole(path, buffer.getvalue())
    return features


def _path(encoder: Encoder, sha256: str) -> Path:
    return cache_dir() / f"features-{encoder.fingerprint}" / f"{sha256}.npy"


def _read(path: Path) -> NDArray[np.float32] | None:
    """What the cache holds, or None where it holds nothing that can be used."""
    try:
        features: object = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    if not isinstance(features, np.ndarray) or features.ndim != 1 or features.dtype != np.float32:
        return None
    return features if np.isfinite(features).all() else None


def _pictures(references: Sequence[Reference]) -> Iterator[NDArray[np.uint8]]:
    for reference in references:
        try:
            pixels = read_picture(reference.picture).pixels
        except (OSError, ValueError) as error:
            raise ConfigError(f"{reference.picture}: not a readable picture ({error})") from error
        assert pixels is not None
        yield pixels
