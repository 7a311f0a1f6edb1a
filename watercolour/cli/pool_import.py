"""`watercolour pool import SOURCE -o FOLDER`: a rated pool of the open reproduction's layout, as candidates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watercolour.cli.inputs import one_line
from watercolour.errors import EXIT_FAILED, ConfigError
from watercolour.shipped import DEFAULT_MEDIUM

if TYPE_CHECKING:
    from watercolour.curate.reproduction import Imported


def import_(
    source: Annotated[str, typer.Argument(help="A folder with metadata.jsonl, or a dataset's name on the Hub.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="A folder of candidates, new or begun.")],
    medium: Annotated[str, typer.Option(help="A shipped medium or a YAML file.")] = DEFAULT_MEDIUM,
    licence: Annotated[
        str | None, typer.Option(help="Of its paintings. Default: what its README's head names.")
    ] = None,
    revision: Annotated[str | None, typer.Option(help="The dataset's commit or tag. Default: the newest.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="What came in, as one JSON object.")] = False,
) -> None:
    """Take in paintings with their tiers, and tell what is wrong with them."""
    import asyncio
    import os

    from watercolour.curate.reproduction import HUB_NAME, fetch_dataset, find_metadata, import_folder
    from watercolour.medium import load_medium
    from watercolour.progress import CountProgress
    from watercolour.runs import take_lock

    if os.path.isdir(source):
        folder = Path(source)
    elif HUB_NAME.fullmatch(source):
        folder = fetch_dataset(source, revision)
    else:
        raise ConfigError(f"{source}: no such folder, and no dataset's name such as somebody/pool")
    loaded = load_medium(medium)
    lines = sum(1 for line in find_metadata(folder).read_bytes().split(b"\n") if line.strip())
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{out}: cannot be made: {error.strerror}") from None
    lock = take_lock(out, otherwise="")
    try:
        with CountProgress(f"taking in {source}", lines) as progress:
            work = import_folder(folder, out, loaded, licence=licence, on_line=progress.advance)
            result = asyncio.run(work)
    finally:
        os.close(lock)
    _print(out, result, as_json=as_json)
    if not result.new and not result.known:
        raise typer.Exit(EXIT_FAILED)


def _print(out: Path, result: Imported, *, as_json: bool) -> None:
    from watercolour.curate.reproduction import RATER

    if as_json:
        faults = [
            {"fault": kind, "count": count, "first": result.examples[kind]} for kind, count in result.faults.items()
        ]
        counts = {name: getattr(result, name) for name in ("new", "known", "rated", "left_out")}
        typer.echo(json.dumps({"folder": str(out), **counts, "faults": faults}))
    else:
        for kind, count in result.faults.most_common():
            typer.echo(f"fault  {count:5}  {kind}; first {one_line(result.examples[kind])}")
    told = f"{result.new} new, {result.known} known before, {result.left_out} left out, {result.rated} rated"
    typer.echo(f"{out}: {told} (as rater {RATER}); painted by another renderer, so paint again what you pack", err=True)
