"""The reference pool: rated paintings with their sources. What it holds is, in the end, the reward function.

A pool is a folder with `pool.jsonl`, one line a painting, and beside it each painting's source and PNG.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from watercolour.errors import ConfigError
from watercolour.painting import Painting, read_picture
from watercolour.sketch import Sketch

INDEX = "pool.jsonl"


class Tier(StrEnum):
    """How a person rated a painting."""

    LOVE = "love"
    """What a model should learn to paint; the pool's README has the criteria."""
    OKAY = "okay"
    """Recognisable and pleasant, but plain."""
    NOPE = "nope"
    """Rejected, and kept so that a taste model can see it."""


@dataclass(frozen=True)
class Reference:
    """One painting of the pool. `picture` and `source` are paths of files that exist."""

    name: str
    tier: Tier
    subject: str
    picture: Path
    source: Path
    sha256: str
    coverage: float
    facts: dict[str, Any]

    @property
    def backend(self) -> str:
        """What painted it: "wasm" or "gl"."""
        return str(self.facts.get("backend", "wasm"))

    def sketch(self) -> str:
        """The JavaScript that painted it. Raises ConfigError when it cannot be read."""
        try:
            return self.source.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{self.source}: cannot be read as text ({error})") from error

    def painting(self) -> Painting:
        """Its picture with its sketch, as if just rendered. Raises ConfigError when one of them cannot be read."""
        try:
            picture = read_picture(self.picture)
        except (OSError, ValueError) as error:
            raise ConfigError(f"{self.picture}: not a readable picture ({error})") from error
        return replace(picture, sketch=Sketch(self.sketch()))


def read_pool(folder: Path) -> list[Reference]:
    """The paintings of a pool, in its order. Raises ConfigError, naming file and line, for whatever is wrong."""
    index = folder / INDEX
    try:
        lines = index.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{index}: cannot be read ({error}); a pool is a folder with {INDEX}") from error
    references: list[Reference] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            references.append(read_reference(folder, line, f"{index}:{number}"))
    if not references:
        raise ConfigError(f"{index}: holds no paintings")
    return references


def without_rejected(references: Iterable[Reference]) -> list[Reference]:
    """All but those of tier `nope`, in their order: what a policy may imitate, and what a judge may compare with."""
    return [reference for reference in references if reference.tier is not Tier.NOPE]


def require_backend(references: Sequence[Reference], backend: str, pool: Path) -> None:
    """Check that a run's references were painted by what paints the run. Raises ConfigError, naming both backends.

    Two backends' pictures differ a little everywhere, and a judge or scorer would see that instead of the painting.
    """
    for reference in references:
        if reference.backend != backend:
            raise ConfigError(
                f"{pool}: {reference.name} was painted by backend {reference.backend}, this run by {backend}; "
                f"set render.backend={reference.backend}, or paint the pool again with "
                f"`watercolour pool render {pool} --backend {backend}`"
            )


def read_reference(folder: Path, line: str, where: str) -> Reference:
    """The painting that one line of the index of the pool in `folder` tells of.

    Raises ConfigError, beginning with `where`, for whatever is wrong with the line or its files.
    """
    try:
        facts = json.loads(line)
    except ValueError as error:
        raise ConfigError(f"{where}: not JSON ({error})") from error
    if not isinstance(facts, dict):
        raise ConfigError(f"{where}: must be one JSON object a line")
    missing = [key for key in ("file", "source", "tier", "subject", "sha256", "coverage") if key not in facts]
    if missing:
        raise ConfigError(f"{where}: lacks {', '.join(missing)}")
    if not isinstance(facts["tier"], str) or facts["tier"] not in list(Tier):
        raise ConfigError(f"{where}: tier {facts['tier']!r} is not one of {', '.join(Tier)}")
    if isinstance(facts["coverage"], bool) or not isinstance(facts["coverage"], int | float):
        raise ConfigError(f"{where}: coverage {facts['coverage']!r} is not a number")
    picture, source = (_inside(folder, str(facts[key]), where) for key in ("file", "source"))
    return Reference(
        name=picture.stem,
        tier=Tier(facts["tier"]),
        subject=str(facts["subject"]),
        picture=picture,
        source=source,
        sha256=str(facts["sha256"]),
        coverage=float(facts["coverage"]),
        facts=facts,
    )


def _inside(folder: Path, name: str, where: str) -> Path:
    try:
        path = (folder / name).resolve()
        is_file = path.is_file()
    except (OSError, ValueError) as error:  # a name that is too long, or that holds a null character
        raise ConfigError(f"{where}: {name[:80]!r} cannot be a file's name ({error})") from error
    if not path.is_relative_to(folder.resolve()):
        raise ConfigError(f"{where}: {name} lies outside the pool")
    if not is_file:
        raise ConfigError(f"{where}: {name} is missing")
    return path
