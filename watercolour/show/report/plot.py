"""Charts as inline SVG: lines, bands, dots and bars, drawn from data at a given width.

Colours come from the page's style sheet by class, so that one picture serves light and dark. All text is escaped here,
and numbers are rounded, so that the same data give the same bytes.

"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from markupsafe import Markup, escape

Point = tuple[float, float | None]
Style = Literal["line", "thin", "dashed", "dots", "area"]

TONES = 8
"""Classes t0 to t7 of the style sheet."""
MOST_DOTS = 600
LETTER_PX = 7.2
"""The mean width of a letter at 12 px, about."""


@dataclass(frozen=True)
class Line:
    """A series; a gap where a value is None. `tone` is its colour."""

    label: str
    points: Sequence[Point]
    tone: int = 0
    style: Style = "line"
    named: bool = True
    """Whether it is in the key."""


@dataclass(frozen=True)
class Pin:
    """A picture pinned to a point of the curve; `picture` is a data: address."""

    x: float
    y: float
    picture: str
    label: str


@dataclass(frozen=True)
class Chart:
    """`look` says in a sentence what to look for. `span` is the range of y, or None for that of the data."""

    title: str
    look: str
    lines: Sequence[Line]
    span: tuple[float | None, float | None] = (None, None)
    x_label: str = "step"
    stacked: bool = False
    pins: Sequence[Pin] = field(default_factory=tuple)
    height: int = 190
    bars: Sequence[tuple[str, float]] = field(default_factory=tuple)
    """Signed bars with their labels, instead of lines."""


def tag(name: str, attributes: Mapping[str, object], *content: str) -> Markup:
    """An element; attributes and plain text are escaped, Markup is taken as it is, numbers are rounded to 0.1."""
    told = Markup("").join(Markup(' {}="{}"').format(key, _attribute(value)) for key, value in attributes.items())
    inner = Markup("").join(escape(part) for part in content)
    return Markup("<{0}{1}>{2}</{0}>").format(Markup(name), told, inner)


def draw(chart: Chart, width: int, identity: str, *, most_pins: int = 0) -> Markup:
    """The chart as an SVG element `width` units wide; `identity` names it in the page, and must be its own."""
    return _bars(chart, width, identity) if chart.bars else _lines(chart, width, identity, most_pins)


def scale_of(low: float, high: float) -> list[float]:
    """Round numbers that span low..high: three to six marks, 1, 2 or 5 times a power of ten apart."""
    if not high > low:
        low, high = low - 0.5, high + 0.5
    rough = (high - low) / 4
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough * 0.999999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(place * step, 12) for place in range(first, last + 1)]


def short(value: float) -> str:
    """A number for a mark: no more digits than it needs."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.6g}"


