"""The client of an OpenAI-compatible endpoint: bounded, counted, retried in one place, stopped by what cannot pass.

Covers any server that speaks the chat completions protocol with pictures as data: URLs. The key is read from the
environment, goes into the request's header, and is cut out of whatever a server says before that is shown.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from watercolour.errors import ConfigError, PrerequisiteError, WatercolourError
from watercolour.reward.judge.completion import Completion, read_completion
from watercolour.reward.judge.retry import TransientError, retry_after_s, with_retries
from watercolour.reward.judge.usage import Meter
from watercolour.reward.judge.verdict import UnresolvedError, one_line
from watercolour.reward.settings import Endpoint

if TYPE_CHECKING:
    import httpx2
    import openai

logger = logging.getLogger(__name__)

NO_KEY = "none"
"""What a server that needs no key is sent as one."""
MAY_PASS = frozenset({408, 409, 425, 429})
"""Statuses under 500 that are worth asking again."""
UNKNOWN_MODEL = frozenset({"model_not_found", "model_not_supported"})
"""Codes that some routers send with status 400."""
NO_CREDIT = "insufficient_quota"
"""A code that comes with status 429 and does not pass."""


def key_of(settings: Endpoint, label: str) -> str:
    """The endpoint's key, from the environment. Raises PrerequisiteError when the variable is not set."""
    if settings.key_env is None:
        return NO_KEY
    key = os.environ.get(settings.key_env, "").strip()
    if not key:
        raise PrerequisiteError(
            f"{label}: ${settings.key_env} is not set, and {settings.base_url} needs a key: "
            f"export {settings.key_env}=..., or set key_env to null for an endpoint without one"
        )
    return key


