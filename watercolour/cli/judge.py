"""`watercolour judge check`: whether a judge is worth its money, before any is spent on a run."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from watercolour.errors import EXIT_FAILED, ConfigError

if TYPE_CHECKING:
    from rich.table import Table

    from watercolour.medium import Medium
    from watercolour.reward.judge.check import Plan, Proportion, Report
    from watercolour.reward.settings import PairwiseSettings

app = typer.Typer(name="judge", help="The pairwise judge.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def group() -> None:
    """The pairwise judge."""


@app.command()
def check(
    config: Annotated[str, typer.Option("--config", "-c", help="Whose judges: a file or a shipped name.")],
    override: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting of the configuration.")
    ] = None,
    pairs: Annotated[int, typer.Option(min=1, max=1000, help="Pairs of each two tiers; four calls each.")] = 12,
    seed: Annotated[int, typer.Option(min=0, help="Which pairs of the pool.")] = 0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say how many calls it takes, and stop.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before more than max_calls.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a judge.")] = False,
) -> None:
    """Measure a judge's bias for a place, its agreement with itself and with the pool's ratings. Exit 1: not usable."""
    from watercolour.config import load_config
    from watercolour.medium import load_medium
    from watercolour.references import read_pool
    from watercolour.reward.judge.check import plan_check
    from watercolour.reward.settings import PairwiseSettings
    from watercolour.shipped import find_config, find_pool

    run_config = load_config(find_config(config), override or [])
    judges = [term for term in run_config.reward.terms if isinstance(term, PairwiseSettings)]
    if not judges:
        raise ConfigError(f"{config}: reward.terms has no pairwise judge ({{term: judge, kind: pairwise}}) to check")
    medium = load_medium(run_config.medium)
    plan = plan_check(read_pool(find_pool(run_config.pool or medium.pool)), pairs, seed)
    for judge in judges:
        _say_plan(judge, plan)
    if dry_run:
        return
    _ask_first(judges, plan, yes)
    reports = [_check(judge, medium, plan) for judge in judges]
    for report in reports:
        if as_json:
            typer.echo(json.dumps(report.record()))
        else:
            _print(report)
    if any(report.problems for report in reports):
        raise typer.Exit(EXIT_FAILED)


def _say_plan(judge: PairwiseSettings, plan: Plan) -> None:
    limit = "no limit is set" if judge.max_calls is None else f"max_calls is {judge.max_calls}"
    typer.echo(f"{plan.calls} calls to {judge.model} at {judge.base_url} ({limit})", err=True)


def _ask_first(judges: list[PairwiseSettings], plan: Plan, yes: bool) -> None:
    over = [judge for judge in judges if judge.max_calls is not None and plan.calls > judge.max_calls]
    if not over or yes:
        return
    if not sys.stdin or not sys.stdin.isatty():
        raise ConfigError(
            f"judge check: {plan.calls} calls are more than max_calls {over[0].max_calls}: pass --yes, or fewer --pairs"
        )
    typer.confirm(
        f"More than max_calls {over[0].max_calls}. Make {plan.calls} calls all the same?", abort=True, err=True
    )


def _check(judge: PairwiseSettings, medium: Medium, plan: Plan) -> Report:
    import asyncio

    from rich.console import Console
    from rich.progress import Progress

    from watercolour.reward.judge.check import check_judge

    agreed = judge.model_copy(update={"max_calls": None})
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(judge.model, total=plan.calls)
        return asyncio.run(check_judge(agreed, medium, plan, on_answer=lambda: progress.advance(bar)))


def _print(report: Report) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(f"{report.name}: {report.model}"), title_justify="left")
    for column in ("measure", "count", "share", "95 % interval", "a good judge"):
        table.add_column(column)
    _row(table, "answers that could be used", report.unresolved, "nearly all", is_complement=True)
    _row(table, "first picture chosen, shown beside itself", report.first_of_same, "either: there is no better one")
    _row(table, "first picture chosen, of two", report.first_of_pairs, "half")
    _row(table, "pairs decided by their order, so tied", report.split, "few")
    _row(table, "same answer when asked again", report.repeated, "nearly all")
    for tier in report.tiers:
        _row(table, f"{tier.better} beats {tier.worse}, of pairs decided", tier.agreement, "more than half")
    console = Console()
    console.print(table)
    cost = f"{report.calls} calls" + (f", {report.usd:.4f} USD" if report.usd else ", no price given")
    console.print(Text(f"{cost}\n{report.summary}"), soft_wrap=True)


def _row(table: Table, measure: str, given: Proportion, good: str, is_complement: bool = False) -> None:
    from watercolour.reward.judge.check import Proportion, told

    shown = Proportion(given.total - given.count, given.total) if is_complement else given
    low, high = shown.interval
    share = "-" if shown.share is None else f"{shown.share:.0%}"
    table.add_row(measure, told(shown), share, f"{low:.0%} to {high:.0%}", good)
