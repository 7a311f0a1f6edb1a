"""Where the things that ship with the package are, in a wheel and in a checkout, and how a bare name finds them."""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from pathlib import Path

from watercolour.errors import ConfigError

DEFAULT_MEDIUM = "hibiscus"
"""The medium of whoever names none."""

_PACKAGE = Path(__file__).resolve().parent


def configs_dir() -> Path:
    """The folder of the shipped run configurations."""
    return _shipped("configs")


def pools_dir() -> Path:
    """The folder of the shipped reference pools, one folder a medium."""
    return _shipped("pool")


def find_config(name: str | Path) -> Path:
    """The configuration that `name` means: a path as given, or NAME or NAME.yaml here, in ./configs, among the shipped.

    Raises ConfigError, naming the nearest shipped one, when there is none.
    """
    for folder in (Path(), Path("configs"), configs_dir()):
        for candidate in (folder / name, folder / f"{name}.yaml"):
            if os.path.isfile(candidate):
                return candidate
    if os.path.isdir(name):
        raise ConfigError(f"{name}: is a folder; --config takes a YAML file")
    shipped = sorted(path.stem for path in configs_dir().glob("*.yaml"))
    raise ConfigError(_not_found(f"no configuration {str(name)!r}", Path(name).name.removesuffix(".yaml"), shipped))


def find_pool(name: str | Path) -> Path:
    """The reference pool that `name` means: a folder as given, or NAME in ./pool or among the shipped ones.

    Raises ConfigError, naming the nearest shipped one, when no such folder holds a pool.jsonl.
    """
    candidates = [folder / name for folder in (Path(), Path("pool"), pools_dir())]
    for candidate in candidates:
        if os.path.isfile(candidate / "pool.jsonl"):
            return candidate
    for candidate in candidates:
        if os.path.isdir(candidate):
            raise ConfigError(f"{candidate}: is not a reference pool: there is no pool.jsonl in it")
    shipped = sorted(path.parent.name for path in pools_dir().glob("*/pool.jsonl"))
    raise ConfigError(_not_found(f"no reference pool {str(name)!r}", Path(name).name, shipped))


def _shipped(kind: str) -> Path:
    in_wheel = _PACKAGE / "shipped" / kind
    return in_wheel if in_wheel.is_dir() else _PACKAGE.parent / kind


def _not_found(message: str, wanted: str, shipped: Sequence[str]) -> str:
    near = difflib.get_close_matches(wanted, shipped, n=1)
    hint = f", did you mean {near[0]!r}?" if near else ""
    return f"{message}{hint} (shipped: {', '.join(shipped) or 'none'})"
