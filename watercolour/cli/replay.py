"""`watercolour replay RUN --config FILE`: a run's paintings under another mix, and how far the two agree."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from watercolour.errors import InfraError

if TYPE_CHECKING:
    from rich.console import Console

    from watercolour.comparison import Comparison, Move
    from watercolour.config import RunConfig
    from watercolour.replay import Replay
    from watercolour.runs import RunDir
    from watercolour.statistics import Correlations, Estimate


def replay(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's folder, or its name under runs/.")],
    config: Annotated[str, typer.Option("--config", "-c", help="Whose reward mix: a file or a shipped name.")],
    override: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a setting, as in reward.terms.gate.weight=0.2."),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help="Browsers at work. Default: one a core.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the comparison as one JSON object.")] = False,
) -> None:
    """Score a run's paintings with another mix, and compare. Writes runs/NAME/replays; goes on where it was stopped."""
    from watercolour.config import load_config
    from watercolour.replay import own_settings
    from watercolour.runs import RunDir
    from watercolour.shipped import find_config

    directory = RunDir.open(run)
    run_config = load_config(find_config(config), [*own_settings(directory), *(override or [])])
    replayed = _replay(directory, run_config, workers)
    compared = _compare(replayed)
    correlations = _correlate(replayed)
    if as_json:
        typer.echo(json.dumps(_record(directory, run_config, replayed, compared, correlations)))
    else:
        _print(directory, run_config, replayed, compared, correlations)
    if unscored := _unscored(replayed):
        reason = next(second.why for _, second in replayed.rollouts if second.reward is None)
        raise InfraError(
            f"{unscored} of {len(replayed.rollouts)} could not be scored ({reason}); the same command tries them again"
        )


def _replay(run: RunDir, config: RunConfig, workers: int | None) -> Replay:
    import asyncio
    from contextlib import ExitStack

    from watercolour.progress import CountProgress
    from watercolour.replay import replay

    with ExitStack() as stack:
        shown: list[CountProgress] = []

        def on_plan(count: int) -> None:
            shown.append(stack.enter_context(CountProgress("scoring", count)))

        def on_group(count: int) -> None:
            shown[0].advance(count)

        return asyncio.run(replay(run, config, workers=workers, on_plan=on_plan, on_group=on_group))


def _compare(replayed: Replay) -> Comparison:
    from watercolour.comparison import Pair, compare

    return compare(
        [
            Pair(first.step, first.index, first.reward, second.reward)
            for first, second in replayed.rollouts
            if first.reward is not None and second.reward is not None
        ]
    )


def _correlate(replayed: Replay) -> dict[str, Correlations]:
    from watercolour.cli.correlations import correlate_terms

    rows = [{name: term.value for name, term in second.terms.items()} for _, second in replayed.rollouts]
    return correlate_terms(rows, [first.step for first, _ in replayed.rollouts])


def _unscored(replayed: Replay) -> int:
    return sum(second.reward is None for _, second in replayed.rollouts)


def _record(
    run: RunDir, config: RunConfig, replayed: Replay, compared: Comparison, correlations: dict[str, Correlations]
) -> dict[str, Any]:
    from watercolour.cli.correlations import correlations_record

    return {
        "run": str(run.path),
        "config": config.name,
        "file": str(replayed.path),
        "scored": replayed.scored,
        "painted": replayed.painted,
        "unscored_first": replayed.unscored_first,
        "unscored_second": _unscored(replayed),
        **compared.record(),
        "correlations": correlations_record(correlations),
    }


def _print(
    run: RunDir, config: RunConfig, replayed: Replay, compared: Comparison, correlations: dict[str, Correlations]
) -> None:
    from rich.text import Text

    from watercolour.cli.correlations import print_correlations
    from watercolour.cli.score_tables import make_console

    console = make_console()

    def say(line: str) -> None:
        console.print(Text(line), soft_wrap=True)

    say(f"{run.path} under {config.name}: {replayed.path}")
    left_out = replayed.unscored_first, _unscored(replayed)
    say(
        f"{compared.compared} rollouts compared; left out as unscored: {left_out[0]} by the run, {left_out[1]} now"
        f" ({replayed.scored} scored now, {replayed.painted} painted again)"
    )
    if compared.compared:
        _print_agreement(console, compared)
        _print_means(console, compared)
        say("Moved most" if compared.moved else "None changed its rank")
        for move in compared.moved:
            say(_moved(replayed, move))
    print_correlations(console, correlations)


def _print_agreement(console: Console, compared: Comparison) -> None:
    from rich.table import Table

    console.print("Rank correlation with the run's reward (95 % interval over steps)", highlight=False)
    table = Table()
    for column in ("", "Spearman's rho", "Kendall's tau-b"):
        table.add_column(column)
    table.add_row("over all", _estimate(compared.spearman), _estimate(compared.kendall))
    within = compared.spearman_within
    name = f"within groups, mean of {within.groups} with spread"
    table.add_row(name, _estimate(within), _estimate(compared.kendall_within))
    console.print(table)


def _print_means(console: Console, compared: Comparison) -> None:
    """Each reward's mean by step as a line, and over the first and the last third of the steps."""
    from rich.table import Table

    from watercolour.progress import number, sparkline

    console.print(f"Mean by step, {len(compared.steps)} steps", highlight=False)
    table = Table()
    for column in ("", "first third", "last third", "by step"):
        table.add_column(column, overflow="fold")
    third = max(1, len(compared.steps) // 3)
    first, second = zip(*((step.first, step.second) for step in compared.steps), strict=True)
    for name, values in (("run's reward", first), ("this mix", second)):
        ends = (sum(part) / third for part in (values[:third], values[-third:]))
        table.add_row(name, *map(number, ends), sparkline(list(values)))
    console.print(table)


def _estimate(estimate: Estimate) -> str:
    if estimate.value is None:
        return "- (no spread)"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f} (too few groups for an interval)"
    return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def _moved(replayed: Replay, move: Move) -> str:
    """Where a rollout went, in places among all from the best, and its picture."""
    pair = move.pair
    rollout = next(first for first, _ in replayed.rollouts if (first.step, first.index) == (pair.step, pair.index))
    way = "up" if move.second_rank > move.first_rank else "down"
    picture = f"  {rollout.painting[:12]}" if rollout.painting else ""
    return (
        f"  {way} from {move.first_rank:.0%} to {move.second_rank:.0%} of the ranks: step {pair.step} rollout"
        f" {pair.index}, {pair.first:.3f} -> {pair.second:.3f}{picture}"
    )
