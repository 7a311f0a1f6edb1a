"""Every round of every painting: what came of it, with its picture and its source, whether it was chosen or not.

FOLDER/attempts.jsonl  one line a round     FOLDER/rounds/ID-0.js, ID-0.png, ID-1.js, ...
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from watercolour.errors import ConfigError
from watercolour.files import append_line, cannot_write, cut_torn_tail, read_lines, write_whole
from watercolour.painting import Painting

FILE_NAME = "attempts.jsonl"
ROUNDS = "rounds"


@dataclass(frozen=True)
class Attempt:
    """One round of one painting. `critique` are the words that asked for it, "" in round 0; `gate` is whether it passes
    the medium's gate and `why` in words; `sha256` names its picture, None where there is none; `usd` is what the reply
    and the words before it have cost."""

    id: str
    round: int
    generator: str
    critique: str
    outcome: str
    gate: bool
    why: str
    coverage: float
    sha256: str | None
    browser: str
    usd: float

    def source_path(self, folder: Path) -> Path:
        """Its program, empty where the reply held none."""
        return folder / ROUNDS / f"{self.id}-{self.round}.js"

    def picture_path(self, folder: Path) -> Path:
        """Its picture, where it has one."""
        return folder / ROUNDS / f"{self.id}-{self.round}.png"


class Attempts:
    """The attempts of one folder, by painting, in the order of their rounds."""

    def __init__(self, folder: Path) -> None:
        """Raises ConfigError, naming the line, for one that is misshapen."""
        self._folder = folder
        self._path = folder / FILE_NAME
        self._by_id: dict[str, list[Attempt]] = {}
        try:
            (folder / ROUNDS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            cannot_write(folder / ROUNDS, error)
        cut_torn_tail(self._path)
        for number, line in enumerate(read_lines(self._path), 1):
            self._note(_attempt(line, f"{self._path}:{number}"))

    def of(self, name: str) -> list[Attempt]:
        """A painting's attempts so far."""
        return self._by_id.get(name, [])

    def add(self, attempt: Attempt, source: str, painting: Painting) -> None:
        """Keep an attempt: its files first, its line last. Raises InfraError."""
        write_whole(attempt.source_path(self._folder), source.encode())
        if painting.pixels is not None:
            write_whole(attempt.picture_path(self._folder), painting.png())
        append_line(self._path, vars(attempt))
        self._note(attempt)

    def _note(self, attempt: Attempt) -> None:
        held = self._by_id.setdefault(attempt.id, [])
        if attempt.round == len(held):  # a line written twice would be of the same round
            held.append(attempt)


def _attempt(line: dict[str, Any], where: str) -> Attempt:
    names = [field.name for field in fields(Attempt)]
    if missing := [name for name in names if name not in line]:
        raise ConfigError(f"no attempt at a painting: lacks {', '.join(missing)} ({where})")
    return Attempt(**{name: line[name] for name in names})
