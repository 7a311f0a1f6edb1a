"""`watercolour taste fit POOL` and `watercolour taste show`: a model of somebody's ratings, and what it is worth."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from watercolour.errors import ConfigError

if TYPE_CHECKING:
    from PIL.Image import Image
    from rich.table import Table

    from watercolour.taste.metrics import Estimate
    from watercolour.taste.model import Taste
    from watercolour.taste.validate import Report

app = typer.Typer(
    name="taste", help="A model of somebody's ratings: fit one, and see what it is worth.", no_args_is_help=True
)
AsJson = Annotated[bool, typer.Option("--json", help="Print the report as one JSON object.")]


@app.command()
def fit(
    pool: Annotated[str, typer.Argument(help="A folder with pool.jsonl, or the name of a shipped pool.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Where to write it. Default: POOL/taste.")] = None,
    encoder: Annotated[
        str, typer.Option(help="efficientnet-lite0, transformers:NAME, timm:NAME or hpsv3[:FOLDER].")
    ] = "efficientnet-lite0",
    pairs: Annotated[
        Path | None, typer.Option(help="Comparisons, winner and loser a line. Default: POOL/pairs.jsonl, if there.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Draws the folds and the resamples.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Fit a taste to a pool's ratings, and measure it on held-out paintings."""
    from watercolour.shipped import find_pool
    from watercolour.taste.encoder import load_encoder
    from watercolour.taste.fit import fit_taste
    from watercolour.taste.store import FOLDER, save_taste

    folder = find_pool(pool)
    taste = fit_taste(folder, load_encoder(encoder), pairs=pairs, seed=seed, say=_say)
    out = out or folder / FOLDER
    save_taste(taste, out)
    _say(f"written to {out}")
    _print(taste, as_json=as_json)


@app.command()
def show(
    where: Annotated[str, typer.Argument(metavar="POOL_OR_MODEL", help="A pool, or the folder of a taste.")],
    sheet: Annotated[
        Path | None, typer.Option(help="Write a PNG: all paintings by held-out value, framed by rating.")
    ] = None,
    curve: Annotated[Path | None, typer.Option(help="Write a PNG: the learning curve.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what a fitted taste is worth, again."""
    from watercolour.references import read_pool
    from watercolour.shipped import find_pool
    from watercolour.taste.store import FOLDER, RECORD, load_taste

    model = Path(where)
    if not (model / RECORD).is_file():
        model = find_pool(where) / FOLDER
    taste = load_taste(model)
    pool = model.parent if (model.parent / "pool.jsonl").is_file() else Path(taste.pool)
    if sheet:
        from watercolour.taste.sheet import taste_sheet

        _write(taste_sheet(taste, read_pool(find_pool(pool))), sheet)
    if curve:
        from watercolour.taste.curve import curve_picture

        _write(curve_picture(taste.report), curve)
    _print(taste, as_json=as_json)


def _say(what: str) -> None:
    print(f"watercolour: {what}", file=sys.stderr, flush=True)


def _write(picture: Image, path: Path) -> None:
    from watercolour.files import write_whole

    if path.suffix.lower() != ".png":
        raise ConfigError(f"{path}: is written as PNG; give it a name that ends in .png")
    data = io.BytesIO()
    picture.save(data, "PNG", optimize=True)
    write_whole(path, data.getvalue())
    _say(f"written: {path}")


def _print(taste: Taste, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(_record(taste)))
        return
    from rich.console import Console

    console = Console()
    console = console if console.is_terminal else Console(width=120)
    report = taste.report
    tiers = ", ".join(f"{count} {tier}" for tier, count in report.tiers.items())
    console.print(f"{taste.pool}: {tiers}, from {report.groups} sources; {taste.encoder}, fitted {taste.fitted}")
    console.print(f"{report.folds} folds by source, {report.repeats} times; in brackets 95 % intervals over sources")
    for table in (_pairs(report), _splits(report), _calibration(report), _probes(report)):
        console.print(table)
    console.print(f"mirror image: moves the value by {report.flip_mean:.3f}, at most {report.flip_worst:.3f}")
    above = f" ({', '.join(report.nope_above_okay)})" if report.nope_above_okay else ""
    console.print(f"nope above the median okay: {len(report.nope_above_okay)} of {report.tiers['nope']}{above}")


def _record(taste: Taste) -> dict[str, Any]:
    about = {"pool": taste.pool, "encoder": taste.encoder, "fitted": taste.fitted, "seed": taste.seed}
    rated = [each.model_dump() for each in taste.rated]
    return {**about, "report": taste.report.model_dump(), "rated": rated}


def _estimate(estimate: Estimate | None) -> str:
    return "-" if estimate is None else f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def _table(title: str, *columns: str) -> Table:
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 else "right")
    return table


def _pairs(report: Report) -> Table:
    """Pair accuracy by the number of ratings, and for paint alone."""
    kinds = list(report.pairs)
    table = _table("held-out pairs the right way round (= AUC)", "ratings seen", *kinds)
    for point in report.curve:
        table.add_row(f"{point.ratings:.0f}", *(_estimate(point.pairs.get(kind)) for kind in kinds))
    table.add_section()
    table.add_row("(coverage alone)", *(_estimate(report.coverage_alone.get(kind)) for kind in kinds))
    return table


def _splits(report: Report) -> Table:
    table = _table("held-out paintings told apart", "", "AUC", "balanced accuracy", "accuracy", "majority")
    for name, split in report.splits.items():
        numbers = (split.auc, split.balanced_accuracy, split.accuracy)
        table.add_row(name, *map(_estimate, numbers), f"{split.majority:.3f}")
    table.add_row("its tier", "-", _estimate(report.three_tiers), "-", "-")
    return table


def _calibration(report: Report) -> Table:
    title = f"calibration: mean error {report.calibration_error:.3f}"
    table = _table(title, "chance of being better", "predicted", "observed", "held-out pairs")
    for each in report.calibration:
        span = f"{each.low:.1f} to {each.high:.1f}"
        table.add_row(span, f"{each.predicted:.3f}", f"{each.observed:.3f}", str(each.pairs))
    return table


def _probes(report: Report) -> Table:
    table = _table("what nobody could like", "picture", "value", "distance")
    for name, probe in report.probes.items():
        table.add_row(name, f"{probe['value']:.3f}", f"{probe['distance']:.2f}")
    return table
