"""HPSv3 as an image encoder: the hidden state that its head would make a score of, for a head of somebody's own taste.

What it has learnt of many people's preferences is in there; which way of it counts, the ratings say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from watercolour.reward.hpsv3.files import check_reachable, weights_file
from watercolour.reward.hpsv3.images import Patches, ShapeError, patchify
from watercolour.reward.hpsv3.model import Hpsv3Model, collate
from watercolour.reward.hpsv3.term import load_scorer
from watercolour.reward.settings import Hpsv3Settings
from watercolour.taste.encoder import square

if TYPE_CHECKING:
    from numpy.typing import NDArray

ASKED = "a watercolour painting"
"""What each picture is said to show. The same for all: a taste is fitted to pictures of many subjects."""
BASE = "base"
SQUARE_PX = 448
"""About as many pixels as HPSv3 looks at."""

_PREPARATION = 1
"""Raise when the way pictures are prepared changes."""


class Hpsv3Encoder:
    """Features as wide as HPSv3's hidden state: 3584. Holds a model of its own, beside that of an `hpsv3` term.

    `folder` holds `HPSv3.safetensors`, and the base's configuration and tokenizer in `base/` where it has that; None
    takes both from the hub's cache. Raises PrerequisiteError, with the command that fetches them, where they are not
    to be had, or do not fit into memory.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.name = "hpsv3" if folder is None else f"hpsv3:{folder}"
        settings = Hpsv3Settings(term="hpsv3", weight=1.0)
        if folder is not None:
            base = str(folder / BASE) if (folder / BASE).is_dir() else settings.base
            settings = settings.model_copy(update={"checkpoint": str(folder), "base": base})
        check_reachable(settings.checkpoint, settings.base)
        self._model, self._prompt = load_scorer(settings, ASKED)
        self._batch_size = settings.batch_size
        self.fingerprint = fingerprint(self._model, self._prompt.template_sha256, weights_file(settings.checkpoint))

    def encode(self, pictures: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        """(n, hidden) features. A picture too narrow for HPSv3 to look at is shown in a square of its own paper."""
        width: int = self._model.backbone.config.text_config.hidden_size
        rows = [np.empty((0, width), np.float32)]
        patches = [_patches(picture) for picture in pictures]
        for start in range(0, len(patches), self._batch_size):
            batch = collate(self._prompt, patches[start : start + self._batch_size])
            rows.append(self._model.hidden(batch).cpu().numpy())
        return np.concatenate(rows)


def _patches(picture: NDArray[np.uint8]) -> Patches:
    try:
        return patchify(picture)
    except ShapeError:
        return patchify(square(picture, SQUARE_PX))


def fingerprint(model: Hpsv3Model, template_sha256: str, weights: Path) -> str:
    """A hash of what the features depend on: the prompt, the type, how pictures are scaled, and the weights.

    Of the 16.6 GB of those, the file's length, its head and the last norm are looked at: they differ between any two
    trainings.
    """
    import PIL
    import torch

    kind = (template_sha256, ASKED, str(model.dtype), PIL.__version__, weights.stat().st_size)
    digest = hashlib.sha256(repr(kind).encode())
    norm = model.backbone.language_model.norm.weight
    for tensor in (*(each for _, each in sorted(model.head.state_dict().items())), norm):
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
    return f"{digest.hexdigest()[:16]}-{_PREPARATION}"
