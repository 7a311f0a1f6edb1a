"""Which terms still tell one painting from another? One without spread in a group moves no weight.

A group's rewards are compared with their own mean, so that a term which says the same of all of them is dead weight,
however high it stands.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from watercolour.show.report.evidence import mean
from watercolour.show.report.trend import thirds_of

NO_SPREAD = 1e-9


@dataclass(frozen=True)
class Spread:
    """A term in the first and the last third: the mean over groups of the standard deviation within each (over n).

    For a curve, which has no groups, it is that of the means by step. `dead` is True when nothing in the last third
    differs.

    """

    of: str
    """groups or steps"""
    first: float | None
    last: float | None
    dead: bool


def spread_of_groups(groups: Sequence[Sequence[float]]) -> Spread | None:
    """Of a term's values by step; a group of one has no spread to show and is left out. None under three groups."""
    parts = thirds_of([group for group in groups if len(group) > 1])
    if parts is None:
        return None
    first, _, last = ([deviation(group) for group in part] for part in parts)
    return Spread("groups", mean(first), mean(last), max(last) <= NO_SPREAD)


def spread_of_steps(values: Sequence[float | None]) -> Spread | None:
    """Of a term's means by step. None under six: a third of one step has no spread to show."""
    parts = thirds_of([value for value in values if value is not None])
    if parts is None or len(parts[0]) < 2:
        return None
    first, _, last = (deviation(part) for part in parts)
    return Spread("steps", first, last, last <= NO_SPREAD)


def deviation(values: Sequence[float]) -> float:
    """The standard deviation, over n."""
    middle = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - middle) ** 2 for value in values) / len(values))
