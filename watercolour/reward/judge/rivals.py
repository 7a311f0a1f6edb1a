"""Who faces whom within a group: a round-robin cut down to a bounded number of pairs."""

from __future__ import annotations

import random
from itertools import combinations


def pairings(count: int, each: int, seed: str) -> list[tuple[int, int]]:
    """Pairs of the rollouts 0 to count - 1, each pair once, so that every rollout faces `each` others.

    They sit in a ring in an order drawn from `seed`, and face their neighbours. Everyone faces everyone when `each` is
    that many; where the numbers do not come out even, some face one more.
    """
    if each >= count - 1:
        return list(combinations(range(count), 2))
    ring = list(range(count))
    random.Random(seed).shuffle(ring)
    seats = [(seat, (seat + distance) % count) for distance in range(1, each // 2 + 1) for seat in range(count)]
    if each % 2:
        seats += _across(count)
    return [(ring[one], ring[other]) for one, other in seats]


def _across(count: int) -> list[tuple[int, int]]:
    """Each seat with one across the ring; of an odd number of seats, the first twice."""
    half = count // 2
    if count % 2 == 0:
        return [(seat, seat + half) for seat in range(half)]
    walk = [number * half % count for number in range(count)]  # reaches every seat: half and count have no divisor
    return [*zip(walk[::2], walk[1::2], strict=False), (walk[-1], walk[0])]
