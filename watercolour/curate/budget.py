"""What a folder of candidates has cost: every paid reply kept on the disk, and a budget that holds over all runs.

    FOLDER/replies.jsonl  one line a reply: what was asked (a hash), who answered what, tokens and price

A question that is there already is answered from there: nothing is paid twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from watercolour.errors import ConfigError
from watercolour.files import append_line, cut_torn_tail, read_lines
from watercolour.reward.judge.client import Client
from watercolour.reward.judge.completion import Completion
from watercolour.reward.settings import Endpoint

FILE_NAME = "replies.jsonl"
PICTURE_TOKENS = 2000
"""What a picture is taken to cost, in tokens, before a reply says what it did."""
CHARACTERS_A_TOKEN = 3
"""On the safe side: four is usual."""


class BudgetUsedUpError(Exception):
    """No further call fits into the budget."""


@dataclass(frozen=True)
class Reply:
    """A model's reply: `problem` says why there is no text. `usd` is its price, 0 where no price was given."""

    text: str
    problem: str
    input_tokens: int
    output_tokens: int
    usd: float


@dataclass(frozen=True)
class Spent:
    """Calls and dollars, for one model or all."""

    calls: int = 0
    usd: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.calls + other.calls, self.usd + other.usd)


class Ledger:
    """The replies of one folder. `spent` is by model, over all runs; `calls` counts those of this one."""

    def __init__(self, folder: Path, *, max_calls: int | None, max_usd: float | None) -> None:
        """Raises ConfigError, naming the line, for a file that cannot be read."""
        self._path = folder / FILE_NAME
        self._max_calls = max_calls
        self._max_usd = max_usd
        self._held_usd = 0.0
        self._held_calls = 0
        self._settled = asyncio.Condition()
        self.calls = 0
        self.spent: dict[str, Spent] = {}
        self.replies: dict[str, Reply] = {}
        cut_torn_tail(self._path)
        for number, line in enumerate(read_lines(self._path), 1):
            try:
                reply = Reply(**{name: line[name] for name in Reply.__dataclass_fields__})
                self._note(line["key"], line["model"], reply)
            except (KeyError, TypeError) as error:
                raise ConfigError(f"no reply of a model: lacks {error} ({self._path}:{number})") from None

    @property
    def total(self) -> Spent:
        """All models together."""
        return sum(self.spent.values(), Spent())

    async def write(
        self,
        client: Client,
        endpoint: Endpoint,
        messages: Sequence[Mapping[str, Any]],
        temperature: float,
        copy: str = "",
    ) -> Reply:
        """The reply to a conversation, from the disk or else from the endpoint. `copy` tells apart repeated questions.

        Raises BudgetUsedUpError before a call that does not fit, and what `Client.write` raises.
        """
        key = question_key(endpoint.model, messages, temperature, copy)
        if key in self.replies:
            return self.replies[key]
        price = _most_usd(endpoint, messages)
        await self._hold(price)
        try:
            completion = await client.write(messages, {"temperature": temperature})
            reply = self._keep(key, endpoint, completion)
        finally:
            await self._release(price)
        return reply

    def _keep(self, key: str, endpoint: Endpoint, completion: Completion) -> Reply:
        usd = _usd(endpoint, completion.input_tokens, completion.output_tokens)
        reply = Reply(completion.text, completion.problem, completion.input_tokens, completion.output_tokens, usd)
        append_line(self._path, {"key": key, "model": endpoint.model, **vars(reply)})
        self._note(key, endpoint.model, reply)
        self.calls += 1
        return reply

    async def _hold(self, price: float) -> None:
        """Set a call's highest price aside until it is known, waiting for other calls where that may make room.

        Raises BudgetUsedUpError where it does not fit.
        """
        async with self._settled:
            while why := self._does_not_fit(price):
                if not self._held_calls:
                    raise BudgetUsedUpError(why)
                await self._settled.wait()
            self._held_usd += price
            self._held_calls += 1

    async def _release(self, price: float) -> None:
        async with self._settled:
            self._held_usd -= price
            self._held_calls -= 1
            self._settled.notify_all()

    def _does_not_fit(self, price: float) -> str:
        total = self.total
        if self._max_calls is not None and total.calls + self._held_calls >= self._max_calls:
            return f"max_calls {self._max_calls} is used up"
        if self._max_usd is not None and total.usd + self._held_usd + price > self._max_usd:
            return f"max_usd {self._max_usd:g} leaves no room for a call of up to {price:.4f} USD"
        return ""

    def _note(self, key: str, model: str, reply: Reply) -> None:
        self.replies[key] = reply
        self.spent[model] = self.spent.get(model, Spent()) + Spent(1, reply.usd)


def question_key(model: str, messages: Sequence[Mapping[str, Any]], temperature: float, copy: str) -> str:
    """What a reply holds for: every word and picture that was asked, of whom, how warm, and which copy of it."""
    return hashlib.sha256(json.dumps([model, messages, temperature, copy]).encode()).hexdigest()


def _usd(endpoint: Endpoint, input_tokens: int, output_tokens: int) -> float:
    prices = endpoint.usd_per_million_input_tokens, endpoint.usd_per_million_output_tokens
    return (input_tokens * prices[0] + output_tokens * prices[1]) / 1e6


def _most_usd(endpoint: Endpoint, messages: Sequence[Mapping[str, Any]]) -> float:
    """The most that a call may cost: its words and pictures estimated, its reply as long as it may be."""
    sizes = Counter[str]()
    for message in messages:
        content = message["content"]
        for part in content if isinstance(content, list) else [{"type": "text", "text": content}]:
            sizes["pictures" if part["type"] == "image_url" else "characters"] += len(part.get("text", "1"))
    tokens = PICTURE_TOKENS * sizes["pictures"] + sizes["characters"] // CHARACTERS_A_TOKEN
    return _usd(endpoint, tokens, endpoint.max_reply_tokens)
