"""Answers kept on disk, so that no question is paid for twice: not in a resumed run, not when a run is scored again.

SQLite: an answer is there whole or not at all, and several processes may share the file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import sqlite3
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from watercolour.errors import InfraError
from watercolour.policy.cache import cache_dir

logger = logging.getLogger(__name__)

FILE_NAME = "answers.sqlite"
WAIT_S = 30.0
"""How long to wait for another process that is writing."""

_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, reply TEXT NOT NULL, unix_time REAL NOT NULL
) WITHOUT ROWID
"""


def question_key(model: str, prompt_sha256: str, image_px: int | None, picture_sha256s: Sequence[str]) -> str:
    """What an answer holds for: the model, every word asked, the size sent, and the pictures in their order."""
    parts = [model, prompt_sha256, image_px, list(picture_sha256s)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class AnswerCache:
    """Replies by the question's key. Writing goes on behind, in a thread, many answers at a time: a disk that is slow
    or full costs answers, never a run. Opened at the first use."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` None takes the user's cache."""
        self.path = (folder or cache_dir() / "judge") / FILE_NAME
        self._reader: sqlite3.Connection | None = None
        self._writer: ThreadPoolExecutor | None = None
        self._unsaved: dict[str, tuple[str, str, str, float]] = {}
        self._warned = False

    def get(self, key: str) -> str | None:
        """The reply, or None. Raises InfraError when the file is no cache or cannot be read."""
        if waiting := self._unsaved.get(key):
            return waiting[2]
        try:
            if self._reader is None:
                self._reader = self._connect()
            row = self._reader.execute("SELECT reply FROM answers WHERE key = ?", (key,)).fetchone()
        except (sqlite3.Error, OSError) as error:
            raise InfraError(f"{self.path}: cannot be used ({error}); delete it, or set another cache") from error
        return None if row is None else str(row[0])

    def put(self, key: str, model: str, reply: str) -> None:
        """Keep a reply; the first one stands. It can be got at once, and is on the disk after `close` at the latest."""
        self._unsaved.setdefault(key, (key, model, reply, time.time()))
        if self._writer is None:
            self._writer = ThreadPoolExecutor(1, thread_name_prefix="judge's answers")
        self._writer.submit(self._save)

    def close(self) -> None:
        """Write what is left and let go of the file; using the cache again opens it again."""
        if self._writer is not None:
            self._writer.shutdown(wait=True)
        if self._reader is not None:
            self._reader.close()
        self._reader = self._writer = None

    def _save(self) -> None:
        """Write all that waits, in one transaction."""
        batch = list(self._unsaved.values())
        if not batch:
            return
        try:
            with contextlib.closing(self._connect()) as connection, connection:
                connection.executemany("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)", batch)
        except (sqlite3.Error, OSError) as error:
            if not self._warned:
                logger.warning("%s: the judge's answers cannot be kept (%s)", self.path, error)
            self._warned = True
        for key, *_ in batch:
            del self._unsaved[key]

    def _connect(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.path, timeout=WAIT_S, check_same_thread=False)
        try:
            connection.execute(_TABLE)
        except sqlite3.Error:
            connection.close()
            raise
        return connection
