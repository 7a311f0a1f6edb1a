"""`watercolour pool generate -o FOLDER`: models paint candidates, a critic's words go back to them, all is counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from watercolour.cli.inputs import one_line
from watercolour.errors import EXIT_FAILED, ConfigError, InfraError
from watercolour.render.backend import AskedBackend

if TYPE_CHECKING:
    from watercolour.curate.candidates import Candidate
    from watercolour.curate.generate import Generated, Generation
    from watercolour.curate.plan import Job, Plan

NO_KEY = "none"
PRICE = "USD for a million tokens, in and out, as in 0.3,1.2"


def generate(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where they go; go on in one begun.")],
    plan_file: Annotated[Path | None, typer.Option("--plan", help="A YAML plan; flags win over it.")] = None,
    model: Annotated[list[str] | None, typer.Option(help="A model's name at the endpoint; may be repeated.")] = None,
    base_url: Annotated[str | None, typer.Option(help="The endpoint of --model and --critic.")] = None,
    key_env: Annotated[str | None, typer.Option(help=f"The variable that holds its key; {NO_KEY}: no key.")] = None,
    price: Annotated[str | None, typer.Option(help=f"What each --model costs: {PRICE}.")] = None,
    critic: Annotated[str | None, typer.Option(help="The vision model that criticises.")] = None,
    critic_price: Annotated[str | None, typer.Option(help="What it costs, likewise.")] = None,
    medium: Annotated[str | None, typer.Option(help="A shipped medium or a YAML file. Default: hibiscus.")] = None,
    subject: Annotated[list[str] | None, typer.Option(help="May be repeated. Default: all of the medium's.")] = None,
    temperature: Annotated[list[float] | None, typer.Option(help="May be repeated. Default: 0.8.")] = None,
    samples: Annotated[int | None, typer.Option(help="Paintings of each model, subject and temperature.")] = None,
    photos: Annotated[str | None, typer.Option(help="A folder of `pool photos`: each starts from one.")] = None,
    rounds: Annotated[int | None, typer.Option(help="Critiques of each painting. Default: 3.")] = None,
    probe: Annotated[
        int | None, typer.Option(help="Look at so many first replies of a model, and drop it where most fail the gate.")
    ] = None,
    max_calls: Annotated[int | None, typer.Option(help="The folder's budget in calls, over all runs.")] = None,
    max_usd: Annotated[float | None, typer.Option(help="The folder's budget in dollars, over all runs.")] = None,
    backend: Annotated[AskedBackend, typer.Option("--backend", help="What paints: wasm, gl or auto.")] = "wasm",
    workers: Annotated[int | None, typer.Option(min=1, max=64, help="Browsers. Default: one a core.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it takes, and stop.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a new candidate.")] = False,
) -> None:
    """Have models paint candidates for a pool. Exit 1 when some are unfinished; the same command goes on with them."""
    import os

    from watercolour.curate.generate import Generation
    from watercolour.curate.photographs import read_photographs
    from watercolour.curate.plan import jobs_of, load_plan
    from watercolour.medium import load_medium
    from watercolour.runs import take_lock

    if not model and (price or (base_url and not critic)):
        raise ConfigError("--base-url and --price speak of --model: name one, or write them into the --plan")
    models = [{"model": name, **_endpoint(base_url, key_env), **_price(price, "--price")} for name in model or []]
    judge = {**_endpoint(base_url, key_env), **_price(critic_price, "--critic-price")}
    said: dict[str, Any] = {
        "models": models or None,
        "medium": medium,
        "subjects": subject or None,
        "temperatures": temperature or None,
        "samples": samples,
        "photos": photos,
        "rounds": rounds,
        "probe": probe,
        "max_calls": max_calls,
        "max_usd": max_usd,
        "critic.model": critic,
    }
    flags = {key: value for key, value in said.items() if value is not None}
    plan = load_plan(plan_file, flags | {f"critic.{key}": value for key, value in judge.items()})
    photo_folder = Path(plan.photos) if plan.photos else None
    jobs = jobs_of(plan, load_medium(plan.medium), read_photographs(photo_folder) if photo_folder else [])
    _say_plan(plan, jobs)
    if dry_run:
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{out}: cannot be made: {error.strerror}") from None
    lock = take_lock(out, otherwise="")
    try:
        generation = Generation(out, plan, load_medium(plan.medium), photo_folder)
        result = _run(generation, jobs, backend, workers, as_json=as_json)
    finally:
        os.close(lock)
    _print_summary(generation, result)
    if result.out_of_budget:
        fix = "raise it and run again, or take what is painted as it is with --rounds 0"
        raise ConfigError(f"{out}: {result.out_of_budget}: {fix}")
    if result.unfinished:
        raise InfraError(f"{_paintings(len(result.unfinished))} unfinished; the same command goes on with them")
    if not result.new and not result.known:
        raise typer.Exit(EXIT_FAILED)


def _paintings(count: int) -> str:
    return "1 painting is" if count == 1 else f"{count} paintings are"


def _endpoint(base_url: str | None, key_env: str | None) -> dict[str, Any]:
    given: dict[str, Any] = {"base_url": base_url} if base_url else {}
    return {**given, "key_env": None if key_env == NO_KEY else key_env} if key_env else given


def _price(text: str | None, flag: str) -> dict[str, float]:
    if text is None:
        return {}
    try:
        spent, written = (float(part) for part in text.split(","))
    except ValueError:
        raise ConfigError(f"{flag} {text}: must be two numbers: {PRICE}") from None
    return {"usd_per_million_input_tokens": spent, "usd_per_million_output_tokens": written}


def _say_plan(plan: Plan, jobs: list[Job]) -> None:
    calls = len(jobs) * (1 + 2 * plan.rounds)
    limits = [
        f"{name} {limit:g}" for name, limit in (("max_calls", plan.max_calls), ("max_usd", plan.max_usd)) if limit
    ]
    told = f"{len(jobs)} paintings by {', '.join(model.model for model in plan.models)}"
    critic = f", criticised by {plan.critic.model} (rounds: {plan.rounds})" if plan.rounds else ""
    typer.echo(f"{told}{critic}: {calls} calls at most ({', '.join(limits) or 'no limit is set'})", err=True)


def _run(
    generation: Generation, jobs: list[Job], backend: AskedBackend, workers: int | None, *, as_json: bool
) -> Generated:
    import asyncio

    from watercolour.progress import CountProgress

    def told(candidate: Candidate | None) -> None:
        progress.advance()
        if candidate is None:
            return
        if as_json:
            typer.echo(json.dumps(candidate.record()))
        else:  # without the model's name, since who reads this rates them next
            shown = f"{candidate.image}  {candidate.coverage:6.1%}  round {candidate.round}  {candidate.subject}"
            typer.echo(shown)

    with CountProgress(f"painting {generation.folder}", len(jobs)) as progress:
        return asyncio.run(generation.run(jobs, backend, workers, on_done=told))


def _print_summary(generation: Generation, result: Generated) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(stderr=True)
    console = console if console.is_terminal else Console(stderr=True, width=120)
    table = Table(title=Text(str(generation.folder)), title_justify="left")
    table.add_column("model")
    for column in ("first replies that pass", "new candidates", "calls so far", "USD so far"):
        table.add_column(column, justify="right")
    new = [candidate.generator for candidate in result.new]
    for model in generation.plan.models:
        first = result.first.get(model.model)
        passed = f"{first[True]} of {first.total()}" if first else "-"
        if model.model in result.dropped:
            passed = "{} of {}: dropped".format(*result.dropped[model.model])
        table.add_row(Text(model.model), passed, str(new.count(model.model)), *_spent(generation, model.model))
    if generation.plan.rounds:
        critic = generation.plan.critic.model
        table.add_row(Text(f"{critic} (critic)"), "", "", *_spent(generation, critic))
    total = generation.ledger.total
    table.add_section()
    table.add_row("all", "", str(len(new)), str(total.calls), f"{total.usd:.4f}" if total.usd else "no price given")
    console.print(table)
    for name, why in result.refused.items():
        typer.echo(f"refused   {name}, first: {one_line(why)}", err=True)
    for name, why in result.unfinished.items():
        typer.echo(f"unfinished {name}: {one_line(why)}", err=True)
    counts = [
        f"{len(result.new)} new candidates",
        f"{result.known} known before",
        f"{len(result.failed)} of which no round passed the gate",
        *([f"{len(result.duplicates)} the same picture as another"] if result.duplicates else []),
        *([f"{len(result.unfinished)} unfinished"] if result.unfinished else []),
    ]
    typer.echo(f"{generation.folder}: {', '.join(counts)}; {generation.ledger.calls} calls now", err=True)


def _spent(generation: Generation, model: str) -> tuple[str, str]:
    spent = generation.ledger.spent.get(model)
    return (str(spent.calls), f"{spent.usd:.4f}") if spent else ("0", "-")
