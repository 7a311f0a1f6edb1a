"""What a page is made of: parts with charts, tables and sentences, before any of it is HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from watercolour.show.report.evidence import Evidence
from watercolour.show.report.plot import Chart, Line, Point
from watercolour.show.report.sections import Section

ORDINALS = ("first third", "middle third", "last third")
TREND_HEAD = (*ORDINALS, "difference", "95 % interval", "slope a step", "t", "t (Newey-West)")
SMOOTH_STEPS = 9
"""Over how many steps a curve is smoothed where it is long; the steps themselves are drawn behind it."""


@dataclass(frozen=True)
class Cell:
    """A table's cell; `tint` from -5 to 5 colours it by a correlation."""

    text: str
    tint: int | None = None


@dataclass(frozen=True)
class Table:
    """The first cell of a row is its heading."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell | str]]
    words: bool = False
    """Whether the last column holds words, not numbers."""


@dataclass(frozen=True)
class Part:
    """A part of the page. `wide` are charts over its whole width, `charts` stand side by side.

    `left_out` has a line for each run that has no such data.
    """

    name: str
    title: str
    intro: str
    wide: Sequence[Chart] = field(default_factory=tuple)
    charts: Sequence[Chart] = field(default_factory=tuple)
    tables: Sequence[Table] = field(default_factory=tuple)
    notes: Sequence[str] = field(default_factory=tuple)
    left_out: Sequence[str] = field(default_factory=tuple)


@dataclass(frozen=True)
class Told:
    """A run with its sections. `tone` is its colour on the whole page."""

    evidence: Evidence
    sections: dict[str, Section]
    tone: int

    @property
    def name(self) -> str:
        return self.evidence.name

    @property
    def steps(self) -> list[int]:
        return [step.step for step in self.evidence.steps]


def smooth(values: Sequence[float | None]) -> list[float | None]:
    """The mean over SMOOTH_STEPS steps around each, over those there are; None where none has a value."""
    half = SMOOTH_STEPS // 2
    found: list[float | None] = []
    for place in range(len(values)):
        near = [value for value in values[max(0, place - half) : place + half + 1] if value is not None]
        found.append(sum(near) / len(near) if near else None)
    return found


def curve(label: str, steps: Sequence[float], values: Sequence[float | None], tone: int) -> list[Line]:
    """A series by step: as it is, or smoothed over its own steps where there are three times SMOOTH_STEPS of them."""
    points: list[Point] = list(zip(steps, values, strict=True))
    if len(points) < 3 * SMOOTH_STEPS:
        return [Line(label, points, tone)]
    return [
        Line(f"{label}, each step", points, tone, "thin", named=False),
        Line(label, list(zip(steps, smooth(values), strict=True)), tone),
    ]


def curves(have: Sequence[Told], section: str, *keys: str) -> list[Line]:
    """A series of each run by its steps, on shared axes: what stands under `keys` in the section's facts."""
    lines: list[Line] = []
    for run in have:
        found: Any = facts_of(run, section)
        for key in keys:
            found = found[key]
        lines += curve(run.name, run.steps, found, run.tone)
    return lines


def number(value: float | None, digits: int = 3) -> str:
    """A number for a table, or a dash."""
    return "-" if value is None else f"{value:.{digits}f}"


def signed(value: float | None, digits: int = 3) -> str:
    """A change for a table, with its sign."""
    return "-" if value is None else f"{value:+.{digits}f}"


def share(value: float | None) -> str:
    """A share as a percentage."""
    return "-" if value is None else f"{value:.1%}"


def lack(told: Sequence[Told], section: str) -> list[str]:
    """A line for each reason why runs lack the section, with their names."""
    names: dict[str, list[str]] = {}
    for run in told:
        if run.sections[section].facts is None:
            names.setdefault(str(run.sections[section].left_out), []).append(run.name)
    return [f"{', '.join(runs)}: {reason}" for reason, runs in names.items()]


def facts_of(run: Told, section: str) -> dict[str, Any]:
    """What a section found in a run; nothing where it was left out."""
    return run.sections[section].facts or {}


def labelled(have: Sequence[Told], run: Told, words: str) -> str:
    """`words`, with the run's name before them where there are several."""
    return words if len(have) == 1 else f"{run.name}: {words}"


def titled(have: Sequence[Told], run: Told, words: str) -> str:
    """`labelled`, with a capital at the start where no name stands there."""
    return labelled(have, run, words[:1].upper() + words[1:] if len(have) == 1 else words)


def trend_row(name: str, found: Mapping[str, Any]) -> tuple[str, ...]:
    """A row of `trends`: thirds, their difference with its interval, the slope and its t."""
    thirds = found["thirds"] or (None, None, None)
    low, high = found["low"], found["high"]
    return (
        name,
        *(number(value) for value in thirds),
        signed(found["difference"]),
        "-" if low is None else f"{low:+.3f} to {high:+.3f}",
        signed(found["slope"], 5),
        number(found["t"], 1),
        number(found["t_newey_west"], 1),
    )


def trends(caption: str, rows: Sequence[Sequence[str]]) -> Table:
    """A table of thirds and slopes."""
    return Table(caption, ("", *TREND_HEAD), rows)
