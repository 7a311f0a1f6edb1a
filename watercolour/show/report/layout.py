"""What a page is made of: parts with charts, tables and sentences, before any of it is HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from watercolour.show.report.evidence import Evidence
from watercolour.show.report.plot import Chart, Line, Point
from watercolour.show.report.sections import Section

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
