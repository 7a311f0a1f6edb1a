"""What a judge has cost so far."""

from __future__ import annotations

from dataclasses import dataclass

from watercolour.errors import ConfigError
from watercolour.reward.settings import Endpoint


@dataclass
class Usage:
    """Counted from the start of the process. `calls` are requests that left this machine, tries that failed included;
    `cached` are answers taken from the disk instead. Tokens are the server's own count."""

    calls: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0


class Meter:
    """Counts calls and tokens, and stops before there are more calls than the budget allows."""

    def __init__(self, settings: Endpoint, label: str) -> None:
        self.usage = Usage()
        self._settings = settings
        self._label = label

    def call(self) -> None:
        """Count a request that is about to leave. Raises ConfigError when the budget is used up."""
        limit = self._settings.max_calls
        if limit is not None and self.usage.calls >= limit:
            raise ConfigError(
                f"{self._label}: max_calls {limit} is used up; raise it, or null for no limit, and resume"
            )
        self.usage.calls += 1

    def tokens(self, input_tokens: int, output_tokens: int) -> None:
        """Count what a reply took."""
        self.usage.input_tokens += input_tokens
        self.usage.output_tokens += output_tokens
        prices = self._settings.usd_per_million_input_tokens, self._settings.usd_per_million_output_tokens
        self.usage.usd += (input_tokens * prices[0] + output_tokens * prices[1]) / 1e6
