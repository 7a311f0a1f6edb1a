"""`watercolour score PATH...`: what a sketch, a picture or a run's rollouts would earn, term by term, and why."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from watercolour.cli.candidates import candidate_groups, read_given
from watercolour.errors import InfraError

if TYPE_CHECKING:
    from watercolour.cli.candidates import Given
    from watercolour.config import RunConfig
    from watercolour.scoring import CandidateGroup, Scored

WORST = 3
"""How many are shown in full where there are several and the reasons are asked for."""


def score(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Sketches, replies, pictures, folders of them, rollouts (.jsonl) or a run's folder; - reads stdin.",
        ),
    ],
    config: Annotated[
        str | None,
        typer.Option("--config", "-c", help="Whose reward mix: a file or a shipped name. Default: the run's, or tiny."),
    ] = None,
    override: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a setting, as in reward.terms.gate.weight=0.2."),
    ] = None,
    references: Annotated[
        int | None, typer.Option(min=1, max=64, help="How many references the pairwise judge faces.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=2**32 - 1, help="Seed of the draw of references.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help="Browsers at work. Default: one a core.")] = None,
    why: Annotated[bool, typer.Option("--why", help=f"Of several, show the {WORST} worst in full.")] = False,
    correlate: Annotated[
        bool, typer.Option("--correlate", help="Show how independent the terms are, in place of the scores.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a file; of --correlate, one.")] = False,
) -> None:
    """Score with a reward mix, and say why. Exit 1 when anything could not be scored."""
    given = read_given(paths)
    if correlate and not given.files and config is None and not override and references is None and seed is None:
        _correlate_recorded(given, as_json=as_json)
        return
    run_config = _find_config(given, config, override or [], references, seed)
    groups = candidate_groups(given)
    each = _print_json if as_json and not correlate else _nothing
    all_scored = _score(run_config, groups, workers, each)
    if correlate:
        rows = [{name: given.value for name, given in each.reward.scores.items()} for each in all_scored]
        steps = None if given.files else [place for place, group in enumerate(groups) for _ in group.candidates]
        _print_correlations(rows, steps, as_json=as_json)
    elif not as_json:
        _print(all_scored, run_config, why=why)
    unscored = sum(each.reward.total is None for each in all_scored)
    if unscored:
        where = "the reasons are above" if not correlate else "score without --correlate to see why"
        raise InfraError(f"{unscored} of {len(all_scored)} could not be scored; {where}")


def _find_config(
    given: Given, config: str | None, overrides: Sequence[str], references: int | None, seed: int | None
) -> RunConfig:
    """The configuration asked for, or that of the run that everything is of; with the run's own seeds."""
    from watercolour.config import load_config
    from watercolour.replay import own_settings
    from watercolour.scoring import with_draw
    from watercolour.shipped import find_config

    run = given.only_run
    path = run.path / "config.resolved.json" if run and config is None else find_config(config or "tiny")
    own = own_settings(run) if run else []
    return with_draw(load_config(path, [*own, *overrides]), references, seed)


def _score(
    config: RunConfig, groups: Sequence[CandidateGroup], workers: int | None, each: Callable[[Scored], None]
) -> list[Scored]:
    import asyncio

    from watercolour.progress import CountProgress
    from watercolour.scoring import Scorer

    async def score_all() -> list[Scored]:
        done: list[Scored] = []
        total = sum(len(group.candidates) for group in groups)
        async with Scorer(config, workers=workers) as scorer:
            with CountProgress("scoring", total) as progress:
                for group in groups:
                    scored = await scorer.score(group)
                    progress.advance(len(scored))
                    for one in scored:
                        each(one)
                    done += scored
        return done

    return asyncio.run(score_all())


def _print(all_scored: Sequence[Scored], config: RunConfig, *, why: bool) -> None:
    from watercolour.cli.score_tables import make_console, print_many, print_one

    console = make_console()
    weights = {term.called: term.weight for term in config.reward.weighted}
    if len(all_scored) == 1:
        print_one(console, all_scored[0], weights)
        return
    print_many(console, all_scored, weights)
    if why:
        # What could not be scored comes first: it is what a person has to mend.
        by_total = sorted(all_scored, key=lambda each: -1.0 if each.reward.total is None else each.reward.total)
        for scored in by_total[:WORST]:
            print_one(console, scored, weights)


def _print_json(scored: Scored) -> None:
    from watercolour.cli.score_tables import score_record

    typer.echo(json.dumps(score_record(scored)))


def _nothing(scored: Scored) -> None:
    """Prints later."""


def _correlate_recorded(given: Given, *, as_json: bool) -> None:
    """From the values that runs have written down: nothing is scored again."""
    records = [record for rollouts in given.rollouts for record in rollouts.records]
    steps = [(place, record.step) for place, rollouts in enumerate(given.rollouts) for record in rollouts.records]
    rows = [{name: term.value for name, term in record.terms.items()} for record in records]
    _print_correlations(rows, steps, as_json=as_json)


def _print_correlations(
    rows: Sequence[dict[str, float | None]], steps: Sequence[object] | None, *, as_json: bool
) -> None:
    from watercolour.cli.correlations import correlate_terms, correlations_record, print_correlations
    from watercolour.cli.score_tables import make_console

    found = correlate_terms(rows, steps)
    if as_json:
        typer.echo(json.dumps(correlations_record(found)))
    else:
        print_correlations(make_console(), found)
