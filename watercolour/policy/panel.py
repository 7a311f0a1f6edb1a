"""A panel: prompts and seeds that the policy is asked for at certain steps, apart from what it learns from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from watercolour.policy.load import Messages
from watercolour.policy.scoring import Group


@dataclass(frozen=True)
class Ask:
    """One prompt, how many replies to it, and what seeds them."""

    prompt: Messages
    count: int
    seed: int


@dataclass(frozen=True)
class Panel:
    """What is asked, and by whom. Everything runs on the trainer's own thread, between two steps."""

    asks: Sequence[Ask]
    due: Callable[[int], bool]
    """Whether the policy is to be asked after that many steps, from 0."""
    evaluate: Callable[[int, list[Group]], None]
    """Called with the number of steps and the replies, a group a prompt."""
    on_ask: Callable[[int, int], None] = lambda step, number: None
    """Called with the number of steps and the prompt's place, before each of them."""


def seed_for(seed: int, subject: str) -> int:
    """The seed of a subject's replies, wherever in the panel it stands."""
    return int.from_bytes(hashlib.sha256(f"{seed} {subject}".encode()).digest()[:4], "big")
