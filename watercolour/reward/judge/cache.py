"""Answers kept on disk, so that no question is paid for twice: not in a resumed run, not when a run is scored again.

SQLite: an answer is there whole or not at all, and several processes may share the file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import sqlite3
import threading
import time
from collections.abc import Sequence
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
    """Replies by the question's key. Opened at the first use; a write that fails costs the answer, not the run."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` None takes the user's cache."""
        self.path = (folder or cache_dir() / "judge") / FILE_NAME
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._warned = False

    def get(self, key: str) -> str | None:
        """The reply, or None. Raises InfraError when the file is no cache or cannot be read."""
        with self._lock:
            try:
                row = self._open().execute("SELECT reply FROM answers WHERE key = ?", (key,)).fetchone()
            except (sqlite3.Error, OSError) as error:
                raise InfraError(f"{self.path}: cannot be used ({error}); delete it, or set another cache") from error
        return None if row is None else str(row[0])

    def put(self, key: str, model: str, reply: str) -> None:
        """Keep a reply; the first one stands."""
        with self._lock:
            try:
                connection = self._open()
                with connection:
                    values = (key, model, reply, time.time())
                    connection.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)", values)
            except (sqlite3.Error, OSError) as error:
                if not self._warned:
                    logger.warning("%s: the judge's answers cannot be kept (%s)", self.path, error)
                self._warned = True

    def close(self) -> None:
        """Let go of the file; using the cache again opens it again."""
        with self._lock, contextlib.suppress(sqlite3.Error):
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=WAIT_S, check_same_thread=False)
            try:
                with connection:
                    connection.execute(_TABLE)
            except sqlite3.Error:
                connection.close()
                raise
            self._connection = connection
        return self._connection
