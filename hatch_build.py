"""Build hook: a wheel carries the JavaScript libraries, the configs and the reference pool, or it is not built."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED_FOLDERS = ("configs", "pool")
"""Folders of the checkout that an installed package finds under watercolour/shipped."""


class WatercolourBuildHook(BuildHookInterface[Any]):
    """Checks the vendored libraries, and maps `SHIPPED_FOLDERS` into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Raises SystemExit, with the command that mends it, where something that a wheel must hold is missing."""
        if version == "editable":
            return
        self._check_libraries()
        if self.target_name != "wheel":
            return
        for name in SHIPPED_FOLDERS:
            folder = Path(self.root, name)
            if not folder.is_dir():
                raise SystemExit(f"cannot build watercolour: {folder} is missing, and a wheel must hold it")
            build_data["force_include"][str(folder)] = f"watercolour/shipped/{name}"

    def _check_libraries(self) -> None:
        sys.path.insert(0, self.root)
        try:
            from watercolour.errors import PrerequisiteError
            from watercolour.render.libraries import check_libraries
        finally:
            sys.path.remove(self.root)
        try:
            check_libraries(Path(self.root, "watercolour", "render", "vendor"))
        except PrerequisiteError as error:
            raise SystemExit(
                f"cannot build watercolour: {error}, or `python -m scripts.fetch_libraries` in {self.root}"
            ) from error
