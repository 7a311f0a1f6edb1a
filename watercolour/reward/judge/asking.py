"""Asks a question about pictures: from the cache, with those who ask the same, or of the endpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from watercolour.reward.judge.cache import AnswerCache, question_key
from watercolour.reward.judge.client import Client
from watercolour.reward.judge.flight import Flight
from watercolour.reward.judge.pictures import Encoder, Picture
from watercolour.reward.judge.prompt import Prompt
from watercolour.reward.judge.usage import Usage
from watercolour.reward.judge.verdict import UnresolvedError
from watercolour.reward.settings import EndpointSettings

Value = TypeVar("Value")


class Asker:
    """One model and what it has said. Only replies that could be read are kept: junk is asked again another time."""

    def __init__(self, settings: EndpointSettings, label: str, cache: AnswerCache | None) -> None:
        """`cache` None asks everything anew. Raises PrerequisiteError without the endpoint's key."""
        self._settings = settings
        self._client = Client(settings, label)
        self._cache = cache
        self._encoder = Encoder(settings.image_px, settings.image_format)
        self._flight = Flight[str]()

    @property
    def usage(self) -> Usage:
        """What it has cost so far."""
        return self._client.meter.usage

    async def ask(self, prompt: Prompt, pictures: Sequence[Picture], read: Callable[[str], Value]) -> Value:
        """What `read` makes of the reply. Raises what `Client.ask` raises, and UnresolvedError when `read` does."""
        hashes = [picture.sha256 for picture in pictures]
        key = question_key(self._settings.model, prompt.sha256, self._settings.image_px, hashes)
        kept = self._cache.get(key) if self._cache else None
        if kept is not None:
            try:
                value = read(kept)
            except UnresolvedError:  # kept by a version that read it otherwise
                pass
            else:
                self.usage.cached += 1
                return value
        return read(await self._flight.join(key, lambda: self._ask(key, prompt, pictures, read)))

    async def _ask(self, key: str, prompt: Prompt, pictures: Sequence[Picture], read: Callable[[str], object]) -> str:
        urls = [await self._encoder.data_url(picture) for picture in pictures]
        reply = await self._client.ask(prompt.messages(urls), prompt.response_format())
        read(reply)
        if self._cache:
            self._cache.put(key, self._settings.model, reply)
        return reply

    async def close(self) -> None:
        """Close the connections and the cache."""
        await self._client.close()
        if self._cache:
            self._cache.close()
