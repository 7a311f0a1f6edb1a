"""Candidates: paintings that wait to be rated, in a folder with candidates.jsonl, images/ and sources/.

A candidate's id says nothing of who painted it, so that it can be rated blind.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from watercolour.curate.line import Count, Sha256, told
from watercolour.errors import ConfigError, InfraError
from watercolour.files import append_line, read_lines

INDEX = "candidates.jsonl"
RATINGS = "ratings.jsonl"
IMAGES = "images"
SOURCES = "sources"
ID_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

FOREIGN = "foreign"
"""The backend of a picture that another program painted; `watercolour pool render` paints such a pool again."""


class Candidate(BaseModel):
    """A line of the index; keys beyond these are kept as they are.

    `image` and `source` are paths in the folder. `sha256` is the picture's hash (`Painting.sha256`), `source_sha256`
    that of the source file's bytes, `photo` the id of the photograph that it was painted from, `round` the number of
    critiques that went before, `gate` whether it passes the medium's gate and `why` in words, `coverage` the share of
    the picture that carries paint (0..1), `cost_usd` what all its rounds have cost. What painted it is None where that
    is not known.
    """

    model_config = ConfigDict(frozen=True, extra="allow", strict=True, validate_by_name=True, validate_by_alias=True)

    id: Annotated[str, Field(pattern=rf"^{ID_PATTERN.pattern}$")]
    image: str
    source: str
    subject: str
    generator: str
    medium: str
    sha256: Sha256
    source_sha256: Sha256
    temperature: float | None = None
    sample: Count = 0
    photo: str | None = None
    photo_licence: str | None = None
    photo_attribution: str | None = None
    photo_url: str | None = None
    licence: str | None = None
    round: Count = 0
    outcome: str = "ok"
    gate: bool | None = None
    why: str = ""
    coverage: Annotated[float, Field(ge=0, le=1)]
    hpsv3_mu: float | None = None
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 1
    size: tuple[int, int]
    backend: str
    browser: str | None = None
    p5: str | None = None
    p5_brush: Annotated[str | None, Field(alias="p5.brush")] = None
    cost_usd: float | None = None

    @property
    def is_foreign(self) -> bool:
        """Whether another program than this one painted it."""
        return self.backend not in ("wasm", "gl")

    def record(self) -> dict[str, Any]:
        """As the line holds it."""
        return self.model_dump(mode="json", by_alias=True)


def read_candidates(folder: Path, *, is_new: bool = False) -> list[Candidate]:
    """The candidates of a folder, in its order, the last line of each id; with `is_new` there may be none yet.

    Raises ConfigError, naming the line, for one that is misshapen or whose files lie outside the folder or are missing.
    """
    index = folder / INDEX
    if not is_new and not index.is_file():
        raise ConfigError(f"{folder}: is no folder of candidates: there is no {INDEX} in it")
    try:
        lines = read_lines(index)
    except InfraError as error:
        raise ConfigError(str(error)) from None
    found: dict[str, Candidate] = {}
    for number, line in enumerate(lines, 1):
        candidate = _candidate(line, f"{index}:{number}")
        for name in (candidate.image, candidate.source):
            check_inside(folder, name, f"{index}:{number}")
        found[candidate.id] = candidate
    return list(found.values())


def add_candidate(folder: Path, candidate: Candidate) -> None:
    """Append a candidate whose files are there. Raises InfraError."""
    append_line(folder / INDEX, candidate.record())


def check_inside(folder: Path, name: str, where: str) -> Path:
    """The file of that name in a folder. Raises ConfigError, beginning with `where`, where it is outside or missing."""
    try:
        path = (folder / name).resolve()
        is_file = path.is_file()
    except (OSError, ValueError) as error:
        raise ConfigError(f"{where}: {name[:80]!r} cannot be a file's name ({error})") from None
    if not path.is_relative_to(folder.resolve()):
        raise ConfigError(f"{where}: {name} lies outside the folder")
    if not is_file:
        raise ConfigError(f"{where}: {name} is missing")
    return path


def _candidate(line: dict[str, Any], where: str) -> Candidate:
    size = line.get("size")
    facts = {**line, "size": tuple(size)} if isinstance(size, list) else line
    try:
        return Candidate.model_validate(facts)
    except ValidationError as error:
        raise ConfigError(f"{where}: {told(error)}") from None
