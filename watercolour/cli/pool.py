"""`watercolour pool`: a reference pool from its photographs to its check; `render` and `verify` are here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watercolour.cli import (
    pool_calibrate,
    pool_compare,
    pool_generate,
    pool_import,
    pool_pack,
    pool_photos,
    pool_rate,
    pool_show,
)
from watercolour.cli.inputs import one_line
from watercolour.errors import EXIT_FAILED, InfraError
from watercolour.render.backend import AskedBackend, BackendName

if TYPE_CHECKING:
    from watercolour.curate.render import Rendered
    from watercolour.curate.verify import Report, Verifier

FOLDER = "A pool's folder, or the name of a shipped one."
MEDIUM = "The pool's medium: a shipped name or a YAML file. Default: the one its lines name, else its folder's name."
WORKERS = "Browsers at work. Default: one a core."

app = typer.Typer(name="pool", help="A reference pool.", no_args_is_help=True, rich_markup_mode=None)
app.command("photos")(pool_photos.photos)
app.command("generate")(pool_generate.generate)
app.command("rate")(pool_rate.rate)
app.command("pack")(pool_pack.pack)
app.command("import")(pool_import.import_)
app.command("calibrate")(pool_calibrate.calibrate)
app.command("show")(pool_show.show)
app.command("compare")(pool_compare.compare)


@app.command()
def render(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help=FOLDER)],
    medium: Annotated[str | None, typer.Option(help=MEDIUM)] = None,
    backend: Annotated[
        AskedBackend, typer.Option("--backend", help="What paints: wasm, the CPU; gl, a GPU; auto, the faster here.")
    ] = "wasm",
    force: Annotated[bool, typer.Option("--force", help="Paint again what is painted already.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help=WORKERS)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a source.")] = False,
) -> None:
    """Paint the sources of a pool that are new or changed, and write its index. Exit 1 when any did not paint."""
    import asyncio

    from watercolour.curate.line import medium_of
    from watercolour.curate.render import PoolPainter, known_lines
    from watercolour.progress import CountProgress

    path = _folder(folder)
    painter = PoolPainter(path, medium_of(path, list(known_lines(path).values()), medium), is_forced=force)
    with CountProgress(f"painting {path}", len(painter.sources)) as progress:
        result = asyncio.run(painter.run(backend, workers, on_done=lambda _: progress.advance()))
    _print_rendered(path, result, as_json=as_json)
    if result.is_ours:
        raise InfraError("some sources could not be painted; `watercolour doctor` says what is wrong")
    if result.failed:
        raise typer.Exit(EXIT_FAILED)


@app.command()
def verify(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help=FOLDER)],
    medium: Annotated[str | None, typer.Option(help=MEDIUM)] = None,
    backend: Annotated[BackendName, typer.Option("--backend", help="What must have painted it: wasm or gl.")] = "wasm",
    no_render: Annotated[bool, typer.Option("--no-render", help="Check the files alone; paint nothing.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help=WORKERS)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole report as one JSON object.")] = False,
) -> None:
    """Paint a pool's sources again and check them, its pictures and its index. Exit 1 with a line for each fault."""
    import asyncio

    from watercolour.curate.line import is_torn, medium_of, read_lines
    from watercolour.curate.verify import Verifier
    from watercolour.shipped import find_pool

    path = find_pool(folder)
    lines = [json.loads(text) for _, text in read_lines(path) if not is_torn(text)]
    verifier = Verifier(path, medium_of(path, lines, medium), backend)
    asyncio.run(_verify(verifier, None if no_render else workers or 0))
    report = verifier.report
    if as_json:
        typer.echo(
            json.dumps({"pool": str(path), "medium": verifier.medium.name, "backend": backend, **report.record()})
        )
    else:
        _print_report(path, report)
    if report.unrendered:
        raise InfraError(f"{len(report.unrendered)} could not be painted; `watercolour doctor` says what is wrong")
    if report.faults:
        raise typer.Exit(EXIT_FAILED)


def _folder(name: str) -> Path:
    """A folder, which need not have an index yet, or a shipped pool's."""
    from watercolour.shipped import find_pool

    path = Path(name)
    return path if path.is_dir() else find_pool(name)


async def _verify(verifier: Verifier, workers: int | None) -> None:
    """The checks of the files, then those of renders by `workers` browsers (0: one a core), none where None."""
    from watercolour.progress import CountProgress

    verifier.check_files()
    if workers is None:
        await verifier.check_sources()
        return
    with CountProgress(f"painting {verifier.folder} again", len(verifier.entries)) as progress:
        await verifier.check_renders(workers or None, on_done=lambda _: progress.advance())


def _print_rendered(folder: Path, result: Rendered, *, as_json: bool) -> None:
    painted, failed = set(result.painted), result.failed
    for name in sorted({*result.lines, *failed}):
        line = result.lines.get(name)
        if as_json:
            facts = line.model_dump(mode="json", by_alias=True) if line else {"source": name}
            typer.echo(json.dumps({**facts, "painted": name in painted, "error": failed.get(name)}))
        elif line is None:
            typer.echo(f"{name}: {one_line(failed[name])}")
        elif name in painted:
            typer.echo(f"{line.coverage:6.1%}  {line.file}  ({line.subject})")
    for name in result.dropped:
        typer.echo(f"{name} is no more, and its line is gone", err=True)
    counts = f"{len(painted)} painted, {len(result.kept)} unchanged, {len(failed)} failed"
    typer.echo(f"{folder}: {counts}", err=True)


def _print_report(folder: Path, report: Report) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from watercolour.references import Tier

    console = Console()
    console = console if console.is_terminal else Console(width=140)
    table = Table(title=Text(str(folder)), title_justify="left")
    table.add_column("subject")
    for tier in Tier:
        table.add_column(tier, justify="right")
    for subject in sorted({subject for _, subject in report.counts}):
        table.add_row(Text(subject), *(str(report.counts[tier, subject]) for tier in Tier))
    table.add_section()
    totals = [sum(count for (given, _), count in report.counts.items() if given is tier) for tier in Tier]
    table.add_row(f"{report.paintings} in all", *map(str, totals))
    console.print(table)
    told = [
        *(f"fault    {found}" for found in report.faults),
        *(f"unpainted  {found}" for found in report.unrendered),
        *(f"warning  {warning}" for warning in report.warnings),
        *(f"note     {note}" for note in report.notes),
    ]
    for line in told:
        console.print(Text(line), soft_wrap=True)
    how = f"{report.rendered} painted again" if report.rendered else "none painted again"
    count = len(report.faults)
    verdict = "no fault" if not count else "1 fault" if count == 1 else f"{count} faults"
    console.print(Text(f"{report.paintings} paintings, {how}: {verdict}"), soft_wrap=True)
