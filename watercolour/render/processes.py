"""The processes of a group, as Linux shows them in /proc: what they have used, and whether they live."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Process:
    """One process. `state` is Linux's letter (Z for a zombie), `cpu_s` includes the children that it reaped."""

    pid: int
    parent: int
    name: str
    state: str
    cpu_s: float
    rss_bytes: int


def group_members(group: int) -> list[Process]:
    """The processes of a process group, zombies included; none where there is no /proc."""
    return [process for process, its_group in _all() if its_group == group]


def descendants(root: int) -> list[Process]:
    """A process's children, their children and so on, zombies included; none where there is no /proc."""
    found, parents = [], {root}
    everyone = [process for process, _ in _all()]
    while parents:
        children = [process for process in everyone if process.parent in parents]
        found += children
        parents = {process.pid for process in children}
    return found


def group_cpu_s(group: int) -> float | None:
    """CPU seconds, user and system, that a process group has used; None where that cannot be told."""
    if not sys.platform.startswith("linux"):
        return None
    return sum(process.cpu_s for process in group_members(group))


def own_rss_bytes() -> int:
    """This process's resident memory; 0 where there is no /proc."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _all() -> list[tuple[Process, int]]:
    ticks, page = (os.sysconf(name) for name in ("SC_CLK_TCK", "SC_PAGE_SIZE"))
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            head, _, rest = entry.read_text("utf-8", "replace").rpartition(")")
            fields = rest.split()  # from the third of proc(5), the state, on
            process = Process(
                pid=int(entry.parent.name),
                parent=int(fields[1]),
                name=head.partition("(")[2],
                state=fields[0],
                cpu_s=sum(map(int, fields[11:15])) / ticks,
                rss_bytes=int(fields[21]) * page,
            )
            found.append((process, int(fields[2])))
    return found
