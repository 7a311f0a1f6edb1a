"""Length: how much code a sketch has, comments and stuffing left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from watercolour.errors import ConfigError
from watercolour.javascript.syntax import code_text
from watercolour.painting import Painting
from watercolour.reward.base import Score, ScoreContext

CHARACTERS_PER_TOKEN = 4
"""The published runs counted a token as four characters."""

LengthKind = Literal["ramp", "band", "binary"]


@dataclass(frozen=True)
class TokenCount:
    """A way to count tokens: a function of a text, and what scores say they were counted by."""

    name: str
    count: Callable[[str], int]


def code_tokens(source: str, count: Callable[[str], int] | None = None) -> int:
    """Tokens of the source as `code_text` reduces it: by the policy's tokenizer, or else characters / 4.

    What is counted has no comments, no empty statements and no literals that stand alone; white space between tokens
    is one space, and a string, template, number or name longer than 40 characters counts as 40.
    """
    text = code_text(source)
    return count(text) if count else len(text) // CHARACTERS_PER_TOKEN


class LengthTerm:
    """How a sketch's tokens score; all kinds give 0 above `ceiling_tokens`.

    ramp: 0 up to `floor_tokens`, rising linearly to 1 at `full_tokens`. band: 1 from `floor_tokens`, flat, without
    a gradient. binary: 1 from `full_tokens`, 0 below. The defaults are the published runs' numbers. `count` counts in
    another way than by characters, such as the policy's. Raises ConfigError when the limits are not in order.
    """

    needs_source = True

    def __init__(
        self,
        kind: LengthKind = "ramp",
        *,
        floor_tokens: int = 150,
        full_tokens: int = 3000,
        ceiling_tokens: int = 6000,
        count: TokenCount | None = None,
        name: str = "length",
    ) -> None:
        if not 0 <= floor_tokens < full_tokens <= ceiling_tokens:
            raise ConfigError(
                f"length: needs 0 <= floor_tokens ({floor_tokens}) < full_tokens ({full_tokens})"
                f" <= ceiling_tokens ({ceiling_tokens})"
            )
        self.name = name
        self.kind = kind
        self.floor_tokens = floor_tokens
        self.full_tokens = full_tokens
        self.ceiling_tokens = ceiling_tokens
        self.count = count.count if count else None
        self.counted_by = count.name if count else f"characters / {CHARACTERS_PER_TOKEN}"

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        """One Score a painting; `parts` has `tokens` and `counted_by`. How the render went does not matter."""
        return [self._score(painting) for painting in paintings]

    async def close(self) -> None:
        """Holds nothing open."""

    def value(self, tokens: int) -> float:
        """The score, 0..1, of that many tokens."""
        if tokens > self.ceiling_tokens:
            return 0.0
        if self.kind == "band":
            return float(tokens >= self.floor_tokens)
        if self.kind == "binary":
            return float(tokens >= self.full_tokens)
        rise = (tokens - self.floor_tokens) / (self.full_tokens - self.floor_tokens)
        return min(1.0, max(0.0, rise))

    def _score(self, painting: Painting) -> Score:
        if painting.sketch is None:
            return Score(None, "a picture without its sketch has no length")
        tokens = code_tokens(painting.sketch.source, self.count)
        parts = {"tokens": tokens, "counted_by": self.counted_by}
        return Score(self.value(tokens), f"{tokens} tokens of code ({self.counted_by}); {self._place(tokens)}", parts)

    def _place(self, tokens: int) -> str:
        if tokens > self.ceiling_tokens:
            return f"over the ceiling of {self.ceiling_tokens}"
        enough = self.floor_tokens if self.kind == "band" else self.full_tokens
        if tokens >= enough:
            return "full length"
        if self.kind == "ramp" and tokens > self.floor_tokens:
            return f"full length is {self.full_tokens}"
        return f"under {self.floor_tokens if self.kind == 'ramp' else enough}"
