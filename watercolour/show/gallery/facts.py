"""What a gallery shows: the paintings of a run or a pool, read as they lie on the disk, also while a run goes on.

A run may be going on, or have ended anyhow: what cannot be read is left out and noted, never an error.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from watercolour.errors import ConfigError, WatercolourError
from watercolour.references import INDEX, Reference, read_reference
from watercolour.runs import RolloutRecord, RunDir
from watercolour.shipped import find_pool

MAX_REPLY_CHARS = 20_000
"""So much of a reply is shown where no sketch was found in it."""

Stamp = tuple[int, int]
"""A file's time of change in nanoseconds and its size in bytes: where both are as before, so is the file."""


@dataclass(frozen=True)
class Work:
    """One painting, or the place of one that did not come about.

    `step` is None in a pool, `name` is "" in a run. `picture` is its file, `painting` the name under which the gallery
    keeps it; both are None where nothing was painted. `values` are its terms' values. `detail` is what is shown only
    when it is opened.
    """

    step: int | None
    index: int
    name: str
    subject: str
    outcome: str
    tier: str
    reward: float | None
    coverage: float | None
    tokens: int | None
    painting: str | None
    picture: Path | None
    values: dict[str, float | None]
    detail: dict[str, Any]
    faced: tuple[str, ...] = ()
    """The references that it was compared with, as "TIER/NAME"."""


@dataclass
class Reading:
    """The works of one file, and a note on each of its lines that could not be read."""

    works: list[Work] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Collection(Protocol):
    """A run or a pool: files of works, in order."""

    name: str
    kind: str

    def files(self) -> dict[Path, Stamp]: ...
    def read(self, path: Path) -> Reading: ...
    def about(self) -> dict[str, Any]: ...
    def is_live(self) -> bool: ...
    def reference(self, key: str) -> tuple[str, Path] | None: ...


def open_collection(name: str) -> Collection:
    """A run (a folder, or a name under runs/) or a pool (a folder, or a name). Raises ConfigError for neither."""
    if os.path.isfile(Path(name, INDEX)):
        return PoolCollection(Path(name))
    try:
        return RunCollection(RunDir.open(name))
    except ConfigError as no_run:
        try:
            return PoolCollection(find_pool(name))
        except ConfigError as no_pool:
            raise ConfigError(f"{no_run}; {no_pool}") from None


class RunCollection:
    """A run's rollouts, a file a step."""

    kind = "run"

    def __init__(self, run: RunDir) -> None:
        self.run = run
        self.name = run.path.resolve().name
        self._config: dict[str, Any] = {}
        with contextlib.suppress(WatercolourError):
            self._config = run.resolved_config()
        self._references: dict[str, Reference] | None = None

    def files(self) -> dict[Path, Stamp]:
        """Each step's file, in order, with its stamp."""
        found = {}
        for path in sorted(self.run.rollouts_dir.glob("step-*.jsonl")):
            with contextlib.suppress(OSError):  # gone since it was listed
                found[path] = stamp_of(path)
        return found

    def read(self, path: Path) -> Reading:
        """The works of one step; a torn last line is left out, another that is no rollout is noted."""
        reading = Reading()
        for number, line, is_last in _lines(path):
            try:
                record = RolloutRecord.from_record(json.loads(line, parse_constant=lambda _: None))
                reading.works.append(self._work(record))
            except (ValueError, RecursionError, TypeError, KeyError, AttributeError) as error:
                if not is_last:
                    reading.notes.append(f"{path.name}:{number} is no rollout ({type(error).__name__})")
        return reading

    def about(self) -> dict[str, Any]:
        """What the page says of the run."""
        grpo = _mapping(self._config.get("grpo"))
        render = _mapping(self._config.get("render"))
        facts = self._facts()
        return {
            "name": self.name,
            "kind": self.kind,
            "status": str(facts.get("status", "unknown")),
            "started": facts.get("started_at"),
            "steps": grpo.get("steps"),
            "medium": self._config.get("medium"),
            "seed": render.get("seed", 1),
        }

    def is_live(self) -> bool:
        """Whether run.json says that the run goes on."""
        return self._facts().get("status") == "running"

    def reference(self, key: str) -> tuple[str, Path] | None:
        """Name and file of a reference's picture, for "TIER/NAME"; None where the pool or the painting is not there."""
        if self._references is None:
            self._references = {f"{each.tier.value}/{each.name}": each for each in self._pool()}
        found = self._references.get(key)
        return (short_name(found.sha256), found.picture) if found else None

    def _work(self, record: RolloutRecord) -> Work:
        picture = None
        if record.painting is not None:
            picture = self.run.image_path(record.painting)
        terms = {name: vars(term) for name, term in record.terms.items()}
        return Work(
            step=int(record.step),
            index=int(record.index),
            name="",
            subject=str(record.subject),
            outcome=str(record.outcome),
            tier="",
            reward=_number(record.reward),
            coverage=_number(record.coverage),
            tokens=record.tokens,
            painting=short_name(record.painting) if record.painting else None,
            picture=picture,
            values={name: _number(term.value) for name, term in record.terms.items()},
            detail={
                "source": str(record.source),
                "reply": "" if record.source else str(record.completion)[:MAX_REPLY_CHARS],
                "errors": [str(error) for error in record.errors],
                "terms": terms,
                "skipped": list(record.skipped),
                "truncated": bool(record.truncated),
                "seconds": _number(record.seconds),
                "sha256": record.painting,
            },
            faced=tuple(_faced(terms)),
        )

    def _facts(self) -> dict[str, Any]:
        with contextlib.suppress(WatercolourError):
            return self.run.facts()
        return {}

    def _pool(self) -> list[Reference]:
        from watercolour.medium import load_medium
        from watercolour.references import read_pool

        try:
            folder = self._config.get("pool") or load_medium(str(self._config.get("medium") or "hibiscus")).pool
            return read_pool(find_pool(str(folder)))
        except WatercolourError:
            return []


