"""`watercolour sft --config FILE`: an adapter that has learnt the pool's sources, for a run to start from."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from watercolour.config import RunConfig
    from watercolour.policy.sft import GateRate, SftReport


def sft(
    overrides: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY=VALUE", help="Settings to change, as in sft.steps=24 sft.learning_rate=1e-3."),
    ] = None,
    config: Annotated[
        str | None, typer.Option("--config", "-c", help="A YAML file, or a shipped one's name. Default: tiny.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The folder to write, a new one. Default: runs/CONFIG-sft.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print which sources would be learnt; start nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as one JSON object.")] = False,
) -> None:
    """Train an adapter on the pool's sources, loved ones first. Prints its folder, for policy.init_adapter."""
    os.environ.setdefault("TQDM_DISABLE", "1")
    from watercolour.config import load_config
    from watercolour.policy.sft import refuse_existing, run_sft
    from watercolour.progress import CountProgress
    from watercolour.runs import RUNS
    from watercolour.shipped import find_config

    run_config = load_config(find_config(config or "tiny"), overrides or [])
    out = out or RUNS / f"{run_config.name}-sft"
    refuse_existing(out)
    if dry_run:
        _print_plan(run_config, out, as_json=as_json)
        return
    with CountProgress("training on the pool's sources", run_config.sft.steps) as progress:

        def on_step(step: int, steps: int, loss: float) -> None:
            progress.advance()
            if step % max(1, steps // 10) == 0:
                _say(f"step {step}/{steps}  loss {loss:.3f}")

        report = run_sft(run_config, out, say=_say, on_step=on_step)
    _print_report(report, as_json=as_json)


def _print_plan(config: RunConfig, out: Path, *, as_json: bool) -> None:
    from watercolour.medium import load_medium
    from watercolour.policy.load import find_policy, policy_folder
    from watercolour.policy.sft import split_pool, without_long
    from watercolour.references import read_pool
    from watercolour.shipped import find_pool

    settings = config.sft
    split = split_pool(read_pool(find_pool(config.pool or load_medium(config.medium).pool)), settings)
    max_tokens = settings.max_tokens or config.grpo.max_completion_tokens
    known = find_policy(config.policy) is not None
    if known:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(policy_folder(config.policy))
        split = without_long(split, max_tokens, tokenizer)
    counts = split.counts()
    if as_json:
        plan = {"out": str(out), "sources": counts, "max_tokens": max_tokens, "tokens_counted": known}
        typer.echo(json.dumps(plan | {"sft": settings.model_dump(mode="json")}))
        return
    long = (
        f"{counts['too_long']} of over {max_tokens} tokens are left out" if known else "their length is not known yet"
    )
    typer.echo(
        f"{counts['loved']} loved and {counts['okay']} okay sources to learn, {counts['held_out']} held out; {long}"
    )
    typer.echo(
        f"{settings.steps} steps of {settings.batch_size}, {settings.samples} replies before and after; to {out}"
    )


def _print_report(report: SftReport, *, as_json: bool) -> None:
    from watercolour.files import plain

    if as_json:
        typer.echo(json.dumps(plain(asdict(report))))
        return
    typer.echo(str(report.out))
    if report.loss_before is not None and report.loss_after is not None:
        held = report.sources["held_out"]
        _say(f"loss on {held} held-out sources {report.loss_before:.3f} -> {report.loss_after:.3f}")
    if report.gate_before and report.gate_after:
        _say(f"through the gate {_rate(report.gate_before)} -> {_rate(report.gate_after)} replies")
    _say(f"start a run from it: watercolour train policy.init_adapter={report.out}")


def _rate(rate: GateRate) -> str:
    return f"{rate.passed}/{rate.judged}"


def _say(what: str) -> None:
    print(f"watercolour: {what}", file=sys.stderr, flush=True)
