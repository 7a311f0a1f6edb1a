"""The policy: a causal language model, its tokenizer, and the adapter that learns."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watercolour.config import LoraSection, PolicySection
from watercolour.errors import ConfigError, PrerequisiteError
from watercolour.policy import smollm
from watercolour.policy.hush import hush_libraries

if TYPE_CHECKING:
    import torch
    from peft import LoraConfig
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

Messages = list[dict[str, str]]
"""A conversation: {"role", "content"} a turn."""

BFLOAT16_FLAGS = frozenset({"avx512_bf16", "amx_bf16", "bf16"})
"""How Linux calls such instructions, of x86 and of ARM."""

_HUB_FILES = ("*.json", "*.safetensors", "*.jinja", "*.txt", "*.model")


@dataclass(frozen=True)
class Policy:
    """A loaded model without an adapter. `folder` is its checkpoint."""

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    folder: Path

    @property
    def base_class(self) -> str:
        """The class that an adapter trained on this policy must be loaded with; with another one it binds nothing."""
        return type(self.model).__name__

    @property
    def end_ids(self) -> list[int]:
        """The tokens that end a reply."""
        generation_config = self.model.generation_config
        ends = generation_config.eos_token_id if generation_config else None
        return sorted({self.tokenizer.eos_token_id, *(ends if isinstance(ends, list) else [ends])} - {None})


def find_policy(section: PolicySection) -> Path | None:
    """The policy's folder or file if it is on this machine, else None. Loads, converts and fetches nothing."""
    if section.model == smollm.NAME:
        try:
            return smollm.find_gguf()
        except PrerequisiteError:
            return None
    if Path(section.model).is_dir():
        return Path(section.model)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(
            snapshot_download(
                section.model, revision=section.revision, allow_patterns=list(_HUB_FILES), local_files_only=True
            )
        )
    except (HFValidationError, LocalEntryNotFoundError):
        return None


def policy_folder(section: PolicySection) -> Path:
    """The checkpoint's folder, converted or downloaded now if need be.

    Raises PrerequisiteError when it cannot be had, with the command that brings it.
    """
    if section.model == smollm.NAME:
        return smollm.smollm_checkpoint()
    if Path(section.model).is_dir():
        return Path(section.model)
    if (folder := find_policy(section)) is not None:
        return folder
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(section.model, revision=section.revision, allow_patterns=list(_HUB_FILES)))
    except Exception as error:  # the hub's client lets many kinds through, its transport's among them
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        revision = f" --revision {section.revision}" if section.revision else ""
        raise PrerequisiteError(
            f"policy.model: {section.model} is no folder and cannot be fetched ({reason});"
            f" with a network, run: hf download {section.model}{revision}"
        ) from error


def load_policy(section: PolicySection, folder: Path | None = None) -> Policy:
    """Load the model and tokenizer that `section` names, or those in `folder` with the rest of `section`.

    Raises PrerequisiteError when the checkpoint cannot be had, ConfigError when it is not a whole language model.
    """
    import torch
    from transformers import AutoTokenizer

    hush_libraries()
    folder = folder or policy_folder(section)
    kind = model_class(folder)
    dtype: Any = section.dtype if section.dtype == "auto" else getattr(torch, section.dtype)
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder)
        model, report = kind.from_pretrained(folder, dtype=dtype, output_loading_info=True)
    except (OSError, ValueError, KeyError) as error:
        raise ConfigError(
            f"policy.model: {folder} cannot be loaded: {(str(error).splitlines() or ['?'])[0]}"
        ) from error
    if lost := sorted(report["missing_keys"]) + sorted(report["unexpected_keys"]):
        raise ConfigError(f"policy.model: {folder} does not fit {kind.__name__}: {len(lost)} tensors, {lost[0]}")
    if section.dtype == "auto" and model.dtype == torch.bfloat16 and device().type == "cpu" and not has_bfloat16():
        model = model.float()
    if tokenizer.chat_template is None:
        raise ConfigError(f"policy.model: {folder} has no chat template; use an instruction-tuned model")
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    tokenizer.padding_side = "left"
    model.config.use_cache = False
    return Policy(model, tokenizer, folder)


def chat_template_kwargs(tokenizer: PreTrainedTokenizerBase, enable_thinking: bool) -> dict[str, Any]:
    """What to tell the chat template besides the messages: the thinking switch, where the template has one."""
    return {"enable_thinking": enable_thinking} if "enable_thinking" in str(tokenizer.chat_template) else {}


def lora_config(section: LoraSection) -> LoraConfig:
    """PEFT's configuration of the adapter."""
    from peft import LoraConfig

    def modules(value: str | tuple[str, ...] | None) -> str | list[str] | None:
        return list(value) if isinstance(value, tuple) else value

    return LoraConfig(
        r=section.r,
        lora_alpha=section.alpha,  # type: ignore[arg-type]  # annotated int; only ever divided by r
        lora_dropout=section.dropout,
        target_modules=modules(section.target_modules),
        exclude_modules=modules(section.exclude_modules),
        task_type="CAUSAL_LM",
    )


def use_threads(threads: int | None) -> int:
    """Let torch use `threads` CPU threads, by default the physical cores this process may run on; says how many."""
    import torch

    count = threads or physical_cores()
    torch.set_num_threads(count)
    return count


def physical_cores() -> int:
    """Physical cores, at most as many as this process may run on."""
    import psutil

    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(allowed, psutil.cpu_count(logical=False) or allowed))


def has_bfloat16(cpuinfo: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether the CPU has instructions for products of bfloat16; True where it cannot be told.

    Without them every product converts its inputs, which costs more than the memory that the smaller type spares.
    """
    try:
        lines = cpuinfo.read_text("utf-8", "replace").splitlines()
    except OSError:
        return True
    flags = {flag for line in lines if line.lower().startswith(("flags", "features")) for flag in line.split()}
    return not flags or not flags.isdisjoint(BFLOAT16_FLAGS)


def device() -> torch.device:
    """Where the policy runs: the first GPU, else the CPU."""
    import torch

    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def model_class(folder: Path) -> Any:
    """The class that a checkpoint names as its own. Raises ConfigError where it names none that is known."""
    import transformers

    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        name = config["architectures"][0]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ConfigError(f"policy.model: {folder} is no checkpoint: its config.json names no architecture") from error
    kind = getattr(transformers, str(name), None)
    if kind is None or not hasattr(kind, "from_pretrained"):
        raise ConfigError(f"policy.model: {folder} is a {name}, which this transformers does not know")
    return kind
