"""Work that several ask for at the same time is done once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class Flight(Generic[Value]):
    """Joins callers with the same key; the work is cancelled when nobody waits for it any longer."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[Value]] = {}
        self._waiting: dict[str, int] = {}

    async def join(self, key: str, work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        """The value of `work`, or of the same work that is under way. Raises what the work raises."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(work())
            self._waiting[key] = 0
        self._waiting[key] += 1
        try:
            return await asyncio.shield(task)
        finally:
            self._waiting[key] -= 1
            if self._waiting[key] == 0:
                del self._tasks[key], self._waiting[key]
                task.cancel()


class Begun(Generic[Value]):
    """Work begun before it is asked for, by what it is about."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[Value]] = {}

    def begin(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, Value]]) -> None:
        """Begin now, unless it was begun before."""
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(work())

    async def take(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        """What was begun, or the work done now. Whoever is called off while waiting calls it off."""
        task = self._tasks.get(key)
        return await (work() if task is None else task)

    def forget(self) -> None:
        """Call off what is still going on; nothing is begun any more."""
        for task in self._tasks.values():
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody else will ask for it
            task.cancel()
        self._tasks = {}


async def run_together(works: list[Coroutine[Any, Any, Value]]) -> list[Value]:
    """The values of all, in order. The first error ends the others at once and is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work) for work in works]
    except BaseExceptionGroup as failed:
        error: BaseException = failed
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise error from None
    return [task.result() for task in tasks]
