"""Ours beside the original HPSv3 package: the same tiny checkpoint, the same eight pictures, the largest difference.

    python bench/hpsv3_parity.py --install    make the original's environment first (1.6 GB), where it is not there
    python bench/hpsv3_parity.py              compare; exit 1 when mu or log sigma differ by more than 1e-4 in float32
    python bench/hpsv3_parity.py --write      store the original's scores in tests/reward/hpsv3/expected.json too

The original (hpsv3 1.0.0) runs on its own pins in a virtual environment of its own, in the cache. Both have the same
Pillow, since two major versions of it resize differently, and the same torch. Pictures with alpha are laid on white
before either sees them: the original by itself would drop the alpha and show what colours lie under it. Without the
environment and without --install this says so and stops.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import PIL
import torch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.reward.hpsv3 import tiny  # noqa: E402 - after the path to it
from tests.reward.hpsv3.pictures import pictures, save  # noqa: E402
from watercolour.policy.cache import cache_dir  # noqa: E402
from watercolour.reward.hpsv3.images import patchify  # noqa: E402
from watercolour.reward.hpsv3.model import collate, load_model  # noqa: E402
from watercolour.reward.hpsv3.prompt import build_prompt, load_tokenizer  # noqa: E402
from watercolour.reward.hpsv3.texts import WHEEL, load_texts  # noqa: E402

EXPECTED = ROOT / "tests" / "reward" / "hpsv3" / "expected.json"
TEXT = "a loose watercolour flower"
TOLERANCE = 1e-4
DTYPES = ("float32", "bfloat16")
TORCH = torch.__version__
TORCHVISION = "0.28.0"
"""Of the same release as torch 2.13."""

# transformers is the original's own pin; the others are of its time, and import beside it.
PINS = [
    "transformers==4.45.2",
    "trl==0.11.4",
    "peft==0.13.2",
    "accelerate==1.0.1",
    "datasets<4",
    f"pillow=={PIL.__version__}",
    *"fire matplotlib numpy omegaconf pandas requests rich safetensors tensorboard".split(),
]

# What the original's processor reads besides the tokenizer: Qwen2-VL's own settings and chat template.
PREPROCESSOR = {
    "image_processor_type": "Qwen2VLImageProcessor",
    "processor_class": "Qwen2VLProcessor",
    "min_pixels": 3136,
    "max_pixels": 12845056,
    "patch_size": 14,
    "temporal_patch_size": 2,
    "merge_size": 2,
    "image_mean": [0.48145466, 0.4578275, 0.40821073],
    "image_std": [0.26862954, 0.26130258, 0.27577711],
}
CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{% if loop.first and message['role'] != 'system' %}"
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n{% endif %}"
    "<|im_start|>{{ message['role'] }}\n"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--install", action="store_true", help="make the original's environment where it is missing")
    parser.add_argument("--venv", type=Path, default=cache_dir() / "hpsv3-original", help="where it is")
    parser.add_argument("--write", action="store_true", help="store the original's scores for the tests")
    options = parser.parse_args()
    python = options.venv / "bin" / "python"
    if options.install and not python.exists():
        install(options.venv)
    if not python.exists():
        print(f"hpsv3_parity: no environment of the original at {options.venv}: add --install", file=sys.stderr)
        return 0
    with tempfile.TemporaryDirectory(prefix="watercolour-parity-") as name:
        folder = Path(name)
        tensors = build(folder)
        theirs = {dtype: score_theirs(python, folder, dtype) for dtype in DTYPES}
        ours = {dtype: score_ours(folder, dtype) for dtype in DTYPES}
    worst = report(ours, theirs)
    if options.write:
        write(tensors, theirs)
    return int(worst > TOLERANCE)


def install(venv: Path) -> None:
    """The original on its own pins. Stops the script when pip fails."""
    print(f"hpsv3_parity: {WHEEL} -> {venv}", file=sys.stderr)
    pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    for command in (
        [sys.executable, "-m", "venv", str(venv)],
        [*pip, f"torch=={TORCH}", *PINS],
        [*pip, "--no-deps", WHEEL, f"torchvision=={TORCHVISION}"],
    ):
        subprocess.run(command, check=True)


def build(folder: Path) -> dict[str, torch.Tensor]:
    """The checkpoint, a base for ours, a base with weights for the original, and the pictures; gives the tensors."""
    from safetensors.torch import save_file

    tensors: dict[str, torch.Tensor] = tiny.tensors()
    tiny.build_checkpoint(folder / "HPSv3.safetensors")
    tiny.build_base(folder / "base")
    original = tiny.build_base(folder / "original")
    (original / "preprocessor_config.json").write_text(json.dumps(PREPROCESSOR))
    (original / "chat_template.json").write_text(json.dumps({"chat_template": CHAT_TEMPLATE}))
    # It loads a base first, whose embeddings have more rows, and then the checkpoint over it.
    base = {name: tensor for name, tensor in tensors.items() if not name.startswith("rm_head")}
    more = torch.zeros(tiny.BASE_VOCABULARY - tiny.VOCABULARY, tiny.HIDDEN)
    for name in ("model.embed_tokens.weight", "lm_head.weight"):
        base[name] = torch.cat([base[name], more])
    save_file(base, str(original / "model.safetensors"), metadata={"format": "pt"})
    save(folder / "pictures")
    return tensors


def score_theirs(python: Path, folder: Path, dtype: str) -> dict[str, Any]:
    """The original's scores: `rows` one picture a call, `batched` all in one; `versions`."""
    job = {
        "base": str(folder / "original"),
        "checkpoint": str(folder / "HPSv3.safetensors"),
        "dtype": dtype,
        "text": TEXT,
        "pictures": [str(folder / "pictures" / f"{index}.png") for index in range(len(pictures()))],
        "out": str(folder / f"{dtype}.json"),
    }
    (folder / "job.json").write_text(json.dumps(job))
    script = ROOT / "bench" / "original" / "score_hpsv3.py"
    started = time.perf_counter()
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "PYTHONPATH": ""}
    command = [str(python), "-W", "ignore", str(script), str(folder / "job.json")]
    result = subprocess.run(command, env=environment, text=True, capture_output=True, check=False)
    if result.returncode != 0:
        sys.exit(f"hpsv3_parity: the original failed:\n{result.stderr}")
    print(f"the original in {dtype}: {time.perf_counter() - started:.0f} s", file=sys.stderr)
    answer: dict[str, Any] = json.loads((folder / f"{dtype}.json").read_text())
    return answer


