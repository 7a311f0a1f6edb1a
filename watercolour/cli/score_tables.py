"""How scores are shown: one painting term by term with all the reasons, or several in a compact table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from watercolour.cli.inputs import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from watercolour.reward.base import Score
    from watercolour.scoring import Scored

WIDTH = 140
"""Columns of a table where there is no terminal to fit it to."""


def score_record(scored: Scored) -> dict[str, Any]:
    """One candidate's scores as plain data."""
    from watercolour.files import plain

    reward, rollout = scored.reward, scored.candidate.record
    place = {} if rollout is None else {"step": rollout.step, "index": rollout.index, "first_reward": rollout.reward}
    record: dict[str, Any] = plain(
        {
            "file": scored.candidate.name,
            **place,
            "outcome": scored.outcome,
            "total": reward.total,
            "why": reward.why,
            "terms": {
                term: {"value": given.value, "why": given.why, "parts": dict(given.parts)}
                for term, given in reward.scores.items()
            },
            "left_out": reward.left_out,
            "skipped": reward.skipped,
            "coverage": round(scored.coverage, 5),
            "sha256": scored.sha256,
            "errors": scored.errors,
        }
    )
    return record


def make_console() -> Console:
    """Standard output; wide where it is no terminal."""
    from rich.console import Console

    console = Console()
    return console if console.is_terminal else Console(width=WIDTH)


def print_one(console: Console, scored: Scored, weights: Mapping[str, float]) -> None:
    """A table with a line a term and the total, then the reasons behind each."""
    from rich.table import Table
    from rich.text import Text

    from watercolour.progress import number

    reward = scored.reward
    table = Table(title=Text(f"{scored.candidate.name}: {scored.outcome.value}"), title_justify="left")
    for column in ("term", "value", "", "weight", "why"):
        table.add_column(column)
    for term, weight in weights.items():
        if term not in reward.scores:
            skipped = "not asked: the gate has decided"
            why = skipped if term in reward.skipped else "left out: a picture alone has no source"
            table.add_row(term, "-", "", f"{weight:g}", why)
            continue
        given = reward.scores[term]
        table.add_row(term, number(given.value), bar(given.value), f"{weight:g}", Text(one_line(given.why)))
    possible = sum(weight for term, weight in weights.items() if term not in reward.left_out)
    table.add_section()
    table.add_row("total", number(reward.total), bar(reward.total), f"{possible:g}", Text(one_line(reward.why)))
    console.print(table)
    for term, given in reward.scores.items():
        lines = reasons(given)
        if lines:
            console.print(Text(f"  {term}"))
        for line in lines:
            console.print(Text(f"    {line}"), soft_wrap=True)
    for error in scored.errors:
        console.print(Text(f"  {one_line(error)}"), soft_wrap=True)


def print_many(console: Console, all_scored: Sequence[Scored], weights: Mapping[str, float]) -> None:
    """A line a candidate."""
    from rich.table import Table
    from rich.text import Text

    from watercolour.progress import number

    table = Table()
    table.add_column("file", overflow="fold")
    table.add_column("outcome")
    for term, weight in weights.items():
        table.add_column(f"{term} x {weight:g}", justify="right")
    table.add_column("total", justify="right")
    table.add_column("")
    table.add_column("why")
    for scored in all_scored:
        reward = scored.reward
        absent = {term: "skipped" if term in reward.skipped else "left out" for term in weights}
        values = [number(reward.scores[term].value) if term in reward.scores else absent[term] for term in weights]
        left_out = "a picture alone has no source" if reward.left_out else ""
        why = one_line(reward.why or left_out or "; ".join(scored.errors))
        total = number(reward.total), bar(reward.total, 8)
        table.add_row(Text(scored.candidate.name), scored.outcome.value, *values, *total, Text(why))
    console.print(table)


def reasons(score: Score) -> list[str]:
    """What stands behind a score, a line each: a gate's findings, a judge's duels in both orders, its marks."""
    parts = score.parts
    lines = [_finding(found) for kind in ("violations", "notes") for found in _records(parts.get(kind))]
    for duel in (*_records(parts.get("references")), *_records(parts.get("rivals"))):
        lines += _duel(duel)
    marks = parts.get("marks")
    if isinstance(marks, Mapping):
        lines += [f"{question}: {mark:g}" for question, mark in marks.items() if isinstance(mark, int | float)]
    if reason := parts.get("reason"):
        lines.append(one_line(str(reason)))
    return lines


def bar(value: float | None, width: int = 12) -> str:
    """A bar of block characters for a value from 0 to 1; empty for None."""
    return "" if value is None else "█" * round(max(0.0, min(1.0, value)) * width)


def _finding(found: Mapping[str, Any]) -> str:
    line = f"line {found['line']}: " if found.get("line") else ""
    return one_line(f"{line}{found.get('code', '')}: {found.get('message', '')}")


def _duel(duel: Mapping[str, Any]) -> list[str]:
    """Whom the painting faced and what came of it, then what the judge said in each order."""
    outcomes: dict[Any, str] = {1: "won", 0.5: "tied", 0: "lost"}
    outcome = outcomes.get(duel.get("value"), "no verdict")
    picture = str(duel["picture"])[:12] if duel.get("picture") else "without a picture"
    name = duel.get("name") or f"rollout {picture}"
    tier = f" ({duel['tier']})" if duel.get("tier") else ""
    dropped = ", not counted" if duel.get("counted") is False else ""
    lines = [one_line(f"{name}{tier}: {outcome}{dropped}")]
    for order, place in (("as_first", "shown first"), ("as_second", "shown second")):
        look = duel.get(order)
        if isinstance(look, Mapping):
            won = {True: ", won", False: ", lost"}.get(bool(look["won"])) if look.get("won") is not None else ""
            lines.append(f"  {one_line(f'{place}{won}: ' + str(look.get('reason') or '-'))}")
    return lines


def _records(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list | tuple) else []
