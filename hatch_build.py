"""Build hook: a wheel carries the fetched files, the configs and the reference pool, or it is not built."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED_FOLDERS = ("configs", "pool")
"""Folders of the checkout that an installed package finds under watercolour/shipped."""


class WatercolourBuildHook(BuildHookInterface[Any]):
    """Checks the fetched files, and maps `SHIPPED_FOLDERS` into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Raises SystemExit, with the command that mends it, where something that a wheel must hold is missing."""
        if version == "editable":
            return
        self._check_fetched()
        if self.target_name != "wheel":
            return
        for name in SHIPPED_FOLDERS:
            folder = Path(self.root, name)
            if not folder.is_dir():
                raise SystemExit(f"cannot build watercolour: {folder} is missing, and a wheel must hold it")
            build_data["force_include"][str(folder)] = f"watercolour/shipped/{name}"

    def _check_fetched(self) -> None:
        sys.path.insert(0, self.root)
        try:
            from watercolour.errors import PrerequisiteError
            from watercolour.render.libraries import check_libraries
        finally:
            sys.path.remove(self.root)
        package = Path(self.root, "watercolour")
        texts = _module_at(package / "reward" / "hpsv3" / "texts.py")
        for check, folder, script in (
            (check_libraries, package / "render" / "vendor", "fetch_libraries"),
            (texts.check_files, package / "reward" / "hpsv3" / "vendor", "fetch_hpsv3"),
        ):
            try:
                check(folder)
            except PrerequisiteError as error:
                raise SystemExit(
                    f"cannot build watercolour: {error}, or `python -m scripts.{script}` in {self.root}"
                ) from error


def _module_at(path: Path) -> ModuleType:
    """A module without its package, whose other modules need more than is there while a wheel is built."""
    spec = importlib.util.spec_from_file_location(f"_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
