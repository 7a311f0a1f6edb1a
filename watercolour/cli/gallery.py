"""`watercolour gallery RUN...`: every painting of runs or pools as a folder that opens from disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watercolour.errors import ConfigError

if TYPE_CHECKING:
    from watercolour.show.gallery.build import Gallery
    from watercolour.show.gallery.facts import Collection


def gallery(
    what: Annotated[list[str], typer.Argument(metavar="RUN...|POOL...", help="Runs and pools: folders, or names.")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="The folder. Default: RUN/gallery for one run, else ./gallery.")
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Keep it up to date until the run ends, or Ctrl-C; the page follows.")
    ] = False,
    wall: Annotated[
        int | None, typer.Option(min=1, max=500, metavar="N", help="Also hang the reward's N favourites on one page.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides the order of the wall.")] = 0,
    films: Annotated[
        int, typer.Option(min=0, max=1000, metavar="N", help="Paint the N best again, so that they can be replayed.")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as one JSON object.")] = False,
) -> None:
    """Show every painting: sort, filter, search, open. Prints the path of the page; no server, no network."""
    from watercolour.show.gallery.build import Gallery
    from watercolour.show.gallery.facts import RunCollection, open_collection

    collections = [open_collection(name) for name in what]
    _check_names(what, collections)
    runs = [each for each in collections if isinstance(each, RunCollection)]
    if watch and not runs:
        raise ConfigError("--watch follows a run: a pool does not grow by itself")
    folder = out or (runs[0].run.path / "gallery" if len(collections) == len(runs) == 1 else Path("gallery"))
    show = Gallery(folder, collections)
    if watch:
        _watch(show, err=as_json)
    with _Pictures() as pictures:
        count = show.update(pictures.begin)
    if films:
        _film(show, films)
    hung = _hang(show, wall, seed) if wall else None
    show.sweep()
    if as_json:
        told = {"page": str(show.index), "works": count, "wall": [str(path) for path in hung] if hung else None}
        typer.echo(json.dumps(told | {"films": len(show.films())}))
        return
    if not watch:
        typer.echo(str(show.index))
    for path in hung or ():
        typer.echo(str(path))


def _check_names(what: list[str], collections: list[Collection]) -> None:
    names = [each.name for each in collections]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise ConfigError(f"{what[place]}: {name!r} is there already; name each run once, and differently")


def _watch(show: Gallery, *, err: bool) -> None:
    from watercolour.show.gallery.watch import watch

    with _Pictures() as pictures:
        show.update(pictures.begin, live=True)
    typer.echo(str(show.index), err=err)
    typer.echo("following; Ctrl-C ends it", err=True)
    watch(show, on_change=lambda count: typer.echo(f"{count} paintings", err=True))


def _film(show: Gallery, count: int) -> None:
    from watercolour.progress import CountProgress
    from watercolour.show.gallery.films import make_films
    from watercolour.show.gallery.wall import favourites

    abouts = [each.about() for each in show.collections]
    number_of = {id(work): number for number, work in show.works()}
    chosen = favourites((work for _, work in show.works() if show.has_picture(work)), count)
    wanted = [
        (work, str(about["medium"]), int(work.detail.get("facts", {}).get("seed", about["seed"])))
        for work in chosen
        for about in [abouts[number_of[id(work)]]]
    ]
    with CountProgress("painting films", len(wanted)) as progress:
        make_films(show.folder, wanted, on_done=lambda: progress.advance(1))
    show.update()


def _hang(show: Gallery, count: int, seed: int) -> tuple[Path, Path]:
    from watercolour.show.gallery.wall import favourites, shuffled, write_wall

    works = [work for _, work in show.works() if show.has_picture(work)]
    chosen = favourites(works, count)
    if not chosen:
        raise ConfigError("--wall: there is no painting with a reward or a tier yet")
    names = ", ".join(each.name for each in show.collections)
    return write_wall(show.folder, shuffled(chosen, seed), f"{names}: {len(chosen)} favourites of {len(works)}")


class _Pictures:
    """The progress of making pictures, shown once it is known how many."""

    def __init__(self) -> None:
        from contextlib import ExitStack

        self._stack = ExitStack()

    def __enter__(self) -> _Pictures:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def begin(self, count: int) -> Callable[[], None]:
        from watercolour.progress import CountProgress

        progress = self._stack.enter_context(CountProgress("making pictures", count))
        return lambda: progress.advance(1)
