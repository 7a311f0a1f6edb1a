"""`watercolour pool compare A B`: two people's or two pools' ratings side by side, and how their tastes differ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watercolour.errors import ConfigError

if TYPE_CHECKING:
    from watercolour.curate.agreement import Agreement
    from watercolour.curate.comparing.sides import Side
    from watercolour.curate.comparing.tastes import TasteDifference

FOLDER = "A pool, or any folder that was rated with `watercolour pool rate`."
RATERS = "Whose ratings: one of A's, one of B's; `pool` is what pool.jsonl says. Default: that, or the only rater."


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help=FOLDER)],
    b: Annotated[
        str | None, typer.Argument(metavar="[B]", help="Another one. Default: A itself, with --raters.")
    ] = None,
    raters: Annotated[tuple[str, str] | None, typer.Option(metavar="RATER_A RATER_B", help=RATERS)] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The page to write.")] = Path("comparison.html"),
    encoder: Annotated[str, typer.Option(help="What the tastes see with; see `watercolour taste fit --help`.")] = (
        "efficientnet-lite0"
    ),
    no_taste: Annotated[bool, typer.Option("--no-taste", help="Compare the ratings alone; fit nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Compare two sets of ratings: agreement, a page of what they disagree about, and how the fitted tastes differ."""
    from watercolour.curate.comparing.page import comparison_page
    from watercolour.curate.comparing.sides import agreement_of, disagreements, read_side
    from watercolour.curate.rateable import find_rateable
    from watercolour.files import plain, write_whole

    if b is None and raters is None:
        raise ConfigError("name another folder to compare with, or two raters of this one: --raters RATER_A RATER_B")
    folders = [find_rateable(a), find_rateable(b or a)]
    first, second = (read_side(folder, rater) for folder, rater in zip(folders, raters or (None, None), strict=True))
    agreement, found = agreement_of(first, second), disagreements(first, second)
    difference, why_not = (None, "Not asked for.") if no_taste else _tastes(first, second, encoder)
    write_whole(out, comparison_page(first, second, agreement, found, difference, why_not).encode())
    if as_json:
        told = [
            {"sha256": each.first.sha256, "name": each.first.name, "first": each.first.tier, "second": each.second.tier}
            for each in found
        ]
        record = {
            "first": {"name": first.name, "tiers": first.counts()},
            "second": {"name": second.name, "tiers": second.counts()},
            "agreement": agreement.record(),
            "disagreements": told,
            "taste": difference and difference.record(),
            "why_no_taste": None if difference else why_not,
            "page": str(out),
        }
        typer.echo(json.dumps(plain(record)))
    else:
        _print(first, second, agreement, difference, why_not)
    typer.echo(f"watercolour: written: {out} ({len(found)} disagreements)", err=True)


def _tastes(first: Side, second: Side, encoder: str) -> tuple[TasteDifference | None, str]:
    """The difference, or None and why there is none."""
    from watercolour.curate.comparing.tastes import compare_tastes, lacking
    from watercolour.progress import CountProgress
    from watercolour.taste.encoder import load_encoder

    for side in (first, second):
        if why := lacking(side):
            return None, f"No taste can be fitted: {why}."
    with CountProgress("encoding", len({*first.paintings, *second.paintings})) as progress:
        return compare_tastes(first, second, load_encoder(encoder), tick=progress.advance), ""


def _print(first: Side, second: Side, agreement: Agreement, difference: TasteDifference | None, why_not: str) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from watercolour.curate.agreement import interval
    from watercolour.references import Tier

    console = Console()
    console = console if console.is_terminal else Console(width=120)
    for letter, side in (("A", first), ("B", second)):
        counts = ", ".join(f"{count} {tier}" for tier, count in side.counts().items())
        console.print(Text(f"{letter}: {side.name}: {counts}"), soft_wrap=True)
    if not agreement.count:
        console.print("no painting is in both")
    else:
        table = Table("A down, B across", *(str(tier) for tier in Tier), title=f"{agreement.count} that both rate")
        for tier, row in zip(Tier, agreement.table, strict=True):
            table.add_row(str(tier), *map(str, row))
        console.print(table)
        kappas = f"kappa {interval(agreement.kappa)}, weighted {interval(agreement.weighted_kappa)}"
        console.print(Text(f"equal {interval(agreement.equal)}, {kappas}"), soft_wrap=True)
    if difference is None:
        console.print(Text(f"taste: {why_not}"), soft_wrap=True)
        return
    about = f"rank correlation {interval(difference.correlation)} over {difference.paintings} paintings"
    table = Table("painting", "place in A", "place in B", title=f"fitted tastes: {about}", title_justify="left")
    for each in difference.shifts:
        table.add_row(Text(each.painting.name), f"{each.first:.0%}", f"{each.second:.0%}")
    console.print(table)
