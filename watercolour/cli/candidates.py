"""From the paths on the command line to what is scored: sketches, replies, pictures, folders of them, and runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from watercolour.cli.inputs import PICTURE_SUFFIXES, SKETCH_SUFFIXES, read_text
from watercolour.errors import ConfigError, InfraError

if TYPE_CHECKING:
    from watercolour.runs import RolloutRecord, RunDir
    from watercolour.scoring import Candidate, CandidateGroup

ROLLOUTS_SUFFIX = ".jsonl"


@dataclass(frozen=True)
class Rollouts:
    """Rollouts that were named on the command line, and the run they are of, where one holds them."""

    name: str
    records: tuple[RolloutRecord, ...]
    run: RunDir | None


@dataclass(frozen=True)
class Given:
    """What the command line named: files, by name, and rollouts."""

    files: tuple[str, ...]
    rollouts: tuple[Rollouts, ...]

    @property
    def only_run(self) -> RunDir | None:
        """The run that everything is of, if it is one."""
        runs = {rollouts.run.path.resolve(): rollouts.run for rollouts in self.rollouts if rollouts.run}
        whole = not self.files and all(rollouts.run for rollouts in self.rollouts)
        return next(iter(runs.values())) if whole and len(runs) == 1 else None


def read_given(names: Sequence[str]) -> Given:
    """Everything that the paths mean. Raises ConfigError for one that is nothing that can be scored."""
    files: list[str] = []
    rollouts: list[Rollouts] = []
    for name in names:
        found = _rollouts(name)
        if found is None:
            files += expand(name)
        else:
            rollouts.append(found)
    return Given(tuple(files), tuple(rollouts))


def candidate_groups(given: Given) -> list[CandidateGroup]:
    """Files in groups of a few, rollouts by their step. Raises ConfigError for a file that cannot be read."""
    from watercolour.replay import candidate_of
    from watercolour.scoring import CandidateGroup, in_groups

    groups = in_groups([_candidate(name) for name in given.files])
    for rollouts in given.rollouts:
        steps: dict[int, list[RolloutRecord]] = {}
        for record in rollouts.records:
            steps.setdefault(record.step, []).append(record)
        for step, records in steps.items():
            candidates = tuple(
                candidate_of(rollouts.run, record, f"{rollouts.name} step {step} rollout {record.index}")
                for record in records
            )
            groups.append(CandidateGroup(candidates, step=step, subject=records[0].subject))
    return groups


def expand(name: str) -> list[str]:
    """A folder's sketches and pictures, or the name itself. A picture beside its own sketch is not taken twice.

    Raises ConfigError for what is not there, and for what is neither a sketch nor a picture.
    """
    path = Path(name)
    if name == "-":
        return [name]
    try:
        if not path.is_dir():
            if not path.exists():
                raise ConfigError(f"{name}: no such file or folder")
            if path.suffix.lower() not in SKETCH_SUFFIXES + PICTURE_SUFFIXES:
                raise ConfigError(
                    f"{name}: neither a sketch ({', '.join(SKETCH_SUFFIXES)}) nor a picture, nor a run's rollouts"
                    f" ({ROLLOUTS_SUFFIX})"
                )
            return [name]
    except OSError as error:  # a name that is too long
        raise ConfigError(f"{name}: cannot be read ({error.strerror})") from error
    files = sorted(file for file in path.rglob("*") if file.is_file())
    sketches = [file for file in files if file.suffix in (".js", ".mjs")]
    stems = {file.with_suffix("") for file in sketches}
    pictures = [file for file in files if file.suffix.lower() in PICTURE_SUFFIXES and file.with_suffix("") not in stems]
    if not sketches and not pictures:
        raise ConfigError(f"{name}: holds no sketches (.js) and no pictures ({', '.join(PICTURE_SUFFIXES)})")
    return [str(file) for file in sorted(sketches + pictures)]


def _candidate(name: str) -> Candidate:
    from watercolour.scoring import Candidate

    if Path(name).suffix.lower() in PICTURE_SUFFIXES:
        _check_picture(name)
        return Candidate(name, picture=Path(name))
    return Candidate(name, reply=read_text(name))


def _check_picture(name: str) -> None:
    """Whether it looks whole, before hours of scoring others; its pixels are read when it is its turn."""
    import warnings

    from PIL import Image

    try:
        with warnings.catch_warnings(action="ignore"), Image.open(name) as image:
            image.verify()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ConfigError(f"{name}: not a readable picture ({error})") from error


def _rollouts(name: str) -> Rollouts | None:
    """The rollouts that a name means: a run's folder, or a JSON Lines file. None for any other name.

    Raises ConfigError where there are none in it, or what is in it are no rollouts.
    """
    path = Path(name)
    is_file = path.suffix == ROLLOUTS_SUFFIX and os.path.isfile(path)
    if not is_file and not os.path.isfile(path / "run.json"):
        return None
    from watercolour.runs import RunDir, read_rollouts

    run = RunDir(path.parent.parent) if is_file else RunDir(path)
    try:
        records = tuple(read_rollouts(path) if is_file else run.rollouts())
    except InfraError as error:
        raise ConfigError(str(error)) from None
    if not records:
        raise ConfigError(f"{name}: holds no rollouts")
    for number, record in enumerate(records, 1):
        if not _is_whole(record):
            raise ConfigError(f"{name}: rollout {number} is misshapen: its fields are not of a rollout's types")
    return Rollouts(name.rstrip("/"), records, run if os.path.isfile(run.path / "run.json") else None)


def _is_whole(record: RolloutRecord) -> bool:
    """Whether what a person's file gives as a rollout has the types that scoring relies on."""
    return (
        isinstance(record.step, int)
        and isinstance(record.completion, str)
        and isinstance(record.subject, str)
        and isinstance(record.painting, str | None)
        and isinstance(record.coverage, int | float | None)
        and isinstance(record.measures, dict)
        and all(isinstance(error, str) for error in record.errors)
    )