def score_ours(folder: Path, dtype: str) -> dict[str, Any]:
    """Ours: `rows` one picture a call, `batched` all in one."""
    prompt = build_prompt(load_tokenizer(folder / "base"), load_texts(), TEXT)
    model = load_model(folder / "HPSv3.safetensors", folder / "base", torch.device("cpu"), getattr(torch, dtype))
    patches = [patchify(pixels) for pixels in pictures().values()]
    rows = [model.score(collate(prompt, [picture]))[0].tolist() for picture in patches]
    return {"rows": rows, "batched": model.score(collate(prompt, patches)).tolist()}


def report(ours: dict[str, Any], theirs: dict[str, Any]) -> float:
    """Print the table; gives the largest difference in float32, of mu or log sigma, alone or in the batch."""
    print(f"{'picture':<30} {'original mu':>12} {'ours':>12} {'difference':>12} {'in one batch':>13}")
    for row, name in enumerate(pictures()):
        original, mine = theirs["float32"]["rows"][row][0], ours["float32"]["rows"][row][0]
        batched = ours["float32"]["batched"][row][0]
        print(f"{name:<30} {original:>12.6f} {mine:>12.6f} {mine - original:>12.1e} {batched - original:>13.1e}")
    reference = torch.tensor(theirs["float32"]["rows"])
    worst = max(float((torch.tensor(ours["float32"][kind]) - reference).abs().max()) for kind in ("rows", "batched"))
    print(f"\nspread of mu over the pictures        {float(reference[:, 0].std()):.2f}")
    print(f"largest difference, mu or log sigma   {worst:.1e} (float32; at most {TOLERANCE:g})")
    for what, one, other in (
        ("original, batch - alone, float32", theirs["float32"]["batched"], theirs["float32"]["rows"]),
        ("original, bfloat16 - float32", theirs["bfloat16"]["rows"], theirs["float32"]["rows"]),
        ("ours, bfloat16 - float32", ours["bfloat16"]["rows"], ours["float32"]["rows"]),
        ("ours - original, bfloat16", ours["bfloat16"]["rows"], theirs["bfloat16"]["rows"]),
        ("ours, batch - alone, bfloat16", ours["bfloat16"]["batched"], ours["bfloat16"]["rows"]),
    ):
        difference = (torch.tensor(one) - torch.tensor(other))[:, 0].abs()
        print(f"{what:<37} {float(difference.max()):.1e} at most, {float(difference.mean()):.1e} on average (mu)")
    print("the original's versions: " + ", ".join(f"{k} {v}" for k, v in theirs["float32"]["versions"].items()))
    return worst


def write(tensors: dict[str, torch.Tensor], theirs: dict[str, Any]) -> None:
    """Store the original's scores, and what they are of."""
    digest = hashlib.sha256()
    for name, tensor in sorted(tensors.items()):
        digest.update(name.encode() + tensor.numpy().tobytes())
    expected = {
        "made_by": "bench/hpsv3_parity.py --write",
        "versions": theirs["float32"]["versions"],
        "text": TEXT,
        "checkpoint": digest.hexdigest(),
        "pictures": {name: hashlib.sha256(pixels.tobytes()).hexdigest() for name, pixels in pictures().items()},
        "scores": dict(zip(pictures(), theirs["float32"]["rows"], strict=True)),
        "bfloat16": dict(zip(pictures(), theirs["bfloat16"]["rows"], strict=True)),
    }
    EXPECTED.write_text(json.dumps(expected, indent=1) + "\n")
    print(f"hpsv3_parity: {EXPECTED.relative_to(ROOT)} written", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
