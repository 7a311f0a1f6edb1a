"""`watercolour report RUN...`: what one run or several did, as one page that opens from the disk, or as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watercolour.errors import ConfigError

if TYPE_CHECKING:
    from watercolour.show.report.build import Report
    from watercolour.show.report.evidence import Evidence

PAGE = Path("report.html")


def report(
    run: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="Runs by folder or name under runs/, or CSV files of curves.")
    ],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The page's file. Default: report.html.")] = None,
    encoder: Annotated[
        str | None,
        typer.Option(help="Also measure how far paintings are apart with this encoder, such as efficientnet-lite0."),
    ] = None,
    usd_per_hour: Annotated[float | None, typer.Option(min=0, help="What the machine costs an hour, in USD.")] = None,
    usd_per_answer: Annotated[float | None, typer.Option(min=0, help="What a judge's answer costs, in USD.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the numbers as one JSON object; write the page only with --out.")
    ] = False,
) -> None:
    """A report on runs, finished or going on: what rose, why, and what it cost. Several share their axes."""
    from watercolour.files import plain
    from watercolour.show.report.build import read_all

    page = out or (None if as_json else PAGE)
    if page is not None and page.is_dir():
        raise ConfigError(f"{page}: is a folder; name a file, as in --out {page / PAGE.name}")
    evidence = read_all(run)
    made = _make(evidence, encoder, usd_per_hour, usd_per_answer)
    if page is not None:
        _write(page, made)
    if as_json:
        typer.echo(json.dumps(plain(made.record()), allow_nan=False))
    elif page is not None:
        typer.echo(str(page))


def _make(
    evidence: list[Evidence], encoder: str | None, usd_per_hour: float | None, usd_per_answer: float | None
) -> Report:
    from watercolour.progress import CountProgress
    from watercolour.show.report.build import make_report

    if encoder is None:
        return make_report(evidence, usd_per_hour=usd_per_hour, usd_per_answer=usd_per_answer)
    with CountProgress("measuring steps", sum(len(each.steps) for each in evidence if each.rollouts)) as progress:
        return make_report(
            evidence,
            encoder=encoder,
            usd_per_hour=usd_per_hour,
            usd_per_answer=usd_per_answer,
            tick=lambda: progress.advance(1),
        )


def _write(path: Path, made: Report) -> None:
    from watercolour.files import cannot_write, write_whole

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        cannot_write(path, error)
    write_whole(path, made.page().encode("utf-8", "replace"))
