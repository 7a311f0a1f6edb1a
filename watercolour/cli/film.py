"""`watercolour film RUN...`: how a run's paintings change step by step, or how one painting grows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watercolour.errors import ConfigError
from watercolour.shipped import DEFAULT_MEDIUM

if TYPE_CHECKING:
    from watercolour.show.footage import Footage

SUFFIXES = (".mp4", ".webp")


def film(
    runs: Annotated[
        list[str] | None, typer.Argument(metavar="[RUN...]", help="Runs, finished or running; several make a grid.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="A .mp4 or .webp; without a suffix both. Default: the run's name, here."),
    ] = None,
    best: Annotated[bool, typer.Option("--best", help="Show each step's best painting, not its median.")] = False,
    group: Annotated[
        int | None, typer.Option(min=1, max=64, metavar="N", help="Show each step's N best side by side.")
    ] = None,
    strokes: Annotated[
        str | None,
        typer.Option(metavar="WHAT", help="Film one painting as it grows: a sketch's file, or STEP/INDEX of RUN."),
    ] = None,
    fps: Annotated[
        int | None, typer.Option(min=1, max=60, help="Steps a second. Default: so that it plays about 12 s.")
    ] = None,
    hold_last: Annotated[
        float, typer.Option("--hold-last", min=0, max=60, metavar="SECONDS", help="How long the last picture stays.")
    ] = 2.0,
    size: Annotated[
        int | None,
        typer.Option(min=64, max=2048, metavar="PIXELS", help="Side of a run's painting. Default: 600; in a grid 420."),
    ] = None,
    medium: Annotated[
        str | None, typer.Option(help="With --strokes, the medium of a sketch's file. Default: the run's, or hibiscus.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as one JSON object.")] = False,
) -> None:
    """Write a film as MP4 and as animated WebP: the median painting of each step, with its reward."""
    from watercolour.progress import CountProgress
    from watercolour.show.footage import shoot

    footage = _footage(runs or [], best=best, group=group, strokes=strokes, size=size, medium=medium)
    paths = _targets(out, footage.name)
    pace = fps or footage.fps
    with CountProgress("drawing frames", footage.count * len(paths)) as progress:
        for path in paths:
            shoot(footage, path, fps=pace, hold_s=hold_last, on_frame=progress.advance)
    if as_json:
        typer.echo(json.dumps({"files": [str(path) for path in paths], "frames": footage.count, "fps": pace}))
        return
    for path in paths:
        typer.echo(str(path))
    typer.echo(f"watercolour: {footage.count} frames, {pace} a second", err=True)


def _footage(
    runs: list[str], *, best: bool, group: int | None, strokes: str | None, size: int | None, medium: str | None
) -> Footage:
    from watercolour.show.footage import of_runs

    if strokes is None:
        if not runs:
            raise ConfigError("RUN: name a run to film, or a sketch with --strokes")
        if best and group:
            raise ConfigError("--best: does not go with --group, which shows the best first anyway")
        if medium:
            raise ConfigError("--medium: goes with --strokes")
        return of_runs(runs, best=best, group=group, side_px=size)
    if best or group:
        raise ConfigError("--strokes: films one painting; it does not go with --best or --group")
    if len(runs) > 1:
        raise ConfigError("--strokes: films one painting, so name one run at most")
    return _strokes(strokes, runs[0] if runs else None, medium, size)


def _strokes(what: str, run: str | None, medium: str | None, size: int | None) -> Footage:
    """Of a run's rollout, painted with the run's seed, or of a sketch's file."""
    import asyncio

    from watercolour.cli.inputs import read_text
    from watercolour.config import load_config
    from watercolour.medium import load_medium
    from watercolour.show.footage import of_strokes
    from watercolour.show.reel import find_rollout, open_run

    if run is None:
        reply, name = read_text(what), "painting" if what == "-" else Path(what).stem
        canvas = load_medium(medium or DEFAULT_MEDIUM)
        return asyncio.run(of_strokes(reply, name, medium=canvas, size_px=size))
    directory = open_run(run)
    rollout = find_rollout(directory, what)
    config = load_config(directory.path / "config.resolved.json")
    name = f"{directory.path.resolve().name}-step-{rollout.step}-{rollout.index}"
    canvas, seed = load_medium(medium or config.medium), config.render.seed
    return asyncio.run(of_strokes(rollout.completion, name, medium=canvas, render_seed=seed, size_px=size))


def _targets(out: Path | None, name: str) -> list[Path]:
    """The files to write: one, where its suffix says which, else both kinds. An older film gives way."""
    if out is not None and out.suffix:
        if out.suffix not in SUFFIXES:
            raise ConfigError(f"-o {out}: a film is an .mp4 or a .webp")
        return [out]
    stem = Path(name) if out is None else out / name if out.is_dir() else out
    return [stem.with_name(stem.name + suffix) for suffix in SUFFIXES]
