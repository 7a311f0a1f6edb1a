"""What was trained, as a folder that transformers and PEFT load by themselves: the adapter, or the merged model."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watercolour.config import PolicySection, load_config
from watercolour.errors import ConfigError, PrerequisiteError
from watercolour.files import cannot_write, publish_folder
from watercolour.policy.adapters import (
    CONFIG,
    WARM_START,
    WEIGHTS,
    check_adapter,
    find_adapter,
    fit_adapter,
    read_adapter_config,
    run_of,
)
from watercolour.policy.hush import hush_libraries
from watercolour.policy.load import Policy, load_policy, model_class, policy_folder
from watercolour.policy.merge import fold_adapter

if TYPE_CHECKING:
    from torch import Tensor

_TEXTS = ("*.json", "*.jinja", "*.txt", "*.model")
"""What lies beside the weights of a checkpoint: the tokenizer, its chat template, an image processor's settings."""


@dataclass(frozen=True)
class Export:
    """What was written. `effect` is the mean change of a logit by the adapter, `error` how far the merged model is from
    the adapter on its base, both over one short text; None for an adapter alone, which is written without its base."""

    out: Path
    adapter: Path
    base: str
    base_class: str
    tensors: int
    effect: float | None = None
    error: float | None = None


def export_adapter(source: str | Path, out: Path) -> Export:
    """Write the adapter of a run, a checkpoint or a folder, with the class and the base model it belongs to, to `out`.

    No weights of the base are read, but each tensor must fit it. Raises ConfigError when there is no such adapter, it
    does not fit, or `out` holds something; PrerequisiteError when the base is not on this machine; InfraError.
    """
    hush_libraries()
    folder = find_adapter(source)
    section, base = find_base(folder)
    tensors = check_adapter(folder, base)
    kind = model_class(base).__name__
    name = str(base) if section is None or base.name.startswith(WARM_START) else _public_name(section, base)

    def write(scratch: Path) -> None:
        settings = read_adapter_config(folder) | {
            "base_model_name_or_path": name,
            "revision": section.revision if section else None,
            "inference_mode": True,
            # With a task instead, PEFT's own loader would choose the class by it, and bind nothing.
            "task_type": None,
            "auto_mapping": {"base_model_class": kind, "parent_library": "transformers"},
        }
        (scratch / CONFIG).write_text(json.dumps(settings, indent=2, sort_keys=True) + "\n", "utf-8")
        shutil.copyfile(folder / WEIGHTS, scratch / WEIGHTS)

    _write_folder(out, write)
    return Export(out, folder, name, kind, tensors)


def export_merged(source: str | Path, out: Path) -> Export:
    """Write the base model with the adapter added to its weights, in the type they were trained in, to `out`.

    Raises what `export_adapter` does.
    """
    hush_libraries()
    folder = find_adapter(source)
    section, base = find_base(folder)
    _require_free(out)
    policy = load_policy(section or PolicySection(model=str(base)), base)
    adapted = fit_adapter(policy.model, folder)
    tensors = sum("lora_" in name for name, _ in adapted.named_parameters())
    probe = _Probe(policy)
    with adapted.disable_adapter():
        bare = probe.logits(adapted)
    told = probe.logits(adapted)
    merged = fold_adapter(adapted)
    effect, error = (float((told - other).abs().mean()) for other in (bare, probe.logits(merged)))

    def write(scratch: Path) -> None:
        merged.config.use_cache = True  # off only for training
        merged.save_pretrained(scratch)
        for pattern in _TEXTS:
            for file in base.glob(pattern):
                if not (scratch / file.name).exists() and not file.name.endswith(".index.json"):
                    shutil.copyfile(file, scratch / file.name)

    _write_folder(out, write)
    return Export(out, folder, str(base), policy.base_class, tensors, effect, error)


class _Probe:
    """One short text, and what a model makes of it."""

    def __init__(self, policy: Policy) -> None:
        self._ids = policy.tokenizer("function setup() { createCanvas(600, 600, WEBGL); }", return_tensors="pt")

    def logits(self, model: Any) -> Tensor:
        """(tokens, vocabulary), as float32."""
        import torch

        model.train(False)
        with torch.inference_mode():
            logits: Tensor = model(input_ids=self._ids["input_ids"]).logits[0].float()
        return logits


def find_base(folder: Path) -> tuple[PolicySection | None, Path]:
    """The policy's settings, where the adapter's run has them, and the checkpoint that the adapter was trained on.

    Raises ConfigError where the adapter does not say which that is, PrerequisiteError where it cannot be had.
    """
    run = run_of(folder)
    section = load_config(run.path / "config.resolved.json").policy if run else None
    named = str(read_adapter_config(folder).get("base_model_name_or_path") or "")
    if os.path.isfile(Path(named) / "config.json"):
        return section, Path(named)
    if Path(named).name.startswith(WARM_START):
        mend = f"; start another run of {run.path / 'config.yaml'} to make it again" if run else ""
        raise PrerequisiteError(f"{folder}: the warm-started policy it belongs to, {named}, is gone{mend}")
    if section is None and not named:
        raise ConfigError(f"{folder / CONFIG}: does not say which model the adapter belongs to")
    return section, policy_folder(section or PolicySection(model=named))


def _public_name(section: PolicySection, base: Path) -> str:
    """A repository's name where the policy came from one, since others have it too; else the checkpoint's folder."""
    return section.model if "/" in section.model and not Path(section.model).is_dir() else str(base)


def _require_free(out: Path) -> None:
    if out.is_dir() and any(out.iterdir()):
        raise ConfigError(f"{out}: holds something already; name a new folder")
    if out.exists() and not out.is_dir():
        raise ConfigError(f"{out}: is a file; name a new folder")


def _write_folder(out: Path, write: Callable[[Path], None]) -> None:
    """Let `write` fill a folder that takes the name `out` only when it is whole."""
    _require_free(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
        try:
            write(scratch)
            scratch.chmod(0o755)  # made for its owner alone
            publish_folder(scratch, out)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        cannot_write(out, error)
