"""HPSv3 itself: Qwen2-VL without its language head, and a small head that reads (mu, log sigma) at the reward token.

Built without memory, then given the checkpoint's tensors one by one, every one of them accounted for: a loose load
leaves layers random in silence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from watercolour.errors import PrerequisiteError
from watercolour.reward.hpsv3.images import FRAMES, MERGED, PATCH_PX, Patches
from watercolour.reward.hpsv3.prompt import PAD_ID, REWARD_ID, VOCABULARY, Prompt

if TYPE_CHECKING:
    from transformers import Qwen2VLConfig

ATTENTION = "sdpa"
LANGUAGE_HEAD = "lm_head.weight"
"""In the checkpoint, and of no use for scoring: 1.1 GB that are left on the disk."""


class Head(nn.Module):
    """(..., hidden) float32 to (..., 2) float32: mu, log sigma. Its layers carry the checkpoint's names."""

    def __init__(self, hidden_size: int) -> None:
        super().__init__()
        self.rm_head = nn.Sequential(
            nn.Linear(hidden_size, 1024),
            nn.ReLU(),
            nn.Dropout(0.05),
            nn.Linear(1024, 16),
            nn.ReLU(),
            nn.Linear(16, 2),
        )

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        output: torch.Tensor = self.rm_head(hidden)
        return output


@dataclass(frozen=True)
class Batch:
    """Rows padded on the right. `ids` and `mask` are (rows, length); `pixels` (patches, 1176); `grids` (rows, 3)."""

    ids: torch.Tensor
    mask: torch.Tensor
    pixels: torch.Tensor
    grids: torch.Tensor


def collate(prompt: Prompt, pictures: Sequence[Patches], pad_to: int = 0) -> Batch:
    """A batch on the CPU, at least `pad_to` tokens long."""
    rows = [prompt.row(picture.tokens) for picture in pictures]
    length = max(pad_to, *(len(row) for row in rows))
    return Batch(
        ids=torch.tensor([row + [PAD_ID] * (length - len(row)) for row in rows]),
        mask=torch.tensor([[1] * len(row) + [0] * (length - len(row)) for row in rows]),
        pixels=torch.cat([torch.from_numpy(picture.values) for picture in pictures]),
        grids=torch.tensor([[1, picture.rows, picture.columns] for picture in pictures]),
    )


class Hpsv3Model:
    """Loaded weights on a device. Not for several threads at once: the term holds a lock."""

    def __init__(self, backbone: Any, head: Head, device: torch.device, dtype: torch.dtype) -> None:
        self.backbone = backbone
        self.head = head
        self.device = device
        self.dtype = dtype

    def move(self, device: torch.device) -> None:
        """Move the weights, and give the memory that they leave back to the GPU."""
        self.backbone.to(device)
        self.head.to(device)
        if self.device.type == "cuda" and device.type != "cuda":
            torch.cuda.empty_cache()
        self.device = device

    @torch.inference_mode()
    def score(self, batch: Batch) -> torch.Tensor:
        """(rows, 2) float32 on the CPU: mu and log sigma."""
        output: torch.Tensor = self.head(self.hidden(batch))
        return output.cpu()

    @torch.inference_mode()
    def hidden(self, batch: Batch) -> torch.Tensor:
        """(rows, hidden) float32 on the device: the last hidden state at the reward token, which the head reads."""
        ids = batch.ids.to(self.device)
        hidden = self.backbone(
            input_ids=ids,
            attention_mask=batch.mask.to(self.device),
            position_ids=sequential_positions(ids),
            pixel_values=batch.pixels.to(self.device),
            image_grid_thw=batch.grids.to(self.device),
            use_cache=False,
        ).last_hidden_state
        at_reward: torch.Tensor = hidden[ids == REWARD_ID]
        if len(at_reward) != len(ids):
            raise ValueError(f"{len(at_reward)} reward tokens in {len(ids)} rows")
        return at_reward.float()


def sequential_positions(ids: torch.Tensor) -> torch.Tensor:
    """(3, rows, length): plain 0, 1, 2, ... on all three axes, as HPSv3 was trained.

    transformers would compute Qwen2-VL's positions in the picture's plane: mu then moves by up to 1.2, in silence.
    """
    rows, length = ids.shape
    return torch.arange(length, device=ids.device).expand(3, rows, length)


