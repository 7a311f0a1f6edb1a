"""The gate: what a sketch's source shows, weighed against what the browser measured. It is 1 or 0.

Where the two disagree the run wins: what ran was JavaScript, and what the brush painted was asked for. The source is a
signal, not security; that the picture is the brush's own work is measured by the renderer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from watercolour.inspection import NO_NAMES, GateCode, Inspection, Violation, inspect, sort_violations
from watercolour.javascript.syntax import quote
from watercolour.painting import BLANK_COVERAGE, Painting, RenderOutcome
from watercolour.reward.base import Score, ScoreContext
from watercolour.sketch import ExtractionProblem, Sketch

_MAY_NOT_PARSE = frozenset({RenderOutcome.NO_SKETCH, RenderOutcome.SYNTAX_ERROR, RenderOutcome.CRASHED})
_FAILED = frozenset(
    {RenderOutcome.SYNTAX_ERROR, RenderOutcome.TIMED_OUT, RenderOutcome.CRASHED, RenderOutcome.NO_CANVAS}
)
_DOUBTS_ABOUT_SYNTAX = frozenset({GateCode.SYNTAX_ERROR, GateCode.TRUNCATED})
_DOUBTS_ABOUT_PAINT = frozenset({GateCode.MISSING_ENTRY_POINTS, GateCode.NOT_WEBGL, GateCode.NO_PAINTING_CALLS})
"""The brush paints on a WebGL canvas alone, and only when something asks it to."""
_SAYS = {
    RenderOutcome.SYNTAX_ERROR: "the browser could not parse it",
    RenderOutcome.THREW: "it threw before it had painted",
    RenderOutcome.TIMED_OUT: "it did not come to an end",
    RenderOutcome.CRASHED: "it took the browser down",
    RenderOutcome.NO_CANVAS: "it left no WebGL canvas to read",
}


MAX_FOREIGN_SHARE = 0.1
"""The share of the paint, 0..1, that may come from elsewhere than the brush: a few pixels of p5 are no forgery."""


class GateTerm:
    """1.0 for a sketch without violations, 0.0 for any other, None when the browser could not be had.

    `methods` are the brush methods that the medium lists, `canvas` its (width, height), `names` what the first argument
    of a method may say. A real method or brush of p5.brush that the medium does not list fails the gate only with
    `strict_allowlist`; without it the finding is shown in `parts`.
    """

    needs_source = True

    def __init__(
        self,
        methods: frozenset[str],
        canvas: tuple[int, int],
        *,
        strict_allowlist: bool = False,
        names: Mapping[str, Collection[str]] = NO_NAMES,
        name: str = "gate",
    ) -> None:
        self.name = name
        self.methods = methods
        self.canvas = canvas
        self.strict_allowlist = strict_allowlist
        self.names = names

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        """One Score a painting; `parts["violations"]` and `parts["notes"]` list findings as code, line and message."""
        return [self._score(painting) for painting in paintings]

    async def close(self) -> None:
        """Holds nothing open."""

    def _score(self, painting: Painting) -> Score:
        if painting.outcome.is_ours:
            return Score(None, f"not judged: {_first_error(painting) or 'the browser could not be had'}")
        if painting.sketch is None:
            return Score(None, "a picture without its sketch cannot be judged by the gate")
        inspection = inspect(painting.sketch.source, self.methods, self.canvas, self.names)
        violations = _weigh(painting, painting.sketch, inspection, self.canvas, self.strict_allowlist)
        notes = [] if self.strict_allowlist else list(inspection.unlisted)
        parts = {"violations": [_record(found) for found in violations], "notes": [_record(note) for note in notes]}
        return Score(0.0 if violations else 1.0, explain(violations), parts)


def explain(violations: Sequence[Violation]) -> str:
    """One sentence: the first violation with its line, and how many more there are."""
    if not violations:
        return "passed: it runs, and the brush painted it"
    first = violations[0]
    where = f" on line {first.line}" if first.line else ""
    more = f" (and {len(violations) - 1} more)" if len(violations) > 1 else ""
    return f"{first.code}{where}: {first.message}{more}"


def _weigh(
    painting: Painting, sketch: Sketch, inspection: Inspection, canvas: tuple[int, int], strict_allowlist: bool
) -> tuple[Violation, ...]:
    if sketch.problem is ExtractionProblem.NO_SKETCH or painting.outcome is RenderOutcome.NO_SKETCH:
        return (Violation(GateCode.NO_SKETCH, None, "the reply holds no program"),)
    has_paint = painting.coverage >= BLANK_COVERAGE
    refuted: frozenset[GateCode] = frozenset()
    if painting.outcome not in _MAY_NOT_PARSE:
        refuted |= _DOUBTS_ABOUT_SYNTAX
    if has_paint and (painting.painted_by_brush or 0) > 0:
        refuted |= _DOUBTS_ABOUT_PAINT
    forgiven = () if strict_allowlist else inspection.unlisted
    found = [each for each in inspection.violations if each.code not in refuted and each not in forgiven]
    if sketch.problem is ExtractionProblem.TRUNCATED and not any(each.code is GateCode.TRUNCATED for each in found):
        found.append(Violation(GateCode.TRUNCATED, None, "the reply ended inside its program"))
    return sort_violations(found + _measured(painting, canvas, has_paint, is_clean=not found))


def _measured(painting: Painting, canvas: tuple[int, int], has_paint: bool, is_clean: bool) -> list[Violation]:
    """What the run itself shows."""
    outcome = painting.outcome
    if outcome in _FAILED or (outcome is RenderOutcome.THREW and not has_paint):
        error = _first_error(painting)
        return [Violation(GateCode.RENDER_FAILED, None, _SAYS[outcome] + (f": {error}" if error else ""))]
    found: list[Violation] = []
    if not has_paint:
        share = f"{painting.coverage:.2%} of it carries paint, and {BLANK_COVERAGE:.1%} is the least"
        found.append(Violation(GateCode.BLANK_CANVAS, None, f"the canvas is blank: {share}"))
    elif is_clean and painting.painted_by_brush is not None:
        foreign = 1 - painting.painted_by_brush / painting.coverage
        if foreign > MAX_FOREIGN_SHARE:
            message = f"{foreign:.0%} of the paint is not the brush's, and {MAX_FOREIGN_SHARE:.0%} is the most"
            found.append(Violation(GateCode.FORGED, None, message))
    if painting.canvas is not None and painting.canvas != canvas and is_clean:
        width, height = painting.canvas
        message = f"it asked for a canvas of {width:g} x {height:g}, and the medium's is {canvas[0]} x {canvas[1]}"
        found.append(Violation(GateCode.WRONG_CANVAS, None, message))
    return found


def _first_error(painting: Painting) -> str:
    """The renderer's first message, fit for one line."""
    return quote(" ".join(painting.errors[0].split()), 200) if painting.errors else ""


def _record(found: Violation) -> dict[str, str | int | None]:
    return {"code": str(found.code), "line": found.line, "message": found.message}
