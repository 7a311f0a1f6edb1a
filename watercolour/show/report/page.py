"""The page: one HTML file that needs nothing else, runs no script and takes nothing a model wrote for markup.

What it covers: all text is escaped (jinja2 with autoescape, and plot.py), and the Content-Security-Policy allows the
page's own style sheet, by its hash, and pictures inside it; no script, no network, no frame, no form.

"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from watercolour import __version__
from watercolour.show.report import rise, signals, workings
from watercolour.show.report.layout import Part, Told
from watercolour.show.report.plot import Chart, Pin, draw

FOLDER = Path(__file__).parent
SMALL_PX = 360
SIZES = (("wide", 1060, 9), ("medium", 700, 6), ("narrow", 360, 3))
"""A chart over the whole sheet: its width, and how many paintings are pinned along it."""


def make_page(told: Sequence[Told], pins: Mapping[str, Sequence[Pin]], pairs: Sequence[Mapping[str, Any]] = ()) -> str:
    """The whole page for these runs; the same ones give the same bytes."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    styles = (FOLDER / "page.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(styles.encode()).digest()).decode("ascii")
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2").render(
        title=", ".join(run.name for run in told),
        version=__version__,
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'",
        styles=Markup(styles),
        runs=[_head(run) for run in told],
        parts=all_parts(told, pins, pairs),
        draw_wide=_draw_wide,
        draw_small=_draw_small,
    )


def all_parts(
    told: Sequence[Told], pins: Mapping[str, Sequence[Pin]], pairs: Sequence[Mapping[str, Any]]
) -> list[Part]:
    """The page's parts in their order."""
    return [
        rise.reward_part(told, pins),
        rise.terms_part(told),
        rise.failing_part(told),
        rise.eval_part(told),
        signals.draws_part(told),
        signals.independence_part(told, pairs),
        signals.saturation_part(told),
        workings.gate_part(told),
        workings.learning_part(told),
        workings.length_part(told),
        workings.shapes_part(told),
        workings.coverage_part(told),
        workings.diversity_part(told),
        workings.seconds_part(told),
        workings.cost_part(told),
    ]


def _draw_wide(chart: Chart, identity: str) -> list[tuple[str, Markup]]:
    """The chart in each of SIZES, of which the style sheet shows one."""
    return [(name, draw(chart, width, f"{identity}-{name}", most_pins=pins)) for name, width, pins in SIZES]


def _draw_small(chart: Chart, identity: str) -> Markup:
    return draw(chart, SMALL_PX, identity)


def _head(run: Told) -> dict[str, Any]:
    evidence = run.evidence
    terms = [name if (w := evidence.weights.get(name)) is None else f"{name} {w:g}" for name in evidence.kinds]
    unscored = len(evidence.rollouts) - len(evidence.scored)
    rollouts = f"{len(evidence.rollouts)} rollouts" + (f", {unscored} unscored" if unscored else "")
    return {
        "name": run.name,
        "tone": run.tone,
        "steps": f"{len(evidence.steps)} step{'' if len(evidence.steps) == 1 else 's'}",
        "rollouts": rollouts if evidence.rollouts else "a curve, without its rollouts",
        "status": evidence.status,
        "terms": ", ".join(terms),
    }
