"""`watercolour pool show POOL [SHEET.png]`: a pool's balance and coverage in numbers, and all of it in one picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watercolour.errors import ConfigError

if TYPE_CHECKING:
    from watercolour.curate.balance import Balance

FOLDER = "A pool's folder, or the name of a shipped one."
BAR = 24
"""Characters of the longest bar."""


def show(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help=FOLDER)],
    out: Annotated[Path | None, typer.Argument(metavar="OUT.png", help="A contact sheet to write.")] = None,
    tier: Annotated[str | None, typer.Option(help="Show this tier alone: love, okay or nope.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="The numbers as one JSON object, also beside a sheet.")
    ] = False,
) -> None:
    """Show a pool's balance of tiers and a histogram of coverage, or write every painting with its name to OUT.png."""
    from watercolour.curate.balance import balance_of
    from watercolour.references import Tier, read_pool
    from watercolour.shipped import find_pool

    if tier is not None and tier not in list(Tier):
        raise ConfigError(f"--tier {tier}: is not one of {', '.join(Tier)}")
    path = find_pool(folder)
    references = [each for each in read_pool(path) if tier in (None, each.tier)]
    if not references:
        raise ConfigError(f"{path}: holds no painting of tier {tier}")
    if out is not None:
        import io

        from watercolour.curate.sheet import contact_sheet
        from watercolour.files import write_whole

        png = io.BytesIO()
        contact_sheet(references).save(png, "PNG", optimize=True)
        write_whole(out, png.getvalue())
        typer.echo(f"{out} shows {len(references)} of the pool's paintings", err=True)
    balance = balance_of(references)
    if as_json:
        typer.echo(json.dumps({"pool": str(path), "paintings": len(references), **balance.record()}))
    elif out is None:
        _print(path, balance)


def _print(path: Path, balance: Balance) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from watercolour.references import Tier

    console = Console()
    console = console if console.is_terminal else Console(width=110)
    table = Table("subject", title=Text(str(path)), title_justify="left")
    for name in Tier:
        table.add_column(name, justify="right")
    for subject, counts in balance.counts.items():
        table.add_row(Text(subject), *(str(counts[name]) for name in Tier))
    table.add_section()
    totals = [sum(balance.coverage[name]) for name in Tier]
    shares = [f"{total} ({total / max(1, sum(totals)):.0%})" for total in totals]
    table.add_row(f"{sum(totals)} in all", *shares)
    console.print(table)
    histogram = Table("paper covered", title="coverage", title_justify="left")
    most = max(max(counts) for counts in balance.coverage.values())
    for name in Tier:
        histogram.add_column(name, min_width=BAR + 4)
    for number in range(len(balance.coverage[Tier.LOVE])):
        bars = [_bar(balance.coverage[name][number], most) for name in Tier]
        histogram.add_row(f"{10 * number:3} to {10 * number + 10} %", *bars)
    histogram.add_section()
    medians = [balance.medians.get(name) for name in Tier]
    histogram.add_row("median", *("-" if each is None else f"{each:.1%}" for each in medians))
    console.print(histogram)


def _bar(count: int, most: int) -> str:
    return f"{'█' * max(1, round(BAR * count / most))} {count}" if count else ""
