"""One line of a pool's index: what a painting is, who may use it, and what painted it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from watercolour.errors import ConfigError
from watercolour.medium import Medium, load_medium, shipped_media
from watercolour.references import INDEX, Tier

LICENCES = frozenset({"Apache-2.0", "CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "MIT"})
"""What a painting and its source may be under, as SPDX identifiers."""

PHOTO_LICENCES = frozenset(
    {"CC0-1.0", *(f"CC-{kind}-{version}" for kind in ("BY", "BY-SA") for version in ("2.0", "2.5", "3.0", "4.0"))}
)
"""What a photograph that was painted from may be under."""

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0)]


class Line(BaseModel):
    """Every key has to be there, null where there is nothing to say; keys beyond these are kept as they are.

    `round` is the round of rating, `coverage` the share of the picture that carries paint (0..1), `hpsv3_mu` the mean
    of HPSv3's score, null until it is scored. `sha256` is the picture's hash (`Painting.sha256`), `source_sha256` that
    of the source file's bytes, `size` the picture's (width, height) in pixels, `browser`, `p5` and `p5.brush` are the
    versions that painted it, `medium` is the name of the medium that it is of.
    """

    model_config = ConfigDict(frozen=True, extra="allow", strict=True, validate_by_name=True, validate_by_alias=True)

    file: str
    source: str
    tier: Tier
    subject: str
    generator: str
    round: Count
    coverage: Annotated[float, Field(ge=0, le=1)]
    hpsv3_mu: Annotated[float | None, Field(allow_inf_nan=False)]
    photo: str | None
    photo_licence: str | None
    photo_attribution: str | None
    photo_url: str | None
    licence: str
    sha256: Sha256
    source_sha256: Sha256
    seed: Annotated[int, Field(ge=0, lt=2**32)]
    size: tuple[int, int]
    backend: Literal["wasm", "gl"]
    browser: str
    p5: str
    p5_brush: Annotated[str, Field(alias="p5.brush")]
    medium: str

    def text(self) -> str:
        """The line as the index holds it, without its end."""
        return json.dumps(self.model_dump(mode="json", by_alias=True))

    def licence_faults(self) -> list[str]:
        """What is wrong with the line's licences, each as a sentence; empty when nothing is."""
        faults = []
        if self.licence not in LICENCES:
            faults.append(f"licence {self.licence!r} is not one of {', '.join(sorted(LICENCES))}")
        if self.photo is None:
            named = [key for key in ("photo_licence", "photo_attribution", "photo_url") if getattr(self, key)]
            return faults + [f"{' and '.join(named)} without a photo" for _ in named[:1]]
        if self.photo_licence not in PHOTO_LICENCES:
            accepted = ", ".join(sorted(PHOTO_LICENCES))
            faults.append(f"photo_licence {self.photo_licence!r} is not one of {accepted}")
        if not (self.photo_attribution or "").strip():
            faults.append("photo_attribution is missing: it has to say whose photo it is")
        if not (self.photo_url or "").startswith(("https://", "http://")):
            faults.append("photo_url is missing: it has to say where the photo is, as an http address")
        return faults


def parse_line(text: str, where: str) -> Line:
    """A line of an index. Raises ConfigError, naming `where` and each key that is missing or wrong."""
    try:
        return Line.model_validate_json(text)
    except ValidationError as error:
        raise ConfigError(f"{where}: {told(error)}") from error


def told(error: ValidationError) -> str:
    """What is wrong with a line, in one sentence."""
    problems = error.errors(include_url=False)
    if problems[0]["type"] == "json_invalid":
        return "not JSON"
    lacking = [str(problem["loc"][0]) for problem in problems if problem["type"] == "missing"]
    wrong = [f"{_key(problem['loc'])} {problem['msg'].lower()}" for problem in problems if problem["type"] != "missing"]
    return "; ".join(([f"lacks {', '.join(lacking)}"] if lacking else []) + wrong)


def read_lines(folder: Path) -> list[tuple[str, str]]:
    """The lines of a pool's index that are not empty, each with its place, `INDEX:NUMBER`; none without an index.

    Raises ConfigError when it cannot be read.
    """
    index = folder / INDEX
    try:
        text = index.read_text("utf-8")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{index}: cannot be read ({error}); a pool is a folder with {INDEX}") from error
    return [(f"{INDEX}:{number}", line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def is_torn(text: str) -> bool:
    """Whether a line is no JSON object, as one is that a crash or a full disk has cut short."""
    try:
        return not isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return True


def medium_of(folder: Path, lines: list[dict[str, Any]], given: str | None = None) -> Medium:
    """The medium of a pool: the one `given`, or the one its lines name, or the shipped one whose pool has its name.

    Raises ConfigError when there is none.
    """
    if given is not None:
        return load_medium(given)
    named = sorted({str(line["medium"]) for line in lines if line.get("medium")})
    if len(named) > 1:
        raise ConfigError(f"{folder / INDEX}: names several media ({', '.join(named)}); choose one with --medium")
    if named and named[0] in shipped_media():
        return load_medium(named[0])
    if named:
        raise ConfigError(f"{folder / INDEX}: is of medium {named[0]}, which is not shipped; name its file: --medium")
    name = folder.resolve().name
    for medium in map(load_medium, shipped_media()):
        if medium.pool == name:
            return medium
    raise ConfigError(f"{folder}: no shipped medium has a pool of that name; say which it is of with --medium")


def _key(location: tuple[int | str, ...]) -> str:
    return ".".join(map(str, location)) or "the line"
