"""A gallery's folder: pictures, a page, and its data, written so that a run which goes on costs only what is new.

    index.html  wall.html  wall.png  small/ab/NAME.webp  large/ab/NAME.webp  films/NAME.mp4
    data/works.js      what the wall shows of every painting, as columns
    data/NAME-0001.js  what is shown when a painting is opened: source, terms and reasons; some 100 paintings a file
    data/revision.js   a number that changes whenever the others do, asked for by a page that is live

A page that was opened from disk may not `fetch()`, so the data lies in scripts, each one call with a JSON text.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from watercolour.errors import ConfigError
from watercolour.files import cannot_write, encode, write_whole
from watercolour.show.gallery.facts import Collection, Stamp, Work
from watercolour.show.gallery.page import index_html
from watercolour.show.gallery.pictures import FOLDERS, make_pictures, missing_pictures

CHUNK_WORKS = 96
"""Once a file of details holds so many works it takes no more steps."""
MAX_NOTES = 20
MARK = ".watercolour-gallery"
"""Says that a folder is ours, and that what nobody needs in it may be removed."""

Progress = Callable[[int], Callable[[], None]]
"""Told how many pictures are to be made; what it gives back is called after each."""


@dataclass
class Chunk:
    """Some consecutive files of a collection, whose details lie in one script."""

    name: str
    stamps: dict[Path, Stamp]
    works: list[Work] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    revision: str = ""


class Gallery:
    """The gallery of some collections in a folder; `update` brings it up to date."""

    def __init__(self, folder: Path, collections: Sequence[Collection]) -> None:
        """Raises ConfigError where the folder cannot be made, or holds something other than a gallery."""
        self.folder = folder
        self.collections = tuple(collections)
        self._chunks: list[list[Chunk]] = [[] for _ in collections]
        self._without_picture: set[str] = set()
        self._revision = 0
        self._written = b""
        _take_folder(folder)

    @property
    def index(self) -> Path:
        """The page to open."""
        return self.folder / "index.html"

    def works(self) -> list[tuple[int, Work]]:
        """All works with the number of their collection, in order."""
        return [
            (number, work) for number, chunks in enumerate(self._chunks) for chunk in chunks for work in chunk.works
        ]

    def films(self) -> list[str]:
        """The names of the paintings whose film is in the gallery."""
        return sorted(path.stem for path in (self.folder / "films").glob("*.mp4"))

    def has_picture(self, work: Work) -> bool:
        """Whether its picture is in the gallery."""
        return work.painting is not None and work.painting not in self._without_picture

    def update(self, progress: Progress | None = None, *, live: bool = False) -> int:
        """Read what is new or changed, make its pictures, write its data; how many works there are now.

        `live` tells the page to look for more. Raises InfraError when the folder cannot be written.
        """
        changed = [chunk for number in range(len(self.collections)) for chunk in self._read(number)]
        try:
            self._make_pictures(changed, progress)
        except OSError as error:
            cannot_write(self.folder, error)
        for chunk in changed:
            self._write_script(chunk.name, {"works": [work.detail for work in chunk.works]})
        self._publish(live=live)
        return sum(len(chunk.works) for chunks in self._chunks for chunk in chunks)

    def sweep(self) -> None:
        """Remove data and pictures that nothing here shows any more."""
        scripts = {"works", "revision", *(chunk.name for chunks in self._chunks for chunk in chunks)}
        for path in (self.folder / "data").glob("*.js"):
            if path.stem not in scripts:
                path.unlink(missing_ok=True)
        shown = {work.painting for _, work in self.works()} | set(self._faced())
        for kind in (*FOLDERS, "films"):
            for path in (self.folder / kind).rglob("*.*"):
                if path.is_file() and path.stem not in shown:
                    path.unlink(missing_ok=True)

    def _read(self, number: int) -> list[Chunk]:
        """The collection's chunks that had to be read, since a file is new or has changed."""
        collection, chunks = self.collections[number], self._chunks[number]
        files = collection.files()
        known = [path for chunk in chunks for path in chunk.stamps]
        if known != list(files)[: len(known)]:  # a file is gone, or has come between others
            chunks.clear()
            known = []
        changed: list[Chunk] = []
        for chunk in chunks:
            stamps = {path: files[path] for path in chunk.stamps}
            if stamps != chunk.stamps:
                chunk.stamps = stamps
                changed.append(chunk)
                self._load(collection, chunk)
        for path in list(files)[len(known) :]:
            if not chunks or len(chunks[-1].works) >= CHUNK_WORKS:
                chunks.append(Chunk(f"{number}-{len(chunks):04d}", {}))
            chunk = chunks[-1]
            chunk.stamps[path] = files[path]
            reading = collection.read(path)
            chunk.works += reading.works
            chunk.notes += reading.notes
            if chunk not in changed:
                chunk.revision = self._next()
                changed.append(chunk)
        return changed

    def _load(self, collection: Collection, chunk: Chunk) -> None:
        readings = [collection.read(path) for path in chunk.stamps]
        chunk.works = [work for reading in readings for work in reading.works]
        chunk.notes = [note for reading in readings for note in reading.notes]
        chunk.revision = self._next()

    def _make_pictures(self, changed: Sequence[Chunk], progress: Progress | None) -> None:
        wanted = {
            work.painting: work.picture
            for chunk in changed
            for work in chunk.works
            if work.painting is not None and work.picture is not None
        } | self._faced()
        missing = missing_pictures(self.folder, wanted)
        advance = progress(len(missing)) if progress and missing else lambda: None
        self._without_picture -= set(wanted)
        self._without_picture |= make_pictures(self.folder, missing, on_done=advance)

    def _faced(self) -> dict[str, Path]:
        """The pictures, by name, of the references that somebody was compared with."""
        found = (reference for references in self._references() for reference in references.values())
        return dict(found)

    def _references(self) -> list[dict[str, tuple[str, Path]]]:
        """For each collection the name and the file of each reference that was faced in it."""
        tables = []
        for collection, chunks in zip(self.collections, self._chunks, strict=True):
            keys = sorted({key for chunk in chunks for work in chunk.works for key in work.faced})
            found = {key: collection.reference(key) for key in keys}
            tables.append({key: reference for key, reference in found.items() if reference})
        return tables

    def _publish(self, *, live: bool) -> None:
        """Write the page's data, the revision last, unless all is as it was."""
        data = {**self._columns(), "live": live}
        encoded = encode(data)
        if encoded != self._written:
            self._written = encoded
            stamp = {"revision": self._next(), "live": live}
            self._write_script("works", data | stamp)
            self._write_script("revision", stamp)
            self._revision += 1
        if not self.index.exists() or self._revision == 1:
            write_whole(self.index, index_html().encode())

    def _next(self) -> str:
        """The revision that is being made; no other process's is equal to it."""
        return f"{os.getpid()}-{self._revision + 1}"

    def _write_script(self, name: str, data: dict[str, Any]) -> None:
        write_whole(self.folder / "data" / f"{name}.js", script(name, data))

    def _columns(self) -> dict[str, Any]:
        """What the wall shows of every work: a list a fact, so that 10,000 works take a megabyte."""
        works = self.works()
        paintings = _Table()
        words = {name: _Table() for name in ("subject", "outcome", "tier")}
        terms = _ordered({name for _, work in works for name in work.values})
        places = [
            (place, row)
            for place, chunk in enumerate(chunk for chunks in self._chunks for chunk in chunks)
            for row in range(len(chunk.works))
        ]
        return {
            "collections": [collection.about() for collection in self.collections],
            "notes": [note for chunks in self._chunks for chunk in chunks for note in chunk.notes][:MAX_NOTES],
            "works": {
                "collection": [number for number, _ in works],
                "step": [work.step for _, work in works],
                "index": [work.index for _, work in works],
                "name": [work.name for _, work in works] if any(work.name for _, work in works) else None,
                "reward": [_short(work.reward) for _, work in works],
                "coverage": [_short(work.coverage) for _, work in works],
                "tokens": [work.tokens for _, work in works],
                **{name: [table.number(getattr(work, name)) for _, work in works] for name, table in words.items()},
                "painting": [paintings.number(work.painting) if self.has_picture(work) else -1 for _, work in works],
                "chunk": [place for place, _ in places],
                "row": [row for _, row in places],
            },
            "terms": {name: [_short(work.values.get(name)) for _, work in works] for name in terms},
            "words": {name: table.words for name, table in words.items()},
            "paintings": paintings.words,
            "films": self.films(),
            "references": [
                {key: name for key, (name, _) in table.items() if name not in self._without_picture}
                for table in self._references()
            ],
            "chunks": [[chunk.name, chunk.revision] for chunks in self._chunks for chunk in chunks],
        }


def script(name: str, data: dict[str, Any]) -> bytes:
    """A script that hands `data` to the page. A JSON text rather than an object, whose __proto__ would be no name."""
    try:
        text = json.dumps(data, allow_nan=False)
    except ValueError:  # a number that is not finite; `encode` mends that, and takes five times as long
        text = encode(data).decode("ascii")
    return f"gallery({json.dumps(name)}, {json.dumps(text)});\n".encode("ascii")


class _Table:
    """Words, each once, and their numbers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, word: str | None) -> int:
        return self._numbers.setdefault(word or "", len(self._numbers))

    @property
    def words(self) -> list[str]:
        return list(self._numbers)


def _ordered(names: set[str]) -> list[str]:
    """Terms by name, the gate and the length first: they are in every mix."""
    first = [name for name in ("gate", "length") if name in names]
    return first + sorted(names - set(first))


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _take_folder(folder: Path) -> None:
    try:
        if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
            raise ConfigError(f"{folder}: holds other files than a gallery's; choose another place with -o")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MARK).touch()
        (folder / "data").mkdir(exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be made ({error.strerror}); choose another place with -o") from None