def load_model(weights: Path, base: Path, device: torch.device, dtype: torch.dtype) -> Hpsv3Model:
    """HPSv3 with `weights` (a safetensors file) on the configuration in `base`.

    Raises PrerequisiteError, naming the tensor, for weights that lack one, hold one too many, or one of another shape.
    """
    from transformers.models.qwen2_vl.modeling_qwen2_vl import (
        Qwen2VLModel,
        Qwen2VLRotaryEmbedding,
        Qwen2VLVisionRotaryEmbedding,
    )

    config = _read_config(base)
    # Typed as a configuration, a dictionary or nothing; here they are always configurations.
    text: Any = config.text_config
    vision: Any = config.vision_config
    with torch.device("meta"):
        backbone = Qwen2VLModel(config)
        head = Head(text.hidden_size)
    shapes = {name: tuple(tensor.shape) for name, tensor in {**backbone.state_dict(), **head.state_dict()}.items()}
    tensors = _read_tensors(weights, shapes, device, dtype)
    head.load_state_dict({name: tensors.pop(name) for name in head.state_dict()}, strict=True, assign=True)
    backbone.load_state_dict(tensors, strict=True, assign=True)
    # Their buffers are no part of a checkpoint, so they are still without memory.
    rotaries: tuple[tuple[Any, str, Any], ...] = (
        (backbone.language_model, "rotary_emb", Qwen2VLRotaryEmbedding(text)),
        (backbone.visual, "rotary_pos_emb", Qwen2VLVisionRotaryEmbedding(vision)),
    )
    for parent, name, rotary in rotaries:
        # The original casts the whole model, these frequencies too, and was trained so. Frequencies that are exact in
        # bfloat16 move mu by twice as much away from the original's as all other rounding does.
        rotary.inv_freq = rotary.inv_freq.to(dtype).float()
        setattr(parent, name, rotary.to(device))
    for module in (backbone, head):
        module.requires_grad_(False)
        module.eval()
    return Hpsv3Model(backbone, head, device, dtype)


def _read_config(base: Path) -> Qwen2VLConfig:
    """The base's own configuration, its vocabulary widened by the reward token.

    The class's defaults would not do: the epsilon of its norms differs.
    """
    from transformers import AutoConfig, Qwen2VLConfig

    try:
        config = AutoConfig.from_pretrained(base, attn_implementation=ATTENTION)
    except (OSError, ValueError, KeyError, TypeError, json.JSONDecodeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise PrerequisiteError(f"hpsv3.base: the configuration in {base} cannot be read: {reason}") from error
    if not isinstance(config, Qwen2VLConfig):
        raise PrerequisiteError(
            f"hpsv3.base: {base} is a {getattr(config, 'model_type', 'model')}, not a qwen2_vl;"
            " name Qwen/Qwen2-VL-7B-Instruct"
        )
    text: Any = config.text_config
    vision: Any = config.vision_config
    if (vision.patch_size, vision.spatial_merge_size, vision.temporal_patch_size) != (PATCH_PX, MERGED, FRAMES):
        raise PrerequisiteError(f"hpsv3.base: {base} cuts pictures into other patches than HPSv3 does")
    text.vocab_size = VOCABULARY
    return config


def _read_tensors(
    weights: Path, shapes: Mapping[str, tuple[int, ...]], device: torch.device, dtype: torch.dtype
) -> dict[str, torch.Tensor]:
    """The checkpoint's tensors under our names, on `device`; the head's in float32, the rest in `dtype`."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(weights), framework="pt", device=str(device)) as file:
            names = {our_name(name): name for name in file.keys()}  # noqa: SIM118 - not a mapping
            found = {ours: tuple(file.get_slice(name).get_shape()) for ours, name in names.items()}
            _check_shapes(weights, found, shapes)
            return {
                ours: file.get_tensor(names[ours]).to(torch.float32 if ours.startswith("rm_head.") else dtype)
                for ours in shapes
            }
    except (OSError, SafetensorError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise PrerequisiteError(
            f"hpsv3.checkpoint: {weights} cannot be read as safetensors ({reason});"
            " download it again: hf download MizzenAI/HPSv3 HPSv3.safetensors --force-download"
        ) from error


def our_name(name: str) -> str:
    """A tensor's name in transformers 5 for its name in the checkpoint, which transformers 4.45 wrote."""
    return f"language_model.{name.removeprefix('model.')}" if name.startswith("model.") else name


def _their_name(name: str) -> str:
    return f"model.{name.removeprefix('language_model.')}" if name.startswith("language_model.") else name


def _check_shapes(weights: Path, found: Mapping[str, tuple[int, ...]], wanted: Mapping[str, tuple[int, ...]]) -> None:
    missing = [name for name in wanted if name not in found]
    unexpected = [name for name in found if name not in wanted and name != LANGUAGE_HEAD]
    misshapen = [name for name in wanted if name in found and found[name] != wanted[name]]
    for kind, names in (("lacks", missing), ("has an unexpected", unexpected), ("has a misshapen", misshapen)):
        if not names:
            continue
        first = names[0]
        shape = f" of {list(found[first])}, not {list(wanted[first])}" if names is misshapen else ""
        others = f", and {len(names) - 1} more" if len(names) > 1 else ""
        raise PrerequisiteError(
            f"hpsv3.checkpoint: {weights} is not HPSv3 on this base: it {kind} {_their_name(first)}{shape}{others};"
            " run: hf download MizzenAI/HPSv3 HPSv3.safetensors"
        )
