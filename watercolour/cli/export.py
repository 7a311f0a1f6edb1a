"""`watercolour export RUN OUT`: what a run has learnt, for transformers and PEFT to load."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer


def export(
    source: Annotated[
        str, typer.Argument(metavar="RUN", help="A run, whose last checkpoint is taken, or a checkpoint's folder.")
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write; it must be new or empty.")],
    merged: Annotated[
        bool, typer.Option("--merged", help="Write the whole model with the adapter added to its weights.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as one JSON object.")] = False,
) -> None:
    """Write a trained adapter, or the merged model, as safetensors that transformers and PEFT load. Prints OUT."""
    os.environ.setdefault("TQDM_DISABLE", "1")
    from watercolour.files import plain
    from watercolour.policy.export import export_adapter, export_merged

    typer.echo(f"watercolour: {'merging' if merged else 'checking'} the adapter of {source}", err=True)
    done = export_merged(source, out) if merged else export_adapter(source, out)
    if as_json:
        typer.echo(json.dumps(plain(asdict(done) | {"merged": merged})))
        return
    typer.echo(str(done.out))
    said = f"{done.tensors} adapter tensors from {done.adapter}, all in place in {done.base_class} ({done.base})"
    if done.effect is not None and done.error is not None:
        said += f"; the adapter moves a logit by {done.effect:.2g} on average, merging is off by {done.error:.2g}"
    typer.echo(f"watercolour: {said}", err=True)