def _lines(chart: Chart, width: int, identity: str, most_pins: int) -> Markup:
    pins = _chosen(chart.pins, most_pins)
    pin_px = min(110, (width - 60) // len(pins) - 8) if pins else 0
    head = pin_px + 34 if pins else 10
    names = [line if not chart.stacked else replace(line, style="area") for line in chart.lines if line.named]
    key, key_height = _key(names, width) if len(names) > 1 else (Markup(""), 0)
    height = chart.height + head + key_height
    shown = _stacked(chart.lines) if chart.stacked else list(chart.lines)
    ys = [y for line in shown for _, y in line.points if y is not None]
    xs = [x for line in shown for x, y in line.points if y is not None]
    if not ys:
        return _svg(chart, width, 40, identity, [tag("text", {"x": 8, "y": 24, "class": "mark"}, "no values")])
    low, high = (given if given is not None else found for given, found in zip(chart.span, _reach(ys), strict=True))
    marks = scale_of(min(0.0, low) if chart.stacked else low, high)
    x_marks = scale_of(min(xs), max(xs))
    left = 16 + LETTER_PX * max(len(short(mark)) for mark in marks)
    box = _Box(left, head, width - 14, height - key_height - 36, min(xs), max(xs), marks[0], marks[-1])
    parts = [_frame(box, marks, x_marks, chart.x_label)]
    parts += [_series(box, line) for line in shown]
    parts += [_pin(box, pin, place, len(pins), pin_px, identity) for place, pin in enumerate(pins)]
    if key:
        parts.append(tag("g", {"transform": f"translate(0 {height - key_height + 2})"}, key))
    return _svg(chart, width, height, identity, parts)


@dataclass(frozen=True)
class _Box:
    """Where the data lie on the sheet, and what they span."""

    left: float
    top: float
    right: float
    bottom: float
    x_low: float
    x_high: float
    y_low: float
    y_high: float

    def x(self, value: float) -> float:
        reach = self.x_high - self.x_low
        return self.left + (self.right - self.left) * ((value - self.x_low) / reach if reach else 0.5)

    def y(self, value: float) -> float:
        share = (value - self.y_low) / (self.y_high - self.y_low)
        return self.bottom - (self.bottom - self.top) * min(1.0, max(0.0, share))


def _svg(chart: Chart, width: int, height: float, identity: str, parts: Sequence[str]) -> Markup:
    title, told = f"{identity}-title", f"{identity}-text"
    return tag(
        "svg",
        {
            "viewBox": f"0 0 {width} {_round(height)}",
            "role": "img",
            "aria-labelledby": f"{title} {told}",
            "class": "chart",
        },
        tag("title", {"id": title}, chart.title),
        tag("desc", {"id": told}, describe(chart)),
        *parts,
    )


def describe(chart: Chart) -> str:
    """The chart in words, for who cannot see it: each series from its first to its last value."""
    if chart.bars:
        return "; ".join(f"{label}: {value:+.3f}" for label, value in chart.bars)
    told = []
    for line in chart.lines:
        known = [(x, y) for x, y in line.points if y is not None]
        if not known or line.style == "dots":
            continue
        (x1, y1), (x2, y2) = known[0], known[-1]
        lowest, highest = min(y for _, y in known), max(y for _, y in known)
        told.append(
            f"{line.label}: {y1:.3g} at {chart.x_label} {x1:.4g}, {y2:.3g} at {x2:.4g}, between {lowest:.3g} and"
            f" {highest:.3g}"
        )
    return f"{chart.look} " + "; ".join(told)


def _frame(box: _Box, marks: Sequence[float], x_marks: Sequence[float], x_label: str) -> Markup:
    parts = []
    for mark in marks:
        y = box.y(mark)
        parts.append(tag("line", {"x1": box.left, "x2": box.right, "y1": y, "y2": y, "class": "grid"}))
        where = {"x": box.left - 6, "y": y + 4, "class": "mark end"}
        parts.append(tag("text", where, short(mark)))
    for mark in x_marks:
        if box.x_low <= mark <= box.x_high:
            where = {"x": box.x(mark), "y": box.bottom + 16, "class": "mark middle"}
            parts.append(tag("text", where, short(mark)))
    middle = (box.left + box.right) / 2
    parts.append(tag("text", {"x": middle, "y": box.bottom + 31, "class": "mark middle quiet"}, x_label))
    return tag("g", {}, *parts)


def _series(box: _Box, line: Line) -> Markup:
    known = [(box.x(x), box.y(y)) for x, y in line.points if y is not None]
    if line.style == "dots":
        thin = known[:: max(1, math.ceil(len(known) / MOST_DOTS))]
        dots = [tag("circle", {"cx": x, "cy": y, "r": 2}) for x, y in thin]
        return tag("g", {"class": f"dots t{line.tone % TONES}"}, *dots)
    if line.style == "area":
        path = "M" + " L".join(f"{_round(x)} {_round(y)}" for x, y in known) + " Z" if known else ""
        return tag("path", {"class": f"area t{line.tone % TONES}", "d": path})
    runs = _unbroken(box, line.points)
    path = " ".join("M" + " L".join(f"{_round(x)} {_round(y)}" for x, y in run) for run in runs if len(run) > 1)
    alone = [tag("circle", {"cx": x, "cy": y, "r": 3}) for run in runs if len(run) == 1 for x, y in run]
    return tag(
        "g",
        {"class": f"{line.style} t{line.tone % TONES}"},
        *([tag("path", {"d": path})] if path else []),
        *alone,
    )


def _unbroken(box: _Box, points: Sequence[Point]) -> list[list[tuple[float, float]]]:
    runs: list[list[tuple[float, float]]] = [[]]
    for x, y in points:
        if y is None:
            runs.append([])
        else:
            runs[-1].append((box.x(x), box.y(y)))
    return [run for run in runs if run]


def _stacked(lines: Sequence[Line]) -> list[Line]:
    """Each series as the area between the sum of those before it and its own top; None counts as 0."""
    floor: dict[float, float] = {}
    found = []
    for line in lines:
        base = [(x, floor.get(x, 0.0)) for x, _ in line.points]
        top = [(x, floor.get(x, 0.0) + (y or 0.0)) for x, y in line.points]
        floor.update(top)
        found.append(Line(line.label, [*top, *reversed(base)], line.tone, "area"))
    return found


def _pin(box: _Box, pin: Pin, place: int, count: int, side: float, identity: str) -> Markup:
    """The picture above the chart with a thread down to its point, and its label under it."""
    slot = (box.right - box.left) / count
    middle = box.left + slot * (place + 0.5)
    x, y = box.x(pin.x), box.y(pin.y)
    bottom = side + 18
    label = f"{identity}-pin-{place}"
    return tag(
        "g",
        {"class": "pin"},
        tag("path", {"d": f"M{_round(middle)} {_round(bottom)} L{_round(x)} {_round(y)}", "class": "thread"}),
        tag("circle", {"cx": x, "cy": y, "r": 3.5, "class": "head"}),
        tag(
            "image",
            {
                "x": middle - side / 2,
                "y": 2,
                "width": side,
                "height": side,
                "href": pin.picture,
                "role": "img",
                "aria-labelledby": label,
            },
            tag("title", {"id": label}, pin.label),
        ),
        tag("text", {"x": middle, "y": side + 15, "class": "mark middle"}, pin.label),
    )


def _chosen(pins: Sequence[Pin], most: int) -> list[Pin]:
    """At most so many, from the first to the last."""
    if len(pins) <= most or most < 2:
        return list(pins[:most])
    return [pins[round(place * (len(pins) - 1) / (most - 1))] for place in range(most)]


def _key(lines: Sequence[Line], width: int) -> tuple[Markup, int]:
    parts, x, y = [], 8.0, 14
    most = int((width - 50) / LETTER_PX)
    for line in lines:
        label = line.label if len(line.label) <= most else line.label[: most - 1] + "…"
        wide = 26 + LETTER_PX * len(label) + 14
        if x + wide > width and x > 8:
            x, y = 8.0, y + 20
        swatch: Markup
        if line.style in ("dots", "area"):
            swatch = tag("rect", {"x": x, "y": y - 9, "width": 14, "height": 10})
        else:
            swatch = tag("path", {"d": f"M{_round(x)} {y - 4} h18"})
        parts.append(tag("g", {"class": f"{line.style} t{line.tone % TONES}"}, swatch))
        parts.append(tag("text", {"x": x + 24, "y": y, "class": "mark key"}, label))
        x += wide
    return tag("g", {}, *parts), y + 8


def _bars(chart: Chart, width: int, identity: str) -> Markup:
    """Signed bars below each other, each with its label above and its value beside it."""
    row, side = 44, 64
    reach = max(abs(value) for _, value in chart.bars) or 1.0
    low = min(0.0, *(value for _, value in chart.bars))
    high = max(0.0, *(value for _, value in chart.bars))
    unit = (width - 2 * side) / ((high - low) or reach)
    zero = side - low * unit
    height = row * len(chart.bars) + 8
    parts = []
    for place, (label, value) in enumerate(chart.bars):
        y = place * row + 6
        start = zero + min(0.0, value) * unit
        parts.append(tag("text", {"x": 8, "y": y + 11, "class": "mark key"}, label))
        parts.append(tag("line", {"x1": zero, "x2": zero, "y1": y + 15, "y2": y + 35, "class": "axis"}))
        box = {"x": start, "y": y + 17, "width": max(1.0, abs(value) * unit), "height": 16}
        parts.append(tag("rect", {**box, "class": f"bar t{place % TONES}"}))
        at = zero + value * unit
        where = {"x": at + (6 if value >= 0 else -6), "y": y + 30, "class": f"mark {'' if value >= 0 else 'end'}"}
        parts.append(tag("text", where, f"{value:+.3f}"))
    return _svg(chart, width, height, identity, parts)


def _reach(values: Sequence[float]) -> tuple[float, float]:
    return min(values), max(values)


def _attribute(value: object) -> str:
    return _round(value) if isinstance(value, float) else str(value)


def _round(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
