"""How the independence of terms is shown: the matrix, the number of signals in it, and what is to be wondered at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from watercolour.statistics import Correlations


def correlate_terms(
    rows: Sequence[Mapping[str, float | None]], steps: Sequence[object] | None
) -> dict[str, Correlations]:
    """Correlations over all rollouts, and within their groups where there are steps. A row has each term's value."""
    from watercolour.statistics import correlate

    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: [row.get(name) for row in rows] for name in names}
    found = {"pooled": correlate(columns)}
    if steps is not None:
        found["within_groups"] = correlate(columns, steps, within=True)
    return found


def correlations_record(found: Mapping[str, Correlations]) -> dict[str, Any]:
    """As plain data; `within_groups` is null where there are no groups."""
    return {"within_groups": None, **{name: each.record() for name, each in found.items()}}


def print_correlations(console: Console, found: Mapping[str, Correlations]) -> None:
    """A table for all rollouts, and one for what differs within their groups."""
    titles = {"pooled": "over all", "within_groups": "within groups, each step's mean taken off"}
    for name, each in found.items():
        _print_matrix(console, each, titles[name])


def _print_matrix(console: Console, found: Correlations, title: str) -> None:
    from rich.table import Table
    from rich.text import Text

    left_out = f", {found.left_out} left out" if found.left_out else ""
    lacking = ": too little to correlate" if found.effective is None else ""
    console.print(Text(f"Terms {title}: {found.rows} with a value of each{left_out}{lacking}"), soft_wrap=True)
    if found.effective is not None:
        table = Table()
        table.add_column("r")
        for name in found.names:
            table.add_column(name, justify="right")
        for name, row in zip(found.names, found.matrix, strict=True):
            table.add_row(name, *(f"{value:.2f}" for value in row))
        console.print(table)
        console.print(Text(f"  {found.effective:.2f} effective signals of {len(found.names)} terms"))
    for warning in found.warnings():
        console.print(Text(f"  warning: {warning}"), soft_wrap=True)
