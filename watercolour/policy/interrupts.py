"""Ctrl-C, held back while something must not be left half done."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self


class HeldInterrupts:
    """Between `hold` and `release` a Ctrl-C is only noted; `release` then raises KeyboardInterrupt.

    As a context manager it drops what it noted instead: for clean-up that runs because of a first Ctrl-C. Does nothing
    outside the main thread, which gets no signals.
    """

    def __init__(self) -> None:
        self._previous: Any = None
        self._noted = False
        self._held = False

    def hold(self) -> None:
        """Start holding back."""
        if not self._held and threading.current_thread() is threading.main_thread():
            self._previous = signal.signal(signal.SIGINT, self._note)
            self._held = True

    def release(self) -> None:
        """Let interrupts through again; raises KeyboardInterrupt when there was one."""
        if self.drop():
            raise KeyboardInterrupt

    def drop(self) -> bool:
        """Let interrupts through again and forget the one noted; says whether there was one."""
        noted, self._noted = self._noted, False
        if self._held:
            signal.signal(signal.SIGINT, self._previous)
            self._held = False
        return noted

    def __enter__(self) -> Self:
        self.hold()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.drop()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._noted = True
