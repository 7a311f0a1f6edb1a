"""The parts of the page that say what the reward's numbers are worth: the draw, independence, saturation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from watercolour.show.report.layout import (
    Cell,
    Part,
    Table,
    Told,
    curve,
    facts_of,
    labelled,
    lack,
    number,
    share,
    signed,
    titled,
    trend_row,
    trends,
)
from watercolour.show.report.plot import Chart, Line

MOST_RIVALS = 8


def draws_part(told: Sequence[Told]) -> Part:
    """The judge's curve with the luck of the draw taken off."""
    have = [run for run in told if run.sections["draws"].facts]
    charts, tables, notes = [], [], []
    for run in have:
        for term, facts in facts_of(run, "draws").items():
            steps = [each["step"] for each in facts["steps"]]
            lines = [
                Line("as drawn", [(each["step"], each["raw"]) for each in facts["steps"]], 7, "dashed"),
                *curve("draw taken off", steps, [each["adjusted"] for each in facts["steps"]], run.tone),
            ]
            look = (
                "Look where the two part: there the step drew hard or easy references, and the policy had not changed."
            )
            charts.append(Chart(labelled(have, run, f"Term {term}, raw and adjusted"), look, lines, (0.0, 1.0)))
            hard = [Line("difficulty", [(each["step"], each["difficulty"]) for each in facts["steps"]], run.tone)]
            look = "Look for spikes: a step above 0 drew references stronger than the run's usual ones."
            charts.append(Chart(labelled(have, run, f"How hard the draws of {term} were"), look, hard))
            rows = [trend_row("as drawn", facts["raw_trend"]), trend_row("draw taken off", facts["adjusted_trend"])]
            tables += [
                trends(titled(have, run, f"{term}, raw and adjusted"), rows),
                _rivals(titled(have, run, f"References of {term}, the strongest first"), facts["rivals"]),
            ]
    if have:
        notes.append(
            "Bradley and Terry's model, fitted over all answers of the run: a reference that comes up at several steps"
            " tells how much of a good step was luck."
        )
    return Part(
        "draws",
        "The luck of the draw",
        "Each step faces a few references of the pool. Some are hard to beat: a step that draws them looks worse than"
        " it is.",
        charts=charts,
        tables=tables,
        notes=notes,
        left_out=lack(told, "draws"),
    )


def independence_part(told: Sequence[Told], pairs: Sequence[Mapping[str, Any]]) -> Part:
    """Whether the terms say different things, and what two runs share at equal steps."""
    have = [run for run in told if run.sections["independence"].facts]
    kinds = {
        "raw": "curves as they are: two that rise go together whatever they measure",
        "detrended": "curves with their lines taken off",
        "differences": "changes from step to step",
        "within_groups": "single rollouts within their groups, which is what the policy learns from",
    }
    tables = [
        _matrix(titled(have, run, words), found)
        for run in have
        for kind, words in kinds.items()
        if (found := facts_of(run, "independence").get(kind)) and len(found["names"]) > 1
    ]
    notes = [
        f"{titled(have, run, kinds[kind].partition(':')[0])}: {warning}."
        for run in have
        for kind, found in facts_of(run, "independence").items()
        for warning in (found or {}).get("warnings", ())
        if kind == "within_groups" or (kind == "raw" and "nearly" in warning)
    ]
    rows = [
        (f"{' and '.join(pair['runs'])}: {term}", number(value, 2))
        for pair in pairs
        for term, value in pair["detrended_correlation"].items()
    ]
    if rows:
        caption = "Two runs at equal steps, lines taken off: what goes together is what they share, such as the draw"
        tables.append(Table(caption, ("runs and term", "correlation"), rows))
    return Part(
        "independence",
        "Do the terms say different things?",
        "Terms that always agree are one term with the sum of their weights. Look for pairs over .85, and for n_eff,"
        " the number of independent signals: k / (1 + (k - 1) r), with r the mean over pairs.",
        tables=tables,
        notes=notes,
        left_out=lack(told, "independence"),
    )


def saturation_part(told: Sequence[Told]) -> Part:
    """Which terms still move the policy."""
    have = [run for run in told if run.sections["saturation"].facts]
    rows = [
        (
            labelled(have, run, name),
            fact["of"],
            number(fact["first"]),
            number(fact["last"]),
            fact["says"],
        )
        for run in have
        for name, fact in facts_of(run, "saturation").items()
    ]
    head = ("term", "spread over", "first third", "last third", "what that means")
    return Part(
        "saturation",
        "Terms without spread",
        "A rollout is compared with its own group: a term that says the same of all of them is dead weight, however"
        " high it stands. Look for standard deviations near 0 in the last third.",
        tables=[Table("Standard deviation of each term", head, rows, words=True)] if rows else [],
        left_out=lack(told, "saturation"),
    )


def _rivals(caption: str, rivals: Sequence[Mapping[str, Any]]) -> Table:
    shown = list(rivals[:MOST_RIVALS])
    if len(rivals) > 2 * MOST_RIVALS:
        caption = f"{caption}: the first and the last {MOST_RIVALS} of {len(rivals)}"
        shown += rivals[-MOST_RIVALS:]
    else:
        shown = list(rivals)
    rows = [
        (
            str(each["name"]),
            str(each["tier"]),
            str(each["games"]),
            str(each["steps"]),
            share(each["win_rate"]),
            share(each["fitted"]),
            signed(each["strength"], 2),
        )
        for each in shown
    ]
    head = ("reference", "tier", "answers", "steps", "won, as it came", "won, against every step", "strength")
    return Table(caption, head, rows)


def _matrix(caption: str, found: Mapping[str, Any]) -> Table:
    names = found["names"]
    signals = f"n_eff {number(found['n_eff'], 2)} of {len(names)}, over {found['rows']}"
    rows = [
        (name, *(Cell(f"{value:.2f}", round(5 * value)) for value in row))
        for name, row in zip(names, found["matrix"], strict=True)
    ]
    return Table(f"{caption} ({signals})", ("r", *names), rows)
