"""What can be rated: the paintings of a candidates folder, a pool, a run, or any folder of PNGs, as one list.

A painting's `id` is what its ratings name it by: the candidate's own, in a pool and a run the hash of its pixels, in a
plain folder its path in it. Every picture lies inside the folder, or the folder is refused.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from watercolour.errors import ConfigError, InfraError
from watercolour.files import read_lines
from watercolour.references import INDEX, Tier, read_pool
from watercolour.runs import RUNS, RunDir
from watercolour.shipped import find_pool

CANDIDATES = "candidates.jsonl"


@dataclass(frozen=True)
class Rateable:
    """One painting. `picture` exists and lies in the folder."""

    id: str
    picture: Path
    code: Callable[[], str] | None
    """Gives the JavaScript that painted it; None where that is not known."""
    subject: str
    """What was asked for; empty where that is not known."""
    tier: Tier | None = None
    """What the folder itself says of it, as a pool does."""
    sha256: str | None = None
    """The hash of its pixels, where the folder names it."""

    @property
    def key(self) -> str:
        """Names it in the page without telling who painted it: a model's name may be in its id."""
        return hashlib.blake2s(self.id.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


@dataclass(frozen=True)
class Gallery:
    """A folder and what in it can be rated, each painting once."""

    folder: Path
    paintings: list[Rateable]

    def __post_init__(self) -> None:
        if not self.paintings:
            raise ConfigError(f"{self.folder}: holds no painting to rate")

    def shuffled(self, seed: int, purpose: str = "") -> list[Rateable]:
        """In an order that `seed` decides; paintings that are added later leave the others' order as it was."""

        def place(painting: Rateable) -> bytes:
            return hashlib.blake2s(f"{seed}/{purpose}/{painting.id}".encode("utf-8", "surrogatepass")).digest()

        return sorted(self.paintings, key=place)


def find_rateable(name: str) -> Path:
    """The folder that `name` means: as given, a run's in runs/, or a pool. Raises ConfigError if there is none."""
    for path in (Path(name), RUNS / name):
        if os.path.isdir(path):
            return path
    return find_pool(name)


def read_gallery(folder: Path) -> Gallery:
    """The paintings of a folder, whichever of the four it is. Raises ConfigError or InfraError for faults in it."""
    for index, reader in ((CANDIDATES, _candidates), (INDEX, _pool), ("run.json", _run)):
        if os.path.isfile(folder / index):
            found = reader(folder)
            break
    else:
        found = _pictures(folder)
    return Gallery(folder, list({painting.id: painting for painting in found}.values()))


def _candidates(folder: Path) -> Iterable[Rateable]:
    for number, record in enumerate(read_lines(folder / CANDIDATES), 1):
        where = f"{folder / CANDIDATES}:{number}"
        name, image, source = record.get("id"), record.get("image"), record.get("source")
        if image is None:  # it was generated, and did not paint
            continue
        if not isinstance(name, str) or not isinstance(image, str):
            raise ConfigError(f"{where}: id and image must be texts")
        yield Rateable(
            id=name,
            picture=_inside(folder, image, where),
            code=_reader(_inside(folder, source, where)) if isinstance(source, str) else None,
            subject=_text(record, "subject"),
            sha256=_text(record, "sha256") or None,
        )


def _pool(folder: Path) -> Iterable[Rateable]:
    for reference in read_pool(folder):
        yield Rateable(
            id=reference.sha256,
            picture=reference.picture,
            code=reference.sketch,
            subject=reference.subject,
            tier=reference.tier,
            sha256=reference.sha256,
        )


def _run(folder: Path) -> Iterable[Rateable]:
    """Every different painting of a run; those whose picture was cleared away are left out."""
    run = RunDir(folder)
    for rollout in run.rollouts():
        if rollout.painting is None:
            continue
        try:
            picture = run.image_path(rollout.painting)
        except ValueError as error:
            raise ConfigError(f"{run.rollouts_dir}: step {rollout.step}: {error}") from None
        if picture.is_file():
            yield Rateable(
                id=rollout.painting,
                picture=picture,
                code=lambda text=rollout.source: text,  # type: ignore[misc]
                subject=rollout.subject,
                sha256=rollout.painting,
            )


def _pictures(folder: Path) -> Iterable[Rateable]:
    for picture in sorted(folder.rglob("*.png")):
        name = picture.relative_to(folder).as_posix()
        if any(part.startswith(".") for part in Path(name).parts) or not picture.is_file():
            continue
        source = Path(name).with_suffix(".js").as_posix()
        yield Rateable(
            id=name,
            picture=_inside(folder, name, str(folder)),
            code=_reader(_inside(folder, source, str(folder))) if (folder / source).is_file() else None,
            subject="",
        )


def _reader(path: Path) -> Callable[[], str]:
    """`path` is resolved; a link that is put in its place later is not followed."""

    def read() -> str:
        try:
            if path.resolve() != path:
                raise InfraError(f"{path}: leads elsewhere now")
            return path.read_text("utf-8", "replace")
        except OSError as error:
            raise InfraError(f"{path}: cannot be read: {error.strerror}") from None

    return read


def _text(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def _inside(folder: Path, name: str, where: str) -> Path:
    """A file of the folder. Raises ConfigError for a path that leads out of it, and for none."""
    try:
        path = (folder / name).resolve()
        is_file = path.is_file()
    except (OSError, ValueError) as error:
        raise ConfigError(f"{where}: {name[:80]!r} cannot be a file's name ({error})") from error
    if not path.is_relative_to(folder.resolve()):
        raise ConfigError(f"{where}: {name} lies outside the folder")
    if not is_file:
        raise ConfigError(f"{where}: {name} is missing")
    return path
