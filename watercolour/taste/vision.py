"""Encoders by name: any vision model of transformers, and any of timm where timm is installed."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from watercolour.errors import PrerequisiteError
from watercolour.policy.hush import hush_libraries
from watercolour.taste.encoder import square

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor, nn

BATCH = 8

_PREPARATION = 1
"""Raise when the way pictures are prepared changes."""


class TransformersEncoder:
    """A vision model of transformers, by folder or hub name, or the vision half of one that also reads text.

    Its features are the pooled output, or the mean of the last hidden state where there is none. Pictures are not
    cropped. Raises PrerequisiteError when the model cannot be loaded.
    """

    def __init__(self, model: str) -> None:
        from transformers import AutoConfig, AutoModel

        hush_libraries()
        self.name = f"transformers:{model}"
        try:
            config = AutoConfig.from_pretrained(model)
            whole, loading = AutoModel.from_pretrained(model, dtype="float32", output_loading_info=True)
        except (OSError, ValueError, ImportError) as error:
            raise PrerequisiteError(
                f"encoder {self.name}: cannot be loaded ({_first_line(error)}); give a folder with a vision model, "
                f"or fetch it: hf download {model}"
            ) from error
        self.network = getattr(whole, "vision_model", whole).eval()
        self._refuse_made_up_weights(loading["missing_keys"])
        vision = getattr(config, "vision_config", config)
        side = getattr(vision, "image_size", None) or 224
        self.side_px = int(side if isinstance(side, int) else side[0])
        self.mean, self.deviation = _normalisation(model)
        self.device = _to_best_device(self.network)
        self.fingerprint = fingerprint(self.network, self.side_px, self.mean, self.deviation)

    def _refuse_made_up_weights(self, missing: Sequence[str]) -> None:
        """A checkpoint without its pooling layer does without; any other layer would be random."""
        lacking = [name for name in missing if "pooler" not in name]
        if lacking:
            raise PrerequisiteError(
                f"encoder {self.name}: its checkpoint lacks {len(lacking)} weights, as {lacking[0]}"
            )
        if missing:
            self.network.pooler = None

    def encode(self, pictures: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        """(n, d) features, d as wide as the model."""
        return _in_batches(pictures, self.side_px, self.mean, self.deviation, self.device, self._features)

    def _features(self, pixels: Tensor) -> Tensor:
        output = self.network(pixel_values=pixels)
        pooled = getattr(output, "pooler_output", None)
        if pooled is not None:
            return pooled.flatten(1)  # type: ignore[no-any-return]
        last = output.last_hidden_state
        return last.mean(1) if last.ndim == 3 else last.mean((2, 3))  # type: ignore[no-any-return]


class TimmEncoder:
    """A model of timm without its classifier. Raises PrerequisiteError when timm or the model is not there."""

    def __init__(self, model: str) -> None:
        self.name = f"timm:{model}"
        if importlib.util.find_spec("timm") is None:
            raise PrerequisiteError(f"encoder {self.name}: timm is not installed; run: pip install timm")
        timm: Any = importlib.import_module("timm")
        try:
            self.network = timm.create_model(model, pretrained=True, num_classes=0).eval()
        except Exception as error:  # timm and the hub raise their own kinds
            raise PrerequisiteError(f"encoder {self.name}: cannot be loaded ({_first_line(error)})") from error
        data = timm.data.resolve_model_data_config(self.network)
        self.side_px = int(data["input_size"][-1])
        self.mean, self.deviation = tuple(data["mean"]), tuple(data["std"])
        self.device = _to_best_device(self.network)
        self.fingerprint = fingerprint(self.network, self.side_px, self.mean, self.deviation)

    def encode(self, pictures: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        """(n, d) pooled features, d as wide as the model."""
        return _in_batches(pictures, self.side_px, self.mean, self.deviation, self.device, self.network)


def fingerprint(network: nn.Module, side_px: int, mean: Sequence[float], deviation: Sequence[float]) -> str:
    """A hash of all weights and of how pictures are prepared, so that a model fetched anew is known to be the same."""
    import torch

    digest = hashlib.sha256(repr((side_px, tuple(mean), tuple(deviation))).encode())
    for name, tensor in sorted(network.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
    return f"{digest.hexdigest()[:16]}-{_PREPARATION}"


def _normalisation(model: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The mean and deviation in the model's preprocessor_config.json, else ImageNet's."""
    from transformers.image_processing_base import ImageProcessingMixin

    try:
        record, _ = ImageProcessingMixin.get_image_processor_dict(model)
    except (OSError, ValueError):
        record = {}
    mean, deviation = record.get("image_mean"), record.get("image_std")
    if not mean or not deviation:
        mean, deviation = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
    return tuple(map(float, mean)), tuple(map(float, deviation))


def _to_best_device(network: nn.Module) -> str:
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    network.to(device)
    return device


def _in_batches(
    pictures: Sequence[NDArray[np.uint8]],
    side_px: int,
    mean: Sequence[float],
    deviation: Sequence[float],
    device: str,
    features: Any,
) -> NDArray[np.float32]:
    import torch

    rows = []
    middle, spread = (torch.tensor(each, device=device).view(1, 3, 1, 1) for each in (mean, deviation))
    for start in range(0, len(pictures), BATCH):
        batch = np.stack([square(picture, side_px) for picture in pictures[start : start + BATCH]])
        pixels = torch.from_numpy(batch).to(device).permute(0, 3, 1, 2).float() / 255.0
        with torch.inference_mode():
            rows.append(features((pixels - middle) / spread).float().cpu().numpy())
    return np.concatenate(rows)


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split())[:160]
