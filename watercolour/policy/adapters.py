"""Saved adapters: found by a run's name, and fitted to a model tensor by tensor, or refused with what does not fit.

PEFT only warns when an adapter's names do not occur in a model, and goes on with an adapter that does nothing. Here
every tensor must find its place, in its shape, and the other way round.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from watercolour.config import PolicySection
from watercolour.errors import ConfigError
from watercolour.files import cannot_write, publish_folder
from watercolour.policy.load import lora_config, model_class, policy_folder
from watercolour.runs import RunDir

if TYPE_CHECKING:
    from peft import LoraConfig, PeftModel
    from transformers import PreTrainedModel

CONFIG = "adapter_config.json"
WEIGHTS = "adapter_model.safetensors"
WARM_START = "warm-start-"
"""How the folder of a warm-started checkpoint begins; what follows stands for all that it was made from."""

_SCALES = ("r", "lora_alpha", "use_rslora", "use_dora", "rank_pattern", "alpha_pattern", "fan_in_fan_out", "bias")
"""What a saved adapter's tensors mean: with another value of these they make another model."""

Shapes = dict[str, tuple[int, ...]]


def find_adapter(name: str | Path) -> Path:
    """The adapter's folder that `name` means: a folder that holds one, or a run, of which it is the last checkpoint.

    Raises ConfigError when there is none.
    """
    if os.path.isfile(Path(name) / CONFIG):
        folder = Path(name)
    elif os.path.isdir(name) and not os.path.isfile(Path(name) / "run.json"):
        raise ConfigError(f"{name}: is neither a run nor an adapter's folder: there is no {CONFIG} in it")
    else:
        run = RunDir.open(name)
        last = run.last_checkpoint()
        if last is None:
            raise ConfigError(f"{run.path}: has no checkpoint yet")
        folder = last
    if not os.path.isfile(folder / WEIGHTS):
        raise ConfigError(f"{folder}: holds no {WEIGHTS}")
    return folder


def run_of(folder: Path) -> RunDir | None:
    """The run that an adapter's folder is a checkpoint of, if it is one."""
    run = folder.resolve().parent.parent
    return RunDir(run) if (run / "run.json").is_file() else None


