"""The command line: assembles the commands and turns errors into one line and an exit code."""

from __future__ import annotations

import io
import logging
import os
import signal
import sys

import typer

from watercolour import __version__
from watercolour.cli import (
    doctor,
    export,
    film,
    gallery,
    judge,
    paint,
    pool,
    publish,
    render,
    replay,
    report,
    score,
    sft,
    taste,
    train,
)
from watercolour.errors import EXIT_FAILED, WatercolourError

app = typer.Typer(
    name="watercolour",
    help="Train a language model to paint: it writes p5.brush programs, a browser paints them, taste is the reward.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("train")(train.train)
app.command("sft")(sft.sft)
app.command("render")(render.render)
app.command("score")(score.score)
app.command("replay")(replay.replay)
app.command("report")(report.report)
app.command("export")(export.export)
app.command("gallery")(gallery.gallery)
app.command("paint")(paint.paint)
app.command("film")(film.film)
app.command("publish")(publish.publish)
app.command("doctor")(doctor.doctor)
app.add_typer(judge.app)
app.add_typer(pool.app)
app.add_typer(taste.app)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"watercolour {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
    verbose: bool = typer.Option(False, "--verbose", "-v", help="Say more on stderr; show tracebacks."),
) -> None:
    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.WARNING, format="watercolour: %(message)s", stream=sys.stderr
    )
    if not verbose:
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)


def main() -> None:
    """Entry point. Exit codes: 0 ok, 1 failed, 2 usage or config, 3 missing prerequisite, 130 interrupted."""
    # What ends a service or a batch job is to end us as Ctrl-C does: tidied up, with a run that can be resumed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app()
    except WatercolourError as error:
        if logging.getLogger().isEnabledFor(logging.DEBUG):
            raise
        print(f"watercolour: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except OSError as error:
        # What names no file is standard output that takes no more, as on a full disk.
        if error.filename is not None or logging.getLogger().isEnabledFor(logging.DEBUG):
            raise
        print(f"watercolour: standard output cannot be written ({error.strerror or error})", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python tries once more as it ends, and says so
        sys.exit(EXIT_FAILED)
