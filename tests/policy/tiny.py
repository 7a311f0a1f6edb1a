"""The prompt that the tests of the policy use."""

from __future__ import annotations

from watercolour.policy.load import Messages


def ask(subject: str) -> Messages:
    """Long enough for the rows of a batch to share a prefix."""
    return [
        {"role": "system", "content": "You write one complete sketch for p5.brush, and nothing else at all."},
        {"role": "user", "content": f"Paint {subject}."},
    ]
