"""`watercolour pool calibrate RUN --candidates FOLDER`: which candidates a run neither always beats nor never."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watercolour.errors import EXIT_FAILED, ConfigError

if TYPE_CHECKING:
    from watercolour.curate.calibration import Standing, Suggestion
    from watercolour.reward.judge.usage import Usage


def calibrate(
    run: Annotated[str, typer.Argument(help="A run's folder or name.")],
    candidates: Annotated[str, typer.Option("--candidates", metavar="FOLDER", help="Candidates, or a pool.")],
    config: Annotated[str, typer.Option("--config", "-c", help="Whose pairwise judge: a file or a shipped name.")],
    override: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting of the configuration.")
    ] = None,
    paintings: Annotated[int, typer.Option(min=1, max=1000, help="Of the run, drawn by --seed.")] = 12,
    last_steps: Annotated[int, typer.Option(min=0, help="Of the run's last steps; 0: of all.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Which paintings.")] = 0,
    rater: Annotated[str | None, typer.Option(help="Whose ratings, where several rated.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say how many calls it takes, and stop.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a candidate, then the suggestion.")] = False,
) -> None:
    """Measure a run's win rate against each candidate. Answers are kept, so a second time costs nothing."""
    import asyncio

    from watercolour.config import load_config
    from watercolour.curate.calibration import calibrate as measure
    from watercolour.curate.calibration import paintings_of, rivals_in, suggest
    from watercolour.medium import load_medium
    from watercolour.progress import CountProgress
    from watercolour.reward.judge.asking import Asker
    from watercolour.reward.judge.cache import AnswerCache
    from watercolour.reward.settings import PairwiseSettings
    from watercolour.runs import RunDir
    from watercolour.shipped import find_config

    run_config = load_config(find_config(config), override or [])
    judges = [term for term in run_config.reward.terms if isinstance(term, PairwiseSettings)]
    if len(judges) != 1:
        raise ConfigError(f"{config}: reward.terms has {len(judges)} pairwise judges, and it takes one to calibrate by")
    judge = judges[0]
    ours = paintings_of(RunDir.open(run), paintings, last_steps=last_steps, seed=seed)
    rivals = rivals_in(Path(candidates), rater)
    limit = "no limit is set" if judge.max_calls is None else f"max_calls is {judge.max_calls}"
    calls = 2 * len(ours) * len(rivals)
    told = f"{len(ours)} paintings against {len(rivals)} candidates in both orders: {calls} calls at most"
    typer.echo(f"{told}, to {judge.model} at {judge.base_url} ({limit})", err=True)
    if dry_run:
        return
    asker = Asker(judge, judge.called, AnswerCache())
    with CountProgress(f"judging {candidates}", len(ours) * len(rivals)) as progress:
        work = measure(asker, load_medium(run_config.medium), ours, rivals, on_duel=progress.advance)
        standings = asyncio.run(work)
    suggestion = suggest(standings)
    if as_json:
        for standing in standings:
            typer.echo(json.dumps(standing.record()))
        typer.echo(json.dumps({"suggestion": suggestion.record()}))
    else:
        _print(standings, suggestion)
    _say_cost(asker.usage, standings)
    if all(standing.win_rate is None for standing in standings):
        raise typer.Exit(EXIT_FAILED)


def _print(standings: Sequence[Standing], suggestion: Suggestion) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from watercolour.curate.calibration import FEWEST

    console = Console()
    console = console if console.is_terminal else Console(width=110)
    table = Table("candidate", "tier", title="how the run fares", title_justify="left")
    for column in ("won", "tied", "lost", "no answer", "win rate"):
        table.add_column(column, justify="right")
    table.add_column("")
    by_rate = sorted(standings, key=lambda each: (each.win_rate is None, -(each.win_rate or 0)))
    for standing in by_rate:
        facts = standing.record()
        counts = [str(facts[name]) for name in ("won", "tied", "lost", "unresolved")]
        rate = "-" if standing.win_rate is None else f"{standing.win_rate:.2f}"
        table.add_row(Text(standing.rival.id), facts["tier"] or "-", *counts, rate, standing.kind)
    console.print(table)
    for tier, ids in suggestion.rungs.items():
        few = f" (a draw wants {FEWEST})" if len(ids) < FEWEST else ""
        console.print(Text(f"{tier}: {len(ids)} rungs{few}{': ' if ids else ''}{', '.join(ids)}"), soft_wrap=True)
    share = suggestion.love_share
    if share is None:
        console.print("no draw to suggest: it takes rungs of both tiers, rated")
    else:
        console.print(f"draw with love_share: {share:g} for a mean win rate nearest to one half")


def _say_cost(usage: Usage, standings: Sequence[Standing]) -> None:
    unresolved = sum(standing.unresolved for standing in standings)
    price = f"{usage.usd:.4f} USD" if usage.usd else "no price given"
    typer.echo(f"{usage.calls} calls, {usage.cached} answers from the cache, {price}", err=True)
    if unresolved:
        why = next(standing.why_unresolved for standing in standings if standing.why_unresolved)
        typer.echo(f"left out {unresolved} duels without an answer; the first: {why}", err=True)