def read_adapter_config(folder: Path) -> dict[str, Any]:
    """What PEFT wrote about the adapter. Raises ConfigError where that is no LoRA adapter's description."""
    try:
        settings = json.loads((folder / CONFIG).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{folder / CONFIG}: cannot be read: {error}") from None
    if not isinstance(settings, dict) or settings.get("peft_type") != "LORA":
        raise ConfigError(f"{folder}: is no LoRA adapter")
    return settings


def fit_adapter(model: PreTrainedModel, folder: Path, lora: LoraConfig | None = None) -> PeftModel:
    """`model` with the saved adapter, every tensor of it bound; to be trained on when `lora` is given.

    `lora` is what the adapter should be; without it, it is what was saved. Raises ConfigError when a tensor finds no
    place, when the model has a place that no tensor fills, or when `lora` says otherwise than the adapter.
    """
    import torch
    from safetensors.torch import load_file

    adapted = _adapted(model, folder, lora)
    tensors = load_file(folder / WEIGHTS)
    places = _places(adapted)
    _require_fit(folder, type(model).__name__, _shapes(tensors), _shapes(places))
    with torch.no_grad():
        for name, place in places.items():
            place.copy_(tensors[name])
    return adapted


def require_fit(adapted: PeftModel, folder: Path) -> None:
    """Raise ConfigError unless each tensor of a saved adapter has its place in `adapted`, and the other way round."""
    kind = type(adapted.get_base_model()).__name__
    _require_fit(folder, kind, saved_shapes(folder), _shapes(_places(adapted)))


def check_adapter(folder: Path, checkpoint: Path, lora: LoraConfig | None = None) -> int:
    """Raise what `fit_adapter` would, without reading a weight; returns how many tensors fit. Takes seconds for 35B."""
    import torch
    from transformers import AutoConfig

    kind = model_class(checkpoint)
    with torch.device("meta"):
        model = kind(AutoConfig.from_pretrained(checkpoint))
    shapes = saved_shapes(folder)
    _require_fit(folder, kind.__name__, shapes, _shapes(_places(_adapted(model, folder, lora, meta=True))))
    return len(shapes)


def saved_shapes(folder: Path) -> Shapes:
    """The names and shapes of a saved adapter's tensors. Raises ConfigError when they cannot be read."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(folder / WEIGHTS, "pt") as file:
            return {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise ConfigError(f"{folder / WEIGHTS}: cannot be read: {error}") from None


def check_init_adapter(section: PolicySection, *, warm_start: bool) -> Path | None:
    """The folder of `policy.init_adapter`, None where there is none. Raises ConfigError where it does not fit."""
    if section.init_adapter is None:
        return None
    folder = find_adapter(section.init_adapter)
    if not warm_start:
        _require_same_base(folder, Path(section.model))
    check_adapter(folder, policy_folder(section), lora_config(section.lora))
    return folder


def init_adapter(model: PreTrainedModel, section: PolicySection, folder: Path) -> PeftModel:
    """`model` with the adapter in `folder`, to be trained on as `section` says. Raises ConfigError as `fit_adapter`."""
    _require_same_base(folder, Path(str(model.name_or_path)))
    return fit_adapter(model, folder, lora_config(section.lora))


@contextlib.contextmanager
def as_it_started(adapted: PeftModel, folder: Path | None) -> Iterator[None]:
    """Inside, the policy that training began with: without the adapter, or with the one saved in `folder`."""
    import torch
    from safetensors.torch import load_file

    if folder is None:  # a new adapter does nothing
        with adapted.disable_adapter():
            yield
        return
    places = _places(adapted)
    learnt = {name: place.data for name, place in places.items()}
    try:
        for name, tensor in load_file(folder / WEIGHTS).items():
            place = places[name]
            place.data = tensor.to(place.device, place.dtype)
        with torch.no_grad():
            yield
    finally:
        for name, place in places.items():
            place.data = learnt[name]


def copy_adapter(folder: Path, out: Path) -> None:
    """Copy an adapter's two files, whole or not at all. Raises InfraError."""
    try:
        scratch = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
        try:
            for name in (CONFIG, WEIGHTS):
                shutil.copyfile(folder / name, scratch / name)
            publish_folder(scratch, out)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        cannot_write(out, error)


def trained_class(folder: Path) -> str | None:
    """The class that the adapter was trained on, where its folder or its run says so."""
    run = run_of(folder)
    named = (read_adapter_config(folder).get("auto_mapping") or {}).get("base_model_class")
    return named or (run.facts().get("policy_class") if run else None)


def _adapted(model: Any, folder: Path, lora: LoraConfig | None, *, meta: bool = False) -> PeftModel:
    from peft import LoraConfig, get_peft_model

    saved = read_adapter_config(folder)
    if lora is None:
        config = LoraConfig.from_pretrained(str(folder))
    else:
        config = lora
        _require_same_settings(folder, saved, lora)
    try:
        adapted = get_peft_model(model, config, low_cpu_mem_usage=meta)
    except ValueError as error:  # none of its target modules is in the model
        names = sorted(saved_shapes(folder))
        raise ConfigError(_misfit(folder, type(model).__name__, names, len(names))) from error
    return cast("PeftModel", adapted)


def _places(adapted: PeftModel) -> dict[str, Any]:
    """The adapter's parameters, under the names that they have in a file; those of a frozen copy beside it left out."""
    named = [(name, item) for name, item in adapted.named_parameters() if "lora_" in name and ".default." in name]
    return {name.replace(".default.", "."): item for name, item in named}


def _shapes(tensors: Mapping[str, Any]) -> Shapes:
    return {name: tuple(tensor.shape) for name, tensor in tensors.items()}


def _require_fit(folder: Path, kind: str, saved: Shapes, places: Shapes) -> None:
    if lost := sorted(name for name in saved if saved[name] != places.get(name)):
        raise ConfigError(_misfit(folder, kind, lost, len(saved)))
    if bare := sorted(places.keys() - saved):
        raise ConfigError(
            f"{folder}: does not fill {len(bare)} of the {len(places)} tensors that policy.lora asks for:"
            f" {_some(bare)}; set policy.lora's modules to those it was trained with"
        )


def _misfit(folder: Path, kind: str, lost: Sequence[str], count: int) -> str:
    trained = trained_class(folder)
    mend = f"it was trained on {trained}" if trained and trained != kind else "it was trained on another model"
    return f"{folder}: {len(lost)} of this adapter's {count} tensors have no place in {kind}: {_some(lost)}; {mend}"


def _require_same_settings(folder: Path, saved: Mapping[str, Any], lora: LoraConfig) -> None:
    ours: dict[str, Any] = vars(lora)
    for key in _SCALES:
        theirs = saved.get(key, ours[key])
        if (theirs or None) != (ours[key] or None):
            name = {"r": "policy.lora.r", "lora_alpha": "policy.lora.alpha"}.get(key, key)
            raise ConfigError(f"policy.init_adapter: {folder} was trained with {name} {theirs}, not {ours[key]}")


def _require_same_base(folder: Path, base: Path) -> None:
    """A warm start makes a model of its own, and an adapter trained on one is nothing without it."""
    trained_on = Path(str(read_adapter_config(folder).get("base_model_name_or_path") or "")).name
    if trained_on.startswith(WARM_START) and trained_on != base.name:
        raise ConfigError(
            f"{folder}: was trained on a warm-started policy ({trained_on}): give the same policy and warm_start"
        )
    if base.name.startswith(WARM_START) and trained_on != base.name:
        raise ConfigError(f"{folder}: was trained without this warm_start, on {trained_on}: set warm_start to null")


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