class PoolCollection:
    """A pool's references, in its order."""

    kind = "pool"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.resolve().name
        self._medium = self.name

    def files(self) -> dict[Path, Stamp]:
        """The pool's index alone."""
        path = self.folder / INDEX
        return {path: stamp_of(path)}

    def read(self, path: Path) -> Reading:
        """The works of the pool; a line that is wrong, or whose files are not there, is noted."""
        reading = Reading()
        for number, line, is_last in _lines(path):
            try:
                reference = read_reference(self.folder, line.decode("utf-8"), f"{path}:{number}")
                reading.works.append(self._work(len(reading.works), reference))
                self._medium = str(reference.facts.get("medium") or self.name)
            except (ConfigError, ValueError) as error:
                if not is_last:
                    reading.notes.append(str(error))
        return reading

    def about(self) -> dict[str, Any]:
        """What the page says of the pool."""
        return {
            "name": self.name,
            "kind": self.kind,
            "status": "",
            "started": None,
            "steps": None,
            "medium": self._medium,
            "seed": 1,
        }

    def is_live(self) -> bool:
        """Never: a pool does not grow by itself."""
        return False

    def reference(self, key: str) -> tuple[str, Path] | None:
        """A pool's paintings faced nobody."""
        return None

    def _work(self, index: int, reference: Reference) -> Work:
        try:
            source, errors = reference.sketch(), []
        except ConfigError as error:
            source, errors = "", [str(error)]
        shown = ("generator", "round", "licence", "photo_attribution", "photo_licence", "photo_url", "medium", "seed")
        mu = _number(reference.facts.get("hpsv3_mu"))
        return Work(
            step=None,
            index=index,
            name=reference.name,
            subject=reference.subject,
            outcome="ok",
            tier=reference.tier.value,
            reward=None,
            coverage=_number(reference.coverage),
            tokens=None,
            painting=short_name(reference.sha256),
            picture=reference.picture,
            values={} if mu is None else {"hpsv3_mu": mu},
            detail={
                "source": source,
                "reply": "",
                "errors": errors,
                "terms": {},
                "facts": {key: reference.facts[key] for key in shown if reference.facts.get(key) not in (None, "")},
                "sha256": reference.sha256,
            },
        )


def short_name(sha256: str) -> str:
    """A painting's name in the gallery: enough of its hash to tell it from any other."""
    name = sha256[:20].lower()
    if len(name) < 20 or not all(letter in "0123456789abcdef" for letter in name):
        raise ValueError(f"not a painting's name: {sha256[:80]!r}")
    return name


def stamp_of(path: Path) -> Stamp:
    """Raises OSError where there is no such file."""
    status = path.stat()
    return status.st_mtime_ns, status.st_size


def _lines(path: Path) -> Iterator[tuple[int, bytes, bool]]:
    """The lines that hold something, with their number, and whether it is the last: a crash may have torn that one."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return
    last = max((number for number, line in enumerate(lines, 1) if line.strip()), default=0)
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield number, line, number == last


def _faced(terms: dict[str, dict[str, Any]]) -> Iterator[str]:
    for term in terms.values():
        references = _mapping(term.get("parts")).get("references")
        for each in references if isinstance(references, list) else []:
            if isinstance(each, dict):
                yield f"{each.get('tier')}/{each.get('name')}"


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
