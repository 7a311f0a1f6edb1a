"""`watercolour render SKETCH...`: paint sketches to PNG."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from watercolour.cli.inputs import one_line, read_text
from watercolour.errors import EXIT_FAILED, ConfigError, InfraError, WatercolourError
from watercolour.render.backend import AskedBackend
from watercolour.shipped import DEFAULT_MEDIUM
from watercolour.show.video import FilmFormat

if TYPE_CHECKING:
    from watercolour.painting import Painting


def render(
    sketches: Annotated[
        list[str], typer.Argument(metavar="SKETCH...", help="Sketches or whole model replies; - reads standard input.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="A folder, or a .png for one sketch. Default: beside each sketch."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Seed of every random number in the sketch.")] = 1,
    size: Annotated[
        int | None,
        typer.Option(min=16, max=4096, metavar="PIXELS", help="Width of the picture. Default: the canvas's."),
    ] = None,
    medium: Annotated[str, typer.Option(help="The medium whose canvas is painted on.")] = DEFAULT_MEDIUM,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help="Browsers at work. Default: one a core.")] = None,
    timeout_s: Annotated[float, typer.Option(min=0.1, help="A sketch still running after this is cut.")] = 30.0,
    trace: Annotated[bool, typer.Option("--trace", help="Show on stderr where the time of each went.")] = False,
    film: Annotated[bool, typer.Option("--film", help="Also write how the painting grew, beside the PNG.")] = False,
    film_format: Annotated[
        FilmFormat | None,
        typer.Option("--film-format", help="The film's format; implies --film. Default: mp4."),
    ] = None,
    backend: Annotated[
        AskedBackend | None,
        typer.Option("--backend", help="What paints: wasm, the CPU (default); gl, a GPU; auto, the faster here."),
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Short for --backend gl.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a sketch.")] = False,
) -> None:
    """Paint sketches to PNG files, and to films. Exit 0 when all painted, 1 when any did not."""
    import asyncio

    if gpu and backend not in (None, "gl"):
        raise ConfigError(f"--gpu is --backend gl: it does not go with --backend {backend}")
    asked: AskedBackend = "gl" if gpu else backend or "wasm"
    films = film_format or (FilmFormat.MP4 if film else None)
    if films and asked == "gl":
        raise ConfigError("only backend wasm keeps a film: leave out --film, or --gpu and --backend")
    targets = _targets(sketches, out)
    texts = [read_text(name) for name in sketches]
    from watercolour.medium import load_medium
    from watercolour.render.pool import RendererPool, RenderSettings, default_workers
    from watercolour.render.stages import heading, row, whole
    from watercolour.sketch import extract

    canvas = load_medium(medium)
    settings = RenderSettings(canvas.size, size_px=size, frames=canvas.frames, timeout_s=timeout_s)
    workers = min(workers or default_workers(), len(texts))

    unwritten: list[WatercolourError] = []

    async def paint_all() -> list[Painting]:
        async with RendererPool(
            settings, workers=workers, backend="wasm" if films else asked, trace=trace, film=films is not None
        ) as pool:
            if trace:
                typer.echo(heading(), err=True)

            async def paint(name: str, text: str, target: Path) -> Painting:
                started = time.perf_counter()
                painting = await pool.paint(extract(text), seed=seed)
                try:
                    painted = time.perf_counter()
                    png = painting.png() if painting.pixels is not None else None
                    if trace:
                        encoded = time.perf_counter()
                        stages = {**painting.stages, "encode_s": encoded - painted}
                        painting = replace(painting, stages=whole(stages, encoded - started))
                        typer.echo(row(name, painting.stages), err=True)
                    if png is not None:
                        _write(target, png)
                    written = await asyncio.to_thread(_write_film, target, painting, films) if films else None
                    _print(name, target, painting, written, as_json=as_json)
                except WatercolourError as error:  # the others still paint
                    unwritten.append(error)
                return replace(painting, film=None)

            return await asyncio.gather(*map(paint, sketches, texts, targets))

    paintings = asyncio.run(paint_all())
    if unwritten:
        raise unwritten[0]
    if any(painting.outcome.is_ours for painting in paintings):
        raise InfraError("some sketches could not be rendered; `watercolour doctor` says what is wrong")
    if any(painting.outcome != "ok" for painting in paintings):
        raise typer.Exit(EXIT_FAILED)


def _targets(sketches: list[str], out: Path | None) -> list[Path]:
    """Where each picture goes. Raises ConfigError when two would go to the same file."""
    if out is not None and out.suffix == ".png":
        if len(sketches) > 1:
            raise ConfigError(f"-o {out}: one file cannot hold {len(sketches)} pictures; name a folder")
        return [out]
    targets = []
    for name in sketches:
        source = Path("painting" if name == "-" else name)
        targets.append((source.parent if out is None else out) / f"{source.stem}.png")
    for index, target in enumerate(targets):
        if target in targets[:index]:
            raise ConfigError(
                f"{sketches[index]}: would overwrite {target} of another sketch; render them into folders"
            )
    return targets


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written ({error.strerror}); choose another place with -o") from error


def _write_film(target: Path, painting: Painting, film_format: FilmFormat) -> Path | None:
    """The film's file beside the picture's; None for a painting that was not seen to grow."""
    from watercolour.render.film import fps_of
    from watercolour.show.video import write_video

    if painting.film is None or painting.pixels is None:
        return None
    frames = list(painting.film.frames(painting.pixels))
    path = target.with_suffix(f".{film_format}")
    write_video(path, frames, fps_of(len(frames)))
    return path


def _print(name: str, target: Path, painting: Painting, film: Path | None, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(_record(name, target, painting, film)))
        return
    if painting.pixels is None:
        trouble = one_line("; ".join(painting.errors)) or "nothing was painted"
        typer.echo(f"{name}: {painting.outcome.value}, no picture: {trouble}")
        return
    trouble = f"  {one_line('; '.join(painting.errors))}" if painting.errors else ""
    typer.echo(
        f"{target}  {painting.outcome.value}  {painting.seconds:.2f} s  {painting.coverage:.1%} paint"
        f"  {(painting.sha256 or '')[:12]}{trouble}"
    )
    if film is not None:
        typer.echo(str(film))


def _record(name: str, target: Path, painting: Painting, film: Path | None) -> dict[str, Any]:
    return {
        "sketch": name,
        "png": str(target) if painting.pixels is not None else None,
        "film": str(film) if film is not None else None,
        "outcome": painting.outcome.value,
        "seconds": round(painting.seconds, 4),
        "coverage": round(painting.coverage, 5),
        "painted_by_brush": None if painting.painted_by_brush is None else round(painting.painted_by_brush, 5),
        "brush_fills": painting.brush_fills,
        "sha256": painting.sha256,
        "seed": painting.seed,
        "errors": list(painting.errors),
        "stages": {stage: round(seconds, 4) for stage, seconds in painting.stages.items()},
    }
