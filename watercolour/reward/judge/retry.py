"""The one layer of retries: what is worth asking again, and how long to wait before."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

from watercolour.reward.judge.verdict import UnresolvedError

FIRST_WAIT_S = 0.5
"""Before the second try; doubled before each further one, with up to as much again by chance."""
LONGEST_BACKOFF_S = 30.0
LONGEST_RETRY_AFTER_S = 120.0
"""A server that asks for more patience than this is not waited for."""

Value = TypeVar("Value")


class TransientError(Exception):
    """A try that failed in a way that may pass: too busy, broken, too slow, cut off.

    `retry_after_s` is the wait that the server asked for, or None.
    """

    def __init__(self, why: str, retry_after_s: float | None = None) -> None:
        super().__init__(why)
        self.retry_after_s = retry_after_s


async def with_retries(work: Callable[[], Awaitable[Value]], max_tries: int) -> Value:
    """The value of `work`, tried again after a TransientError. Raises UnresolvedError when the tries are used up."""
    retrying = AsyncRetrying(
        stop=lambda state: stop_after_attempt(max_tries)(state) or _asked_wait_s(state) > LONGEST_RETRY_AFTER_S,
        retry=retry_if_exception_type(TransientError),
        wait=_wait_s,
        reraise=True,
    )

    async def attempt() -> Value:
        return await work()

    try:
        return await retrying(attempt)
    except TransientError as error:
        tries = retrying.statistics.get("attempt_number", 1)
        raise UnresolvedError(f"{error} ({tries} {'try' if tries == 1 else 'tries'})") from error


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds that a Retry-After header asks for, as a number or as a date; None without one that can be read."""
    text = headers.get("retry-after", "").strip()
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _asked_wait_s(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    return (error.retry_after_s or 0.0) if isinstance(error, TransientError) else 0.0


def _wait_s(state: RetryCallState) -> float:
    if asked := _asked_wait_s(state):
        return asked + random.uniform(0, FIRST_WAIT_S)
    return wait_exponential_jitter(multiplier=FIRST_WAIT_S, max=LONGEST_BACKOFF_S, jitter=FIRST_WAIT_S)(state)
