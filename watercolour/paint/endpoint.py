"""An author at an OpenAI-compatible endpoint, asked through the judges' client: one layer of retries, one of limits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from watercolour.errors import ConfigError
from watercolour.paint.author import Reply, Sampling
from watercolour.reward.judge.client import Client
from watercolour.reward.judge.pictures import encode
from watercolour.reward.judge.verdict import UnresolvedError
from watercolour.reward.settings import EndpointSettings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from watercolour.policy.load import Messages

MAX_TOKENS = 8192
TIMEOUT_S = 600.0
"""A long sketch from a slow model takes minutes."""
CONCURRENCY = 8


def endpoint_settings(model: str, base_url: str | None, key_env: str | None, max_tokens: int | None) -> Any:
    """The endpoint that `--from api:` names. Only the default one is given a key that was not asked for.

    Raises ConfigError, never repeating what may be a secret.
    """
    given: dict[str, Any] = {"model": model, "max_reply_tokens": max_tokens or MAX_TOKENS, "timeout_s": TIMEOUT_S}
    if base_url is not None:
        given["base_url"] = base_url
        given["key_env"] = None
    if key_env is not None:
        given["key_env"] = key_env
    try:
        return EndpointSettings.model_validate({"term": "paint", "weight": 0, "concurrency": CONCURRENCY, **given})
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        option = {"key_env": "--key-env", "max_reply_tokens": "--max-tokens"}.get(str(first["loc"][0]), "--from api:")
        raise ConfigError(f"{option}: {first['loc'][0]} {first['msg'].removeprefix('Value error, ')}") from None


class EndpointAuthor:
    """A model at an endpoint. Whether it sees pictures is known once one is sent: what refuses it gives no reply."""

    def __init__(self, settings: EndpointSettings, sampling: Sampling) -> None:
        """Raises PrerequisiteError without the endpoint's key."""
        self._settings = settings
        self._sampling = sampling
        self._client = Client(settings, "--from api:")
        self._asked = 0

    def facts(self) -> dict[str, Any]:
        """Who it is, and what it has cost so far."""
        settings, usage = self._settings, self._client.meter.usage
        return {
            "kind": "endpoint",
            "model": settings.model,
            "base_url": settings.base_url,
            "sampling": {**self._body(0), "max_tokens": settings.max_reply_tokens},
            "calls": usage.calls,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
        }

    async def write(self, messages: Messages, count: int) -> AsyncIterator[Reply]:
        """All are asked for at once, as many as the endpoint's limit lets through; in the order in which they come."""
        asked = [asyncio.ensure_future(self._ask(messages)) for _ in range(count)]
        try:
            for reply in asyncio.as_completed(asked):
                yield await reply
        finally:
            for task in asked:
                task.cancel()
            await asyncio.gather(*asked, return_exceptions=True)

    async def look(self, messages: Messages, picture: NDArray[np.uint8] | None, request: str) -> Reply:
        """The picture goes as a data: URL."""
        content: list[dict[str, Any]] = [{"type": "text", "text": request}]
        if picture is not None:
            content.insert(0, {"type": "image_url", "image_url": {"url": encode(picture, None, "png")}})
        return await self._ask([*messages, {"role": "user", "content": content}])

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _ask(self, messages: list[Any]) -> Reply:
        place, self._asked = self._asked, self._asked + 1
        try:
            completion = await self._client.complete(messages, self._body(place))
        except UnresolvedError as error:
            return Reply("", problem=str(error))
        return Reply(completion.text, completion.output_tokens or None, completion.is_cut)

    def _body(self, place: int) -> dict[str, Any]:
        """Only what was asked for: endpoints differ in what they take."""
        drawn = self._sampling
        body: dict[str, Any] = {"temperature": 1.0 if drawn.temperature is None else drawn.temperature}
        body |= {key: value for key, value in (("top_p", drawn.top_p), ("top_k", drawn.top_k)) if value is not None}
        return body if drawn.seed is None else {**body, "seed": (drawn.seed + place) % 2**31}
