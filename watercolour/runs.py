"""A run on disk: every path and every record of it.

    runs/NAME/  run.json  config.yaml  config.resolved.json  metrics.jsonl  rollouts/step-00010.jsonl
                eval.jsonl  eval/step-00010.jsonl  before-after.png
                renders.jsonl  images/ab/SHA256.png  checkpoints/  log.txt  replays/judge-led.jsonl

One process writes a run at a time; anyone may read it meanwhile, and after a crash at any instant.
"""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import fcntl
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from watercolour.errors import ConfigError, InfraError
from watercolour.files import append_line, cannot_write, cut_torn_tail, encode, plain, read_lines, write_whole

if TYPE_CHECKING:
    from types import TracebackType

    from watercolour.config import RunConfig
    from watercolour.drift import Change
    from watercolour.painting import Painting
    from watercolour.reward.base import Score
    from watercolour.run_facts import RunFacts

RUNS = Path("runs")
LOCK = ".lock"

Status = Literal["running", "finished", "interrupted", "failed"]


@dataclass(frozen=True)
class TermRecord:
    """What one term said about one rollout; `value` is None where it could not be scored."""

    value: float | None
    weight: float
    why: str
    parts: dict[str, Any] = field(default_factory=dict)


def term_records(scores: Mapping[str, Score], weights: Mapping[str, float]) -> dict[str, TermRecord]:
    """A reward's scores as they are written down."""
    return {
        name: TermRecord(score.value, weights[name], score.why, dict(score.parts)) for name, score in scores.items()
    }


@dataclass(frozen=True)
class RolloutRecord:
    """One reply of the policy and all that came of it."""

    step: int
    index: int
    """Place in the step's group, from 0."""
    subject: str
    """What the prompt asked for."""
    completion: str
    """The reply, whole."""
    source: str
    """The sketch found in it, or an empty text."""
    outcome: str
    """A RenderOutcome's value."""
    errors: tuple[str, ...]
    coverage: float | None
    """Share of painted pixels, 0..1; None where there is no picture."""
    painting: str | None
    """SHA-256 of the picture's pixels: its name among the run's images."""
    seconds: float
    """Wall time of the render."""
    terms: dict[str, TermRecord]
    reward: float | None
    """None where a term could not be scored: the rollout then teaches nothing."""
    tokens: int
    """Length of the reply in the policy's tokens."""
    truncated: bool
    """The reply was cut at the token limit."""
    skipped: tuple[str, ...] = ()
    """Terms that were not asked, since the gate had decided already: the reward is a real 0."""
    measures: dict[str, Any] = field(default_factory=dict)
    """What else was measured while it was painted, so that it can be scored again without painting it again."""

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> RolloutRecord:
        """A rollout from a line of rollouts/; fields that this version does not know are left out.

        Raises TypeError, KeyError or AttributeError where one is missing or misshapen.
        """
        known = _known_fields(cls, record)
        terms = {name: TermRecord(**_known_fields(TermRecord, term)) for name, term in known["terms"].items()}
        lists = {name: tuple(known[name]) for name in ("errors", "skipped") if name in known}
        return cls(**known | lists | {"terms": terms})


