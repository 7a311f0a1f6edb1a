"""A gallery that keeps up with runs that go on: only new steps are read, only new pictures made."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Callable

from watercolour.runs import LOCK
from watercolour.show.gallery.build import Gallery, Progress
from watercolour.show.gallery.facts import Collection, RunCollection

LOOK_S = 2.0
"""How often the runs are looked at: a listing of their steps, and reading those that are new."""
QUIET_S = 60.0
"""After so long without anything new, whether a run that says it goes on has a process yet is asked."""


def watch(
    gallery: Gallery,
    *,
    progress: Progress | None = None,
    on_change: Callable[[int], None] = lambda _: None,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Bring the gallery up to date until every run has ended, or Ctrl-C; the page stops looking then.

    `on_change` is told the number of works whenever it has changed. Raises KeyboardInterrupt and InfraError.
    """
    count, changed_at = -1, clock()
    try:
        while True:
            # Asked first: a run that ends meanwhile has written its last step by then.
            goes_on = any(_goes_on(each, quiet_s=clock() - changed_at) for each in gallery.collections)
            now = gallery.update(progress, live=goes_on)
            if now != count:
                count, changed_at = now, clock()
                on_change(count)
            if not goes_on:
                return
            sleep(LOOK_S)
    finally:
        gallery.update(live=False)


def _goes_on(collection: Collection, *, quiet_s: float) -> bool:
    if not collection.is_live():
        return False
    # A run that was killed says "running" for ever. Not asked all the time: asking holds the lock for a moment.
    return quiet_s < QUIET_S or not isinstance(collection, RunCollection) or _is_written(collection)


def _is_written(collection: RunCollection) -> bool:
    """Whether a process holds the run for writing."""
    try:
        descriptor = os.open(collection.run.path / LOCK, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        with contextlib.suppress(OSError):
            os.close(descriptor)
    return False
