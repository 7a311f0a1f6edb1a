"""Run by bench/hpsv3_parity.py inside the original package's own environment: scores pictures with hpsv3 1.0.0 itself.

    python score_hpsv3.py JOB.json

JOB holds: base (a folder with configuration, tokenizer and weights), checkpoint, dtype, text, pictures (paths) and out.
Writes to `out` a list of [mu, log sigma] for each picture, and the versions. Only what the package leaves no setting
for is changed here: the base model's place, the precision, and a CPU instead of a GPU.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch

TOLD = ("hpsv3", "transformers", "tokenizers", "torch", "torchvision", "trl", "peft", "accelerate", "numpy", "pillow")


def main(job: dict[str, Any]) -> None:
    """Score and write."""
    if torch.version.cuda is None:
        # PyPI's torchvision is built for CUDA, and without its library lacks operators that its import asks for. HPSv3
        # uses torchvision for films and tensors alone, so nothing of it runs here.
        for name in ("nms", "qnms"):
            torch.library.define(f"torchvision::{name}", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    import hpsv3.inference
    import yaml

    shipped = Path(hpsv3.inference.__file__).parent / "config" / "HPSv3_7B.yaml"
    settings = yaml.safe_load(shipped.read_text())
    settings |= {
        "model_name_or_path": job["base"],
        "bf16": job["dtype"] == "bfloat16",
        "torch_dtype": job["dtype"],
        "report_to": "none",
        "learning_rate": float(settings["learning_rate"]),
        "use_cpu": True,
        "gradient_checkpointing": False,
        "eval_strategy": "no",
    }
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "HPSv3_7B.yaml")
        config.write_text(yaml.safe_dump(settings))
        model = hpsv3.inference.HPSv3RewardInferencer(str(config), job["checkpoint"], device="cpu")
    if job["dtype"] == "bfloat16":
        # On a GPU the package's autocast widens what the head gets; on a CPU nothing does.
        model.model.rm_head.register_forward_pre_hook(lambda _, inputs: tuple(tensor.float() for tensor in inputs))
    with torch.inference_mode():
        rows = [model.reward([path], [job["text"]])[0].float().tolist() for path in job["pictures"]]
        batched = model.reward(job["pictures"], [job["text"]] * len(job["pictures"])).float().tolist()
    versions = {name: importlib.metadata.version(name) for name in TOLD}
    inverse_frequencies = str(next(b.dtype for n, b in model.model.named_buffers() if n.endswith("inv_freq")))
    Path(job["out"]).write_text(
        json.dumps({"rows": rows, "batched": batched, "versions": versions, "inv_freq": inverse_frequencies})
    )


if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):
        main(json.loads(Path(sys.argv[1]).read_text()))
