"""`watercolour train --config FILE`: the whole loop, from the configuration to a run directory."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watercolour.errors import ConfigError

if TYPE_CHECKING:
    from watercolour.config import RunConfig
    from watercolour.drift import Change
    from watercolour.runs import RunDir

OVERRIDES = "Settings to change, as in grpo.steps=24 reward.terms.taste.weight=0.5."


def train(
    overrides: Annotated[list[str] | None, typer.Argument(metavar="KEY=VALUE", help=OVERRIDES)] = None,
    config: Annotated[
        str | None, typer.Option("--config", "-c", help="A YAML file, or a shipped one's name. Default: tiny.")
    ] = None,
    name: Annotated[
        Path | None, typer.Option("--name", help="The run's folder. Default: runs/CONFIG-N, the first N that is free.")
    ] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="RUN", help="Go on with an interrupted run.")
    ] = None,
    allow_change: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-change", metavar="KEY", help="With --resume: a setting that may differ from the run's. Repeatable."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the resolved settings and the cost; start nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as one JSON object.")] = False,
) -> None:
    """Train a policy to paint. Writes runs/NAME; progress goes to stderr."""
    # Some bars of the model libraries cannot be turned off in another way, and it is read once, when tqdm is imported.
    os.environ.setdefault("TQDM_DISABLE", "1")
    from watercolour.config import load_config
    from watercolour.drift import allowed_changes
    from watercolour.runs import RunDir
    from watercolour.shipped import find_config

    changes: list[Change] = []
    if resume:
        if name:
            raise ConfigError("--resume goes on in the run's own folder: leave out --name")
        own = RunDir.open(resume).path / "config.resolved.json"
        started, given = load_config(own), ""
        run_config = load_config(find_config(config) if config else own, overrides or [])
        run_config = run_config.model_copy(update={"name": started.name})
        changes = allowed_changes(started.resolved(), run_config.resolved(), allow_change or [])
    elif allow_change:
        raise ConfigError("--allow-change goes with --resume: a new run has nothing to differ from")
    else:
        path = find_config(config or "tiny")
        run_config, given = load_config(path, overrides or []), path.read_text("utf-8")
    if dry_run:
        _print_plan(run_config, as_json=as_json)
        return
    from watercolour.training import run_training

    run = run_training(run_config, given, name=name, resume=resume, changes=changes)
    _print_outcome(run, as_json=as_json)


def _print_plan(config: RunConfig, *, as_json: bool) -> None:
    """The resolved configuration as YAML, which can be saved and used, with its cost as a comment; or both as JSON."""
    import yaml

    from watercolour.cost import estimate_cost

    cost = estimate_cost(config)
    if as_json:
        terms = [{"name": term.called, "term": term.term, "weight": term.weight} for term in config.reward.weighted]
        typer.echo(json.dumps({"cost": asdict(cost), "terms": terms, "config": config.resolved()}))
        return
    typer.echo(f"# {config.name}: {cost.describe()}")
    typer.echo("# Before step 1 each of these terms scores a painting of the pool, or the run stops:")
    for term in config.reward.weighted:
        kind = getattr(term, "kind", "")
        typer.echo(f"#   {term.weight:<6g} {term.called}" + (f" ({kind} {term.term})" if kind else ""))
    total = sum(term.weight for term in config.reward.weighted)
    typer.echo(f"#   {total:<6g} in all" + ("" if abs(total - 1) < 1e-6 else "; the weights do not sum to 1"))
    typer.echo(yaml.safe_dump(config.resolved(), sort_keys=False, allow_unicode=True, width=100).rstrip())


def _print_outcome(run: RunDir, *, as_json: bool) -> None:
    from watercolour.evaluation import eval_view
    from watercolour.progress import describe_evaluation

    metrics = run.metrics()
    rewards = [step["reward"] for step in metrics if step.get("reward") is not None]
    third = max(1, len(rewards) // 3)
    first, last = (sum(part) / len(part) if part else None for part in (rewards[:third], rewards[-third:]))
    evals = run.evals()
    sheet = run.before_after if run.before_after.is_file() else None
    outcome = {
        "run": str(run.path),
        "steps": len(metrics),
        "reward_first_third": first,
        "reward_last_third": last,
        "held_out": [{"step": each["step"], "reward": each["reward"]} for each in evals],
        "before_after": str(sheet) if sheet else None,
    }
    if as_json:
        typer.echo(json.dumps(outcome))
        return
    typer.echo(str(run.path))
    if first is not None and last is not None:
        typer.echo(
            f"{len(metrics)} steps; mean reward {first:.3f} in the first third, {last:.3f} in the last", err=True
        )
    for each in (evals[0], evals[-1]) if sheet else ():
        typer.echo(describe_evaluation(eval_view(each)), err=True)
    if sheet:
        typer.echo(f"before and after: {sheet}", err=True)
