"""Where things that take long to make are kept between runs: folders named by a hash of what they were made from."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from watercolour.files import cannot_write, publish_folder


def cache_dir() -> Path:
    """`$WATERCOLOUR_CACHE`, else `$XDG_CACHE_HOME/watercolour`, else `~/.cache/watercolour`. It may not exist yet."""
    if own := os.environ.get("WATERCOLOUR_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "watercolour"


def cache_path(name: str, inputs: Mapping[str, Any]) -> Path:
    """Where the folder made from `inputs` (JSON values) lies, or would lie."""
    digest = hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()
    return cache_dir() / f"{name}-{digest[:16]}"


def cached_folder(name: str, inputs: Mapping[str, Any], build: Callable[[Path], None]) -> Path:
    """The folder that `build` made from `inputs`, made now if it is not there.

    `build` fills an empty folder, which takes its name only once it is complete and on the disk: a crash, or a second
    process making the same, leaves no half of it. Raises what `build` raises, and InfraError when it cannot be written.
    """
    final = cache_path(name, inputs)
    if final.is_dir():
        return final
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{final.name}-", dir=final.parent))
    except OSError as error:
        cannot_write(final, error)
    try:
        build(scratch)
        _publish(scratch, final)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return final


def hash_folder(folder: Path) -> str:
    """SHA-256 over the names and contents of the files in a folder, hidden ones left out. Raises OSError."""
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file() and not path.name.startswith("."):
            with path.open("rb") as file:
                digest.update(f"{path.name} {hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return digest.hexdigest()


def _publish(scratch: Path, final: Path) -> None:
    try:
        publish_folder(scratch, final)
    except OSError as error:
        if not final.is_dir():  # else another process was first, with the same thing
            cannot_write(final, error)
