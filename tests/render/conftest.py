"""One renderer pool for all the tests of a session, on an event loop of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

import pytest

from watercolour.painting import Painting
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.sketch import Sketch

Value = TypeVar("Value")
Paint = Callable[..., Painting]
TIMEOUT_S = 12.0


class Loop:
    """An event loop in a thread, so that plain test functions can share one pool."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def run(self, work: Coroutine[Any, Any, Value]) -> Value:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(120)

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


@pytest.fixture(scope="session")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture(scope="session")
def pool(loop: Loop) -> Iterator[RendererPool]:
    pool = loop.run(RendererPool(RenderSettings(timeout_s=TIMEOUT_S), workers=1).__aenter__())
    yield pool
    loop.run(pool.close())


@pytest.fixture
def paint(loop: Loop, pool: RendererPool) -> Paint:
    def paint(source: str, **options: Any) -> Painting:
        return loop.run(pool.paint(Sketch(source), **options))

    return paint