class RunDir:
    """A run's folder. `create` and `resume` take it for writing, until `close` or the end of the process; `open` reads.

    Every method that writes raises InfraError when the disk will not take it.
    """

    def __init__(self, path: Path, lock: int | None = None) -> None:
        self.path = path
        self._lock = lock

    @classmethod
    def create(
        cls, path: Path | None, config: RunConfig, given_yaml: str, facts: RunFacts, *, root: Path = RUNS
    ) -> RunDir:
        """Start a run in a new or empty folder; without a `path`, in the first free ROOT/CONFIG-N.

        `given_yaml` is the configuration's text as it was read. Raises ConfigError where the folder cannot be made or
        holds something.
        """
        try:
            path, lock = _free_folder(root, config.name) if path is None else _empty_folder(path)
            run = cls(path, lock)
            for folder in (run.rollouts_dir, run.images, run.checkpoints):
                folder.mkdir()
        except OSError as error:
            raise ConfigError(f"{path or root}: cannot be made: {error.strerror}; choose another --name") from None
        write_whole(run.path / "config.yaml", given_yaml.encode("utf-8", "surrogatepass"))
        run._write_config(config)
        run._write_facts({**vars(facts), "status": "running", "started_at": _now(), "ended_at": None})
        return run

    @classmethod
    def open(cls, name: str | Path, *, root: Path = RUNS) -> RunDir:
        """A run to read: a folder as given, or a name under `root`. Raises ConfigError when there is none."""
        for path in (Path(name), root / name):
            if os.path.isfile(path / "run.json"):
                return cls(path)
        names = sorted(path.parent.name for path in root.glob("*/run.json"))
        near = difflib.get_close_matches(Path(name).name, names, n=1)
        hint = f", did you mean {near[0]!r}?" if near else ""
        raise ConfigError(f"no run {str(name)!r}{hint} (under {root}: {', '.join(names) or 'none'})")

    @classmethod
    def resume(cls, name: str | Path, *, root: Path = RUNS) -> RunDir:
        """A run to go on writing, torn last lines cut off. Raises ConfigError where another process writes it."""
        run = cls.open(name, root=root)
        run._lock = take_lock(run.path)
        for path in (run.metrics_path, run.eval_path, run.renders_path):
            cut_torn_tail(path)
        return run

    @property
    def metrics_path(self) -> Path:
        return self.path / "metrics.jsonl"

    @property
    def rollouts_dir(self) -> Path:
        return self.path / "rollouts"

    @property
    def eval_path(self) -> Path:
        """The evaluations' summaries, one line each; one that has a line here is whole."""
        return self.path / "eval.jsonl"

    @property
    def eval_dir(self) -> Path:
        return self.path / "eval"

    @property
    def before_after(self) -> Path:
        """The sheet of the first evaluation's paintings beside the last one's."""
        return self.path / "before-after.png"

    @property
    def renders_path(self) -> Path:
        """The index of what was painted, by what decides a painting."""
        return self.path / "renders.jsonl"

    @property
    def images(self) -> Path:
        return self.path / "images"

    @property
    def checkpoints(self) -> Path:
        return self.path / "checkpoints"

    @property
    def init_adapter(self) -> Path:
        """The run's own copy of the adapter it starts from, if it starts from one."""
        return self.path / "init-adapter"

    def last_checkpoint(self) -> Path | None:
        """The newest of checkpoints/checkpoint-N that was written whole, or None."""
        whole = [path for path in self.checkpoints.glob("checkpoint-*") if (path / "trainer_state.json").is_file()]
        return max(whole, key=lambda path: int(path.name.rpartition("-")[2]), default=None)

    @property
    def replays(self) -> Path:
        return self.path / "replays"

    @property
    def log_path(self) -> Path:
        return self.path / "log.txt"

    def image_path(self, sha256: str) -> Path:
        """Where the picture of that name lies. Raises ValueError for what is no SHA-256 in hexadecimal."""
        if not re.fullmatch(r"[0-9a-f]{64}", sha256):
            raise ValueError(f"not a painting's name: {sha256!r}")
        return self.images / sha256[:2] / f"{sha256}.png"

    def facts(self) -> dict[str, Any]:
        """What run.json holds. Raises InfraError when it cannot be read."""
        return _read_json(self.path / "run.json")

    def resolved_config(self) -> dict[str, Any]:
        """Every setting that the run was started with. Raises InfraError when it cannot be read."""
        return _read_json(self.path / "config.resolved.json")

    def set_status(self, status: Status) -> None:
        """Note in run.json how the run stands; all but `running` note the time it ended too."""
        self._write_facts({**self.facts(), "status": status, "ended_at": None if status == "running" else _now()})

    def set_policy_class(self, name: str) -> None:
        """Note the class that the adapter was trained on: loaded through another one it binds nothing."""
        self._write_facts({**self.facts(), "policy_class": name})

    def change_config(self, config: RunConfig, changes: Sequence[Change], renderer: Mapping[str, Any]) -> None:
        """Go on with another configuration; run.json keeps what was changed, when, and after which checkpoint.

        `renderer` is what paints from now on, as in RunFacts.
        """
        last = self.last_checkpoint()
        noted = {"at": _now(), "after_checkpoint": last.name if last else None}
        facts = self.facts()
        noted_before = facts.get("config_changes") or []
        all_noted = [*noted_before, *({**noted, **vars(each)} for each in changes)]
        self._write_facts({**facts, "renderer": dict(renderer), "config_changes": all_noted})
        self._write_config(config)

    def write_step(self, step: int, metrics: Mapping[str, Any]) -> None:
        """Append a step's metrics; a step written again (after a resume) replaces its earlier line for readers."""
        append_line(self.metrics_path, {**metrics, "step": step})

    def metrics(self) -> list[dict[str, Any]]:
        """One record a step, by step, the latest where a step was written again. Raises InfraError."""
        return _by_step(self.metrics_path)

    def write_rollouts(self, step: int, rollouts: Iterable[RolloutRecord]) -> None:
        """Write a step's rollouts as one file, whole, in place of what the step had."""
        write_whole(_step_path(self.rollouts_dir, step), _lines(rollouts))

    def rollouts(self, step: int | None = None) -> list[RolloutRecord]:
        """A step's rollouts, or those of all steps in order; none where none were written. Raises InfraError."""
        paths = (
            sorted(self.rollouts_dir.glob("step-*.jsonl")) if step is None else [_step_path(self.rollouts_dir, step)]
        )
        return [rollout for path in paths for rollout in read_rollouts(path)]

    def write_eval(self, step: int, rollouts: Iterable[RolloutRecord], summary: Mapping[str, Any]) -> None:
        """Write an evaluation down: its rollouts as one file, then its line, without which it counts as not made."""
        try:
            self.eval_dir.mkdir(exist_ok=True)
        except OSError as error:
            cannot_write(self.eval_dir, error)
        write_whole(_step_path(self.eval_dir, step), _lines(rollouts))
        append_line(self.eval_path, {**summary, "step": step})

    def evals(self) -> list[dict[str, Any]]:
        """The summaries of the whole evaluations, by step, 0 before the training. Raises InfraError."""
        return _by_step(self.eval_path)

    def eval_rollouts(self, step: int) -> list[RolloutRecord]:
        """An evaluation's rollouts; none where it was not made. Raises InfraError."""
        return read_rollouts(_step_path(self.eval_dir, step))

    def drop_evals_after(self, step: int) -> None:
        """Forget the evaluations of later steps, which a resumed run with other settings will not repeat as they were.

        Raises InfraError.
        """
        lines = [encode(record) + b"\n" for record in self.evals() if record["step"] <= step]
        if self.eval_path.exists():
            write_whole(self.eval_path, b"".join(lines))

    def add_image(self, painting: Painting) -> str | None:
        """Keep a painting's picture; its path relative to the run, or None when it has no picture."""
        name = painting.sha256
        if name is None:
            return None
        path = self.image_path(name)
        if not path.exists():
            try:
                path.parent.mkdir(exist_ok=True)
            except OSError as error:
                cannot_write(path, error)
            write_whole(path, painting.png())
        return path.relative_to(self.path).as_posix()

    def log(self, message: str) -> None:
        """Append a line to log.txt with the time before it."""
        try:
            with self.log_path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(f"{_now()} {message}\n")
        except OSError as error:
            cannot_write(self.log_path, error)

    def close(self) -> None:
        """Let go of the run, so that another process may write it."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> RunDir:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _write_config(self, config: RunConfig) -> None:
        resolved = json.dumps(config.resolved(), indent=2, ensure_ascii=False, allow_nan=False)
        write_whole(self.path / "config.resolved.json", resolved.encode() + b"\n")

    def _write_facts(self, facts: Mapping[str, Any]) -> None:
        write_whole(self.path / "run.json", json.dumps(plain(facts), indent=2, allow_nan=False).encode() + b"\n")


def _step_path(folder: Path, step: int) -> Path:
    return folder / f"step-{step:05d}.jsonl"


def _lines(rollouts: Iterable[RolloutRecord]) -> bytes:
    return b"".join(encode(vars(rollout)) + b"\n" for rollout in rollouts)


def _by_step(path: Path) -> list[dict[str, Any]]:
    """The records of a file that has one a step, by step, the latest of each. Raises InfraError."""
    by_step: dict[int, dict[str, Any]] = {}
    for number, record in enumerate(read_lines(path), 1):
        if not isinstance(step := record.get("step"), int):
            raise InfraError(f"no whole number as step: mend or delete this line ({path}:{number})")
        by_step[step] = record
    return [by_step[step] for step in sorted(by_step)]


def read_rollouts(path: Path) -> list[RolloutRecord]:
    """The rollouts of a JSON Lines file such as rollouts/step-00010.jsonl. Raises InfraError, naming the line."""
    found = []
    for number, record in enumerate(read_lines(path), 1):
        try:
            found.append(RolloutRecord.from_record(record))
        except (TypeError, KeyError, AttributeError) as error:
            raise InfraError(f"not a rollout: {error} ({path}:{number})") from None
    return found


def _known_fields(cls: type, record: Mapping[str, Any]) -> dict[str, Any]:
    return {item.name: record[item.name] for item in dataclasses.fields(cls) if item.name in record}


def _free_folder(root: Path, name: str) -> tuple[Path, int]:
    """The first ROOT/NAME-N that nobody has, made and locked."""
    root.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        path = root / f"{name}-{number}"
        try:
            path.mkdir()
        except FileExistsError:
            number += 1
        else:
            return path, take_lock(path)


def _empty_folder(path: Path) -> tuple[Path, int]:
    """`path` as an empty folder of ours, locked."""
    path.mkdir(parents=True, exist_ok=True)
    _refuse_contents(path)
    lock = take_lock(path)
    try:
        _refuse_contents(path)  # another process may have started and ended between the two
    except ConfigError:
        os.close(lock)
        raise
    return path, lock


def _refuse_contents(path: Path) -> None:
    if any(item.name != LOCK for item in path.iterdir()):
        raise ConfigError(f"{path}: already holds a run or other files; choose another --name")


def take_lock(path: Path, otherwise: str = ", or choose another --name") -> int:
    """The descriptor that holds a folder's lock; the kernel frees it when the process ends, however it ends.

    Raises ConfigError, ending in `otherwise`, where another process holds it.
    """
    try:
        lock = os.open(path / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be locked: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        busy = isinstance(error, BlockingIOError)
        reason = "another process is writing this run: wait until it ends" if busy else f"no lock: {error.strerror}"
        raise ConfigError(f"{path}: {reason}{otherwise}") from None
    return lock


def _read_json(path: Path) -> dict[str, Any]:
    with contextlib.suppress(OSError, ValueError):
        data = json.loads(path.read_bytes())
        if isinstance(data, dict):
            return data
    raise InfraError(f"{path}: cannot be read as a JSON object")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
