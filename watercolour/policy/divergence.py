"""How far the policy has moved from where GRPO began: KL(policy || start), estimated on what it has just written.

With r = p_start(token) / p_policy(token), the mean of r - 1 - log r over the tokens is an estimate without bias, never
negative and steadier than that of -log r alone (the k3 of J. Schulman, Approximating KL divergence, 2020). It takes the
tokens as drawn from the policy; with top_p or top_k they are drawn from its likelier part.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


class Divergence:
    """The mean over one step's tokens, every `every_steps` steps, 0 for never.

    `folder` holds the adapter that training began with, None where it was a new one, which does nothing.
    """

    def __init__(self, every_steps: int, folder: Path | None) -> None:
        self.every_steps = every_steps
        self.folder = folder
        self._sum = 0.0
        self._tokens = 0

    def is_due(self, step: int) -> bool:
        """Whether it is measured in a step, the first of which is 1."""
        return self.every_steps > 0 and step % self.every_steps == 0

    def add(self, log_probs: Tensor, started: Tensor, mask: Tensor) -> None:
        """Count in (rows, tokens) log-probabilities by the policy and by that which training began with."""
        log_ratio = (started.double() - log_probs.double()) * mask
        self._sum += float((log_ratio.expm1() - log_ratio).clamp(min=0).sum())  # below 0 is rounding
        self._tokens += int(mask.sum())

    def take(self) -> float | None:
        """The mean in nats, None where nothing was counted; counting begins anew."""
        mean = self._sum / self._tokens if self._tokens else None
        self._sum, self._tokens = 0.0, 0
        return mean
