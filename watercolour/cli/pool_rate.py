"""`watercolour pool rate FOLDER`: rate paintings by keyboard in the browser, one at a time, in pairs, or once more."""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watercolour.errors import ConfigError

if TYPE_CHECKING:
    from rich.console import Console

    from watercolour.curate.agreement import Agreement
    from watercolour.curate.bradley_terry import Ranking
    from watercolour.curate.rateable import Gallery
    from watercolour.curate.rating.summary import Summary
    from watercolour.curate.ratings import Mode
    from watercolour.references import Tier

FOLDER = "Candidates, a pool, a run (or its name), or any folder of PNGs, each with its source beside it or without."
ENDS_SHOWN = 5
"""Of a ranking: so many from the top, and from the bottom."""


def rate(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help=FOLDER)],
    rater: Annotated[str | None, typer.Option(help="Who rates. Default: the login name.")] = None,
    pairs: Annotated[bool, typer.Option("--pairs", help="Two at a time: which is better?")] = False,
    rerate: Annotated[bool, typer.Option("--rerate", help="A tenth of what you rated once more, blind.")] = False,
    tier: Annotated[str | None, typer.Option(help="Only paintings that are rated love, okay or nope so far.")] = None,
    seed: Annotated[int, typer.Option(help="Shuffles the order.")] = 0,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port on 127.0.0.1. Default: the folder's last one.")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the link; open nothing.")] = False,
    summary: Annotated[bool, typer.Option("--summary", help="Say what is rated so far; serve nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --summary: one JSON object.")] = False,
) -> None:
    """Rate paintings by keyboard in the browser. Each key is saved at once; Ctrl-C ends it, another start goes on."""
    from watercolour.curate.rateable import find_rateable, read_gallery
    from watercolour.curate.ratings import Mode, check_rater, default_rater
    from watercolour.references import Tier

    if tier is not None and tier not in list(Tier):
        raise ConfigError(f"--tier {tier}: is not one of {', '.join(Tier)}")
    if pairs and rerate:
        raise ConfigError("--pairs and --rerate: choose one")
    if rerate and tier:
        raise ConfigError("--rerate and --tier: choose one")
    if as_json and not summary:
        raise ConfigError("--json: goes with --summary")
    path = find_rateable(folder)
    if summary:
        _summarise(path, rater and check_rater(rater), as_json=as_json)
        return
    mode = Mode.PAIR if pairs else Mode.RERATE if rerate else Mode.RATE
    chosen = check_rater(rater) if rater is not None else default_rater()
    _serve(read_gallery(path), chosen, mode, seed, Tier(tier) if tier else None, port, opens=not no_browser)
    _summarise(path, chosen, as_json=False)


def _serve(
    gallery: Gallery, rater: str, mode: Mode, seed: int, tier: Tier | None, port: int | None, *, opens: bool
) -> None:
    import webbrowser

    from watercolour.curate.rating.desk import Desk
    from watercolour.curate.rating.server import listen, make_server

    desk = Desk(gallery, rater, mode, seed=seed, tier=tier)
    listening, link = listen(gallery.folder, port)
    with listening:
        typer.echo(link.url)
        _say(f"{rater} rates {len(desk.paintings)} paintings of {gallery.folder}; Ctrl-C ends it")
        _say(f"from another machine: ssh -L {link.port}:127.0.0.1:{link.port} {_login()}")
        if opens:
            with contextlib.suppress(webbrowser.Error):
                webbrowser.open(link.url)
        with contextlib.suppress(KeyboardInterrupt):
            make_server(desk, link).run(sockets=[listening])


def _summarise(path: Path, rater: str | None, *, as_json: bool) -> None:
    from watercolour.curate.rating.summary import summarise, write_summary

    summaries = summarise(path)
    if not summaries:
        if as_json:
            typer.echo(json.dumps({"folder": str(path), "raters": []}))
        else:
            _say(f"{path}: nothing is rated yet")
        return
    written = write_summary(path, summaries)
    shown = [each for each in summaries if rater in (None, each.rater)]
    if as_json:
        typer.echo(json.dumps({"folder": str(path), "raters": [each.record() for each in shown]}))
        return
    from rich.console import Console

    console = Console()
    console = console if console.is_terminal else Console(width=120)
    for each in shown:
        _print(console, each)
    _say(f"written: {written}")


def _print(console: Console, summary: Summary) -> None:
    counts = ", ".join(f"{count} {tier}" for tier, count in summary.tiers.items())
    pace = "" if summary.seconds_median is None else f"; {summary.seconds_median:.1f} s a key in the median"
    console.print(f"{summary.rater}: {counts}, {summary.skipped} skipped{pace}", markup=False)
    if summary.agreement:
        _print_agreement(console, summary.agreement)
    if summary.ranking:
        _print_ranking(console, summary.ranking)


def _print_agreement(console: Console, agreement: Agreement) -> None:
    from watercolour.curate.agreement import interval

    told = (
        f"  rated again: {agreement.count}; equal {interval(agreement.equal)}, kappa {interval(agreement.kappa)}, "
        f"weighted {interval(agreement.weighted_kappa)}"
    )
    console.print(told, markup=False, soft_wrap=True, highlight=False)


def _print_ranking(console: Console, ranking: Ranking) -> None:
    from rich.table import Table
    from rich.text import Text

    title = f"{ranking.comparisons} comparisons, {ranking.ties} ties, of {len(ranking.standings)} paintings"
    table = Table(title=title, title_justify="left")
    for column in ("place", "painting", "log odds", "95 % interval", "compared"):
        table.add_column(column, justify="left" if column == "painting" else "right")
    last = len(ranking.standings)
    for place, each in enumerate(ranking.standings, 1):
        if place == ENDS_SHOWN + 1 and last > 2 * ENDS_SHOWN:
            table.add_section()
        if place <= ENDS_SHOWN or place > last - ENDS_SHOWN:
            span = f"{each.low:+.2f} to {each.high:+.2f}"
            table.add_row(str(place), Text(each.id), f"{each.score:+.2f}", span, str(each.compared))
    console.print(table)
    if ranking.parts > 1:
        console.print(f"  they fall into {ranking.parts} parts that were never compared: go on with --pairs")


def _login() -> str:
    """This machine as SSH would name it, as far as it knows itself."""
    with contextlib.suppress(OSError, KeyError, ImportError):
        return f"{getpass.getuser()}@{socket.gethostname()}"
    return os.environ.get("HOSTNAME", "HOST")


def _say(what: str) -> None:
    typer.echo(f"watercolour: {what}", err=True)
