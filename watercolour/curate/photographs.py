"""Photographs to paint from, with author and licence: a folder with photos.jsonl and the pictures beside it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from watercolour.curate.line import PHOTO_LICENCES
from watercolour.errors import ConfigError, InfraError
from watercolour.files import read_lines

INDEX = "photos.jsonl"
ATTRIBUTION = "ATTRIBUTION.md"


@dataclass(frozen=True)
class Photograph:
    """One photograph. `file` is its path in the folder, `sha256` that of the file's bytes, `licence` an SPDX
    identifier, `attribution` the words to name its author with, `url` the observation's page, `image_url` the picture
    that was fetched, `taxon` the scientific name of what it shows, `asked` the number of
    the taxon that was asked for, `size` the file's (width, height) in pixels."""

    id: str
    file: str
    url: str
    image_url: str
    author: str
    licence: str
    licence_url: str
    attribution: str
    taxon: str
    common_name: str
    asked: str
    size: tuple[int, int]
    sha256: str

    def record(self) -> dict[str, Any]:
        """As a line of the manifest."""
        return dict(vars(self))


def read_photographs(folder: Path, *, is_new: bool = False) -> list[Photograph]:
    """The photographs that a folder's manifest names, in its order; with `is_new` there may be no manifest yet.

    Raises ConfigError, naming the line, for one that is misshapen, whose licence is not open, or whose file is missing
    or another.
    """
    index = folder / INDEX
    if not is_new and not index.is_file():
        raise ConfigError(
            f"{folder}: holds no {INDEX}; `watercolour pool photos TAXON -o {folder}` fetches photographs"
        )
    try:
        lines = read_lines(index)
    except InfraError as error:
        raise ConfigError(str(error)) from None
    return [_photograph(folder, line, f"{index}:{number}") for number, line in enumerate(lines, 1)]


def attribution_page(photographs: Sequence[Photograph]) -> str:
    """The authors and licences of photographs, as Markdown."""
    rows = [
        f"- {_plain(photo.attribution)}, [{photo.licence}]({photo.licence_url}): "
        f"*{_plain(photo.taxon)}*, <{photo.url}> (`{photo.file}`)"
        for photo in photographs
    ]
    head = f"# {len(photographs)} photographs and their authors\n\nEach was made smaller; nothing else was changed.\n\n"
    return head + "".join(f"{row}\n" for row in rows)


def _photograph(folder: Path, line: dict[str, Any], where: str) -> Photograph:
    names = [field.name for field in fields(Photograph)]
    if missing := [name for name in names if name not in line]:
        raise ConfigError(f"{where}: lacks {', '.join(missing)}")
    if wrong := [name for name in names if name != "size" and not isinstance(line[name], str)]:
        raise ConfigError(f"{where}: {', '.join(wrong)} must be text")
    if line["licence"] not in PHOTO_LICENCES:
        raise ConfigError(f"{where}: licence {line['licence']!r} is not one of {', '.join(sorted(PHOTO_LICENCES))}")
    size = line["size"]
    if not (isinstance(size, list) and len(size) == 2 and all(type(side) is int for side in size)):
        raise ConfigError(f"{where}: size must be [width, height]")
    path = (folder / line["file"]).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise ConfigError(f"{where}: {line['file']} lies outside the folder")
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise ConfigError(f"{where}: {line['file']} cannot be read ({error.strerror}); delete the line") from None
    if digest != line["sha256"]:
        raise ConfigError(f"{where}: {line['file']} is another file than was fetched; delete both, and fetch it again")
    return Photograph(**{name: line[name] for name in names if name != "size"}, size=(size[0], size[1]))


def _plain(text: str) -> str:
    """Somebody's words without what Markdown or HTML would take for its own."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>" else letter for letter in text)
