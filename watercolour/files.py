"""Files that survive a crash: a whole file appears at once or not at all, JSON Lines lose at most the last line."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import json
import math
import os
import threading
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, NoReturn

from watercolour.errors import FatalInfraError, InfraError


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that `path` holds either its old contents or all of the new. Raises InfraError."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
    except OSError as error:
        cannot_write(path, error)


def sync_folder(folder: Path) -> None:
    """Make the folder's list of names durable. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def publish_folder(scratch: Path, final: Path) -> None:
    """Give a finished folder its name, once all that is in it is on the disk; `final` may be an empty folder.

    Raises OSError.
    """
    for path in (*scratch.rglob("*"), scratch):
        if path.is_dir():
            sync_folder(path)
        else:
            with path.open("rb") as file:
                os.fsync(file.fileno())
    scratch.rename(final)
    sync_folder(final.parent)


def append_line(path: Path, record: Mapping[str, Any]) -> None:
    """Append a record to a JSON Lines file and wait for the disk; a line that fails part-way is taken back.

    Raises InfraError.
    """
    append_lines(path, [record])


def append_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """`append_line` for several at once: a crash may leave the first few of them, a full disk none."""
    line = b"".join(encode(record) + b"\n" for record in records)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            size = os.fstat(descriptor).st_size
            try:
                while line:
                    line = line[os.write(descriptor, line) :]
                os.fsync(descriptor)
            except OSError:
                with contextlib.suppress(OSError):
                    os.ftruncate(descriptor, size)
                raise
        finally:
            os.close(descriptor)
        if size == 0:
            sync_folder(path.parent)
    except OSError as error:
        cannot_write(path, error)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The records of a JSON Lines file, none where there is no file; a last line torn by a crash is left out.

    Raises InfraError, naming the line, for one that is no JSON object elsewhere.
    """
    try:
        *lines, _unfinished = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InfraError(f"{path}: cannot be read: {error.strerror}") from None
    records = [_decode(line) for line in lines]
    if records and records[-1] is None:
        records.pop()
    for number, record in enumerate(records, 1):
        if record is None:
            raise InfraError(f"not a JSON object: mend or delete this line ({path}:{number})")
    return [record for record in records if record is not None]


def cut_torn_tail(path: Path) -> None:
    """Cut off a last line that a crash left unfinished, so that appending starts on a line of its own.

    Raises InfraError.
    """
    try:
        data = path.read_bytes()
        end = data.rfind(b"\n") + 1
        if end and _decode(data[data.rfind(b"\n", 0, end - 1) + 1 : end - 1]) is None:
            end = data.rfind(b"\n", 0, end - 1) + 1
        if end < len(data):
            with path.open("r+b") as file:
                file.truncate(end)
                os.fsync(file.fileno())
    except FileNotFoundError:
        return
    except OSError as error:
        cannot_write(path, error)


def encode(record: Mapping[str, Any]) -> bytes:
    """One record as ASCII JSON on one line; numbers that are not finite become null."""
    return json.dumps(plain(record), allow_nan=False).encode("ascii")


def plain(value: Any) -> Any:
    """`value` as JSON can hold it: NaN and infinities as None, enums as their value, arrays of one as numbers.

    Raises TypeError for anything else.
    """
    if isinstance(value, Enum):
        return plain(value.value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain(vars(value))
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "item"):  # a numpy or torch scalar
        return plain(value.item())
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def cannot_write(path: Path, error: OSError) -> NoReturn:
    """Raises FatalInfraError: one line on what failed, and what to do when the disk is full."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    fix = "; free some space and start again" if full else ""
    raise FatalInfraError(f"{path}: cannot be written: {error.strerror or error}{fix}") from error


def _decode(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None