class Client:
    """Asks one model. Works on any event loop, on one at a time."""

    def __init__(self, settings: Endpoint, label: str) -> None:
        """`label` names the term in messages. Raises PrerequisiteError without the key."""
        self.meter = Meter(settings, label)
        self._settings = settings
        self._label = label
        self._key = key_of(settings, label)
        self._takes_schema = True
        self._loop: asyncio.AbstractEventLoop | None = None
        self._sdk: openai.AsyncOpenAI
        self._slots: asyncio.Semaphore
        self._idle: asyncio.Event
        self._running = 0
        self._stopped: WatercolourError | None = None
        self._quiet_until = 0.0

    async def ask(self, messages: Sequence[Mapping[str, Any]], response_format: Mapping[str, Any]) -> str:
        """The text of the model's reply.

        Raises UnresolvedError when there is none to be had, and a WatercolourError for what no further question can
        mend: a key or a model that the endpoint does not take, a budget used up.
        """
        completion = await with_retries(lambda: self._try(messages, response_format), self._settings.max_tries)
        if completion.problem:
            raise UnresolvedError(completion.problem)
        return completion.text

    async def complete(self, messages: Sequence[Mapping[str, Any]], body: Mapping[str, Any]) -> Completion:
        """A free completion; `body` holds what the request says besides, such as a temperature, which else is 0.

        Raises what `ask` raises.
        """
        completion = await self.write(messages, body)
        if completion.problem:
            raise UnresolvedError(completion.problem)
        return completion

    async def write(self, messages: Sequence[Mapping[str, Any]], body: Mapping[str, Any]) -> Completion:
        """`complete` where a reply without text is an answer too: it has a `problem`, and was paid for."""
        return await with_retries(lambda: self._request(messages, body), self._settings.max_tries)

    async def close(self) -> None:
        """Close the connections."""
        if self._loop is asyncio.get_running_loop():
            self._loop = None
            await self._sdk.close()

    async def _try(self, messages: Sequence[Mapping[str, Any]], response_format: Mapping[str, Any]) -> Completion:
        """One try; two requests where a server that does not know `response_format` has yet to be found out."""
        if self._takes_schema:
            try:
                return await self._request(messages, {"response_format": response_format})
            except _RejectedError:
                completion = await self._request(messages, {})
            if self._takes_schema:
                logger.warning("%s: the endpoint takes no JSON schema; its replies are parsed instead", self._label)
            self._takes_schema = False
            return completion
        return await self._request(messages, {})

    async def _request(self, messages: Sequence[Mapping[str, Any]], extra: Mapping[str, Any]) -> Completion:
        self._open()
        async with self._slots:
            await self._wait_while_asked_to()
            await self._pay()
            try:
                response = await self._send(messages, extra)
            finally:
                self._running -= 1
                if not self._running:
                    self._idle.set()
        completion = read_completion(response.text, response.headers.get("content-type", ""))
        self.meter.tokens(completion.input_tokens, completion.output_tokens)
        return completion

    async def _pay(self) -> None:
        """Take a call from the budget. When it is used up, what has been paid for may come in first, and be kept."""
        if self._stopped:
            raise self._stopped
        try:
            self.meter.call()
        except ConfigError:
            await self._idle.wait()
            raise
        self._running += 1
        self._idle.clear()

    async def _send(self, messages: Sequence[Mapping[str, Any]], extra: Mapping[str, Any]) -> httpx2.Response:
        import httpx2
        import openai

        settings = self._settings
        body = {"model": settings.model, "messages": messages, "temperature": 0, **extra}
        body["max_tokens"] = settings.max_reply_tokens
        try:
            async with asyncio.timeout(settings.timeout_s):
                # The endpoint's own method would walk through every part of the messages, which takes far longer.
                return await self._sdk.post("/chat/completions", cast_to=httpx2.Response, body=body)
        except (TimeoutError, openai.APITimeoutError):
            raise TransientError(f"no answer within {settings.timeout_s:g} s") from None
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            raise TransientError(f"the connection failed: {type(cause).__name__} {self._clean(cause)}") from None
        except openai.APIStatusError as error:
            sorted_error = self._sorted(error)
            if isinstance(sorted_error, WatercolourError):
                self._stopped = sorted_error
            raise sorted_error from None

    def _sorted(self, error: openai.APIStatusError) -> Exception:
        """What a status means: to be asked again, to be left unresolved, or to stop for."""
        settings, status = self._settings, error.status_code
        body = error.body
        said = body.get("message") or body.get("error") if isinstance(body, dict) else body
        told = f"{status}: {self._clean(said or 'no message')}"
        where = f"{self._label}: {settings.base_url}"
        if status == 402 or error.code == NO_CREDIT:
            return PrerequisiteError(f"{where} wants to be paid ({told}): top up the account, or use another endpoint")
        if status in (401, 403):
            key = f"${settings.key_env}" if settings.key_env else "a call without a key (key_env is null)"
            fix = f"export {settings.key_env or 'YOUR_KEY'}=... with a key that may use {settings.model}"
            return PrerequisiteError(f"{where} refuses {key} ({told}): {fix}")
        if status == 404 or error.code in UNKNOWN_MODEL:
            fix = "correct `model`, or `base_url` (it ends in /v1 on most servers)"
            return ConfigError(f"{where} does not know the model {settings.model} ({told}): {fix}")
        if status in MAY_PASS or status >= 500:
            wait_s = retry_after_s(error.response.headers)
            if wait_s:
                self._quiet_until = max(self._quiet_until, asyncio.get_running_loop().time() + wait_s)
            return TransientError(f"the endpoint said {told}", wait_s)
        return _RejectedError(f"the endpoint rejected the question ({told})")

    async def _wait_while_asked_to(self) -> None:
        """What one call was told by a busy server holds for all."""
        loop = asyncio.get_running_loop()
        while (left_s := self._quiet_until - loop.time()) > 0:
            await asyncio.sleep(left_s)

    def _clean(self, said: object) -> str:
        """A server's words, on one line and without the key."""
        text = str(said)
        return one_line(text if self._key == NO_KEY else text.replace(self._key, "(the key)"), 200)

    def _open(self) -> None:
        """Connections belong to the event loop that made them."""
        loop = asyncio.get_running_loop()
        if self._loop is loop:
            return
        import openai

        self._loop = loop
        self._quiet_until = 0.0
        self._running = 0
        self._stopped = None
        self._idle = asyncio.Event()
        self._idle.set()
        self._slots = asyncio.Semaphore(self._settings.concurrency)
        self._sdk = openai.AsyncOpenAI(
            api_key=self._key,
            base_url=self._settings.base_url,
            max_retries=0,  # retry.py is the one layer
            timeout=self._settings.timeout_s,
        )


class _RejectedError(UnresolvedError):
    """A 4xx that is about this question, or about `response_format`."""
