"""Where HPSv3's weights are, and the configuration and tokenizer of the model it builds on: here, or on the hub."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from watercolour.errors import PrerequisiteError

WEIGHTS_NAME = "HPSv3.safetensors"
BASE_FILES = ("config.json", "tokenizer.json", "tokenizer_config.json", "vocab.json", "merges.txt")


def find_weights(checkpoint: str) -> Path | None:
    """The weights' file if it is on this machine, else None. Fetches nothing.

    Raises PrerequisiteError for a folder without weights, or with several files that could be them.
    """
    path = Path(checkpoint)
    if path.is_file():
        return path
    if path.is_dir():
        return _only_weights(path)
    return _from_hub(lambda hub: hub.hf_hub_download(checkpoint, WEIGHTS_NAME, local_files_only=True))


def weights_file(checkpoint: str) -> Path:
    """The weights' file, downloaded now if need be (16.6 GB).

    Raises PrerequisiteError when it cannot be had, with the command that brings it.
    """
    if (found := find_weights(checkpoint)) is not None:
        return found
    return _download("checkpoint", checkpoint, WEIGHTS_NAME, lambda hub: hub.hf_hub_download(checkpoint, WEIGHTS_NAME))


def find_base(base: str) -> Path | None:
    """The base model's folder if it is on this machine, else None. Fetches nothing.

    Raises PrerequisiteError for a folder without a configuration.
    """
    folder: Path | None = Path(base)
    if not Path(base).is_dir():
        patterns = list(BASE_FILES)
        folder = _from_hub(lambda hub: hub.snapshot_download(base, allow_patterns=patterns, local_files_only=True))
        if folder is None or not (folder / "config.json").is_file():
            return None
    assert folder is not None
    if not (folder / "config.json").is_file():
        raise PrerequisiteError(f"hpsv3.base: {folder} holds no config.json: name a folder of Qwen2-VL-7B-Instruct")
    return folder


def base_folder(base: str) -> Path:
    """The base model's folder, its configuration and tokenizer downloaded now if need be (15 MB; not its weights).

    Raises PrerequisiteError when it cannot be had, with the command that brings it.
    """
    if (found := find_base(base)) is not None:
        return found
    patterns = list(BASE_FILES)
    return _download(
        "base", base, " ".join(BASE_FILES), lambda hub: hub.snapshot_download(base, allow_patterns=patterns)
    )


def check_reachable(checkpoint: str, base: str) -> None:
    """Raise PrerequisiteError for what is neither on this machine nor to be had from the hub. Fetches nothing."""
    for key, place, names, find in (
        ("checkpoint", checkpoint, WEIGHTS_NAME, find_weights),
        ("base", base, " ".join(BASE_FILES), find_base),
    ):
        if Path(place).exists() or find(place) is not None:
            continue
        if _is_offline():
            raise _cannot_fetch(key, place, names, "HF_HUB_OFFLINE is set")
        if not _is_repository(place):
            raise _cannot_fetch(key, place, names, "there is no such file or folder, and it is no repository's name")


def _is_offline() -> bool:
    from huggingface_hub import constants

    return constants.HF_HUB_OFFLINE or os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}


def _is_repository(place: str) -> bool:
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils._validators import validate_repo_id

    try:
        validate_repo_id(place)
    except HFValidationError:
        return False
    return True


def _only_weights(folder: Path) -> Path:
    if (named := folder / WEIGHTS_NAME).is_file():
        return named
    files = sorted(folder.glob("*.safetensors"))
    if len(files) != 1:
        found = f"{len(files)} others: {', '.join(file.name for file in files[:3])}" if files else "no other"
        raise PrerequisiteError(
            f"hpsv3.checkpoint: {folder} holds no {WEIGHTS_NAME} and {found}; name the file, or run:"
            f" hf download MizzenAI/HPSv3 {WEIGHTS_NAME} --local-dir {folder}"
        )
    return files[0]


def _from_hub(fetch: Callable[[Any], str]) -> Path | None:
    import huggingface_hub
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(fetch(huggingface_hub))
    except (HFValidationError, LocalEntryNotFoundError):
        return None


def _download(key: str, repository: str, names: str, fetch: Callable[[Any], str]) -> Path:
    import huggingface_hub

    try:
        return Path(fetch(huggingface_hub))
    except Exception as error:  # the hub's client lets many kinds through, its transport's among them
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise _cannot_fetch(key, repository, names, reason) from error


def _cannot_fetch(key: str, repository: str, names: str, reason: str) -> PrerequisiteError:
    return PrerequisiteError(
        f"hpsv3.{key}: {repository} is not on this machine and cannot be fetched ({reason});"
        f" with a network, run: hf download {repository} {names}"
    )
