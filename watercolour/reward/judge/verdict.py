"""What a judge's reply says: a verdict on two pictures, ratings of one, or nothing that can be used."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

MAX_REASON = 400
TOP_RATING = 10

MAX_REPLY = 20_000
"""Characters of a reply that are read, from its end."""

MAX_BRACES = 100
"""Opening braces tried as the start of an object."""

_THINKING = re.compile(r"</?think(?:ing)?>")
_BROKEN = re.compile(r'\{\s*"winner"\s*:\s*"([^"]*)"\s*(?:,|$)')


class UnresolvedError(Exception):
    """The judge gave no usable answer: our fault or its own, never the picture's. The message says what happened."""


class Side(StrEnum):
    """The two pictures of a question, by the labels that the judge sees."""

    FIRST = "A"
    """The picture shown first."""
    SECOND = "B"
    """The picture shown second."""


@dataclass(frozen=True)
class Verdict:
    """Which of two pictures the judge chose, and its reason."""

    winner: Side
    reason: str


@dataclass(frozen=True)
class Ratings:
    """One picture's marks, 0 to 10, by the question's name, and the judge's reason."""

    marks: Mapping[str, float]
    reason: str


def read_verdict(reply: str) -> Verdict:
    """The verdict in a reply: JSON with `winner` "A" or "B", alone or amid prose, fences and thinking.

    An object that is cut or malformed after its winner counts, since the winner stands first. Raises UnresolvedError
    for no winner, for one that is not on the menu, and for winners that contradict each other.
    """
    found = [item for item in _objects(reply) if "winner" in item]
    if not found:
        raise UnresolvedError(f"the reply names no winner: {_shown(reply)}")
    named = {str(item["winner"]).strip().upper() for item in found}
    if len(named) > 1:
        raise UnresolvedError(f"the reply contradicts itself: {_shown(reply)}")
    [winner] = named
    if winner not in set(Side):
        raise UnresolvedError(f"the reply's winner is neither A nor B: {_shown(winner)}")
    return Verdict(Side(winner), _reason(found[-1]))


def read_ratings(reply: str, questions: Collection[str]) -> Ratings:
    """The marks in a reply: JSON with `ratings`, a number from 0 to 10 for each question.

    Raises UnresolvedError when one is missing or is no such number, and for objects that contradict each other.
    """
    found = [item for item in _objects(reply) if isinstance(item.get("ratings"), dict)]
    if not found:
        raise UnresolvedError(f"the reply holds no ratings: {_shown(reply)}")
    if any(item["ratings"] != found[0]["ratings"] for item in found):
        raise UnresolvedError(f"the reply contradicts itself: {_shown(reply)}")
    given = found[-1]["ratings"]
    marks: dict[str, float] = {}
    for question in questions:
        mark = given.get(question)
        is_number = isinstance(mark, int | float) and not isinstance(mark, bool) and math.isfinite(mark)
        if not is_number or not 0 <= mark <= TOP_RATING:
            raise UnresolvedError(f"{question} is rated {_shown(str(mark))}, not a number from 0 to {TOP_RATING}")
        marks[question] = float(mark)
    return Ratings(marks, _reason(found[-1]))


def _without_thinking(reply: str) -> str:
    """What follows the thinking; nothing when the thinking never ended."""
    end = 0
    for tag in _THINKING.finditer(reply):
        end = tag.end() if tag[0].startswith("</") else len(reply)
    return reply[end:][-MAX_REPLY:]


def _objects(reply: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a reply that lie in no other, in order; of a broken one its winner, if that stands first."""
    text = _without_thinking(reply)
    decoder = json.JSONDecoder()
    at = text.find("{")
    for _ in range(MAX_BRACES):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
            if broken := _BROKEN.match(text, at):
                yield {"winner": broken[1], "reason": "(the reason could not be read)"}
        else:
            yield value
        at = text.find("{", end)


def _reason(item: Mapping[str, Any]) -> str:
    reason = item.get("reason")
    return one_line(reason, MAX_REASON) if isinstance(reason, str) else ""


def _shown(text: str) -> str:
    shown = one_line(text, 120)
    return f"{shown!r}" if shown else "nothing"


def one_line(text: str, limit: int) -> str:
    """What a model or a server said, on one line, without control characters, at most `limit` characters."""
    line = "".join(letter if letter.isprintable() else "?" for letter in " ".join(text[: 4 * limit].split()))
    return line if len(line) <= limit else f"{line[: limit - 3]}..."
