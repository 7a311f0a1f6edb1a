"""`watercolour score FILE...`: what a sketch or a picture would earn, term by term, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from watercolour.cli.inputs import PICTURE_SUFFIXES, SKETCH_SUFFIXES, one_line, read_text
from watercolour.errors import ConfigError, InfraError

if TYPE_CHECKING:
    from rich.console import Console

    from watercolour.config import RunConfig
    from watercolour.painting import Painting
    from watercolour.reward.mix import Reward


def score(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Sketches, replies, pictures or folders of them; - reads stdin."),
    ],
    config: Annotated[str, typer.Option("--config", "-c", help="Whose reward mix: a file or a shipped name.")] = "tiny",
    override: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a setting, as in reward.terms.gate.weight=0.2."),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help="Browsers at work. Default: one a core.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a file.")] = False,
) -> None:
    """Score sketches and pictures with a reward mix, and say why."""
    import asyncio

    from watercolour.config import load_config
    from watercolour.shipped import find_config

    run_config = load_config(find_config(config), override or [])
    names = [name for file in files for name in expand(file)]
    from rich.console import Console

    results = asyncio.run(_score(names, run_config, workers))
    console = Console()
    console = console if console.is_terminal else Console(width=140)
    for number, (name, painting, reward) in enumerate(zip(names, *results, strict=True)):
        if as_json:
            typer.echo(json.dumps(record(name, painting, reward)))
        elif len(names) == 1:
            _print_one(console, name, painting, reward, run_config)
        elif number == 0:
            _print_many(console, names, *results, run_config)
    if any(reward.total is None for reward in results[1]):
        raise InfraError("some could not be scored; the reasons are above")


def expand(name: str) -> list[str]:
    """A folder's sketches and pictures, or the name itself. A picture beside its own sketch is not taken twice."""
    path = Path(name)
    try:
        if name == "-" or not path.is_dir():
            if name != "-" and not path.exists():
                raise ConfigError(f"{name}: no such file or folder")
            return [name]
    except OSError as error:  # a name that is too long
        raise ConfigError(f"{name}: cannot be read ({error.strerror})") from error
    files = sorted(file for file in path.rglob("*") if file.is_file())
    sketches = [file for file in files if file.suffix in (".js", ".mjs")]
    stems = {file.with_suffix("") for file in sketches}
    pictures = [file for file in files if file.suffix.lower() in PICTURE_SUFFIXES and file.with_suffix("") not in stems]
    if not sketches and not pictures:
        raise ConfigError(f"{name}: holds no sketches (.js) and no pictures ({', '.join(PICTURE_SUFFIXES)})")
    return [str(file) for file in sorted(sketches + pictures)]


async def _score(names: list[str], config: RunConfig, workers: int | None) -> tuple[list[Painting], list[Reward]]:
    from watercolour.medium import load_medium
    from watercolour.painting import read_picture
    from watercolour.policy.tokens import policy_count
    from watercolour.render.pool import RendererPool, RenderSettings
    from watercolour.reward.base import ScoreContext
    from watercolour.reward.build import build_mix, needs_tokens
    from watercolour.sketch import extract

    medium = load_medium(config.medium)
    mix = build_mix(config, medium, count=policy_count(config.policy) if needs_tokens(config) else None)
    paintings: dict[str, Painting] = {}
    texts: dict[str, str] = {}
    for name in names:
        if Path(name).suffix.lower() in PICTURE_SUFFIXES:
            try:
                paintings[name] = read_picture(Path(name))
            except (OSError, ValueError) as error:
                raise ConfigError(f"{name}: not a readable picture ({error})") from error
        elif name == "-" or Path(name).suffix.lower() in SKETCH_SUFFIXES:
            texts[name] = read_text(name)
        else:
            raise ConfigError(f"{name}: neither a sketch ({', '.join(SKETCH_SUFFIXES)}) nor a picture")
    if texts:
        settings = RenderSettings(
            medium.size,
            frames=medium.frames,
            timeout_s=config.render.timeout_s,
            cpu_s=config.render.cpu_limit_s,
        )
        async with RendererPool(settings, workers=workers or config.render.workers) as pool:
            painted = await pool.paint_all([extract(text) for text in texts.values()], seed=config.render.seed)
        paintings |= dict(zip(texts, painted, strict=True))
    ordered = [paintings[name] for name in names]
    context = ScoreContext(run_seed=config.seed, subject=(config.subject or medium.subjects)[0])
    try:
        return ordered, await mix.score(ordered, context)
    finally:
        await mix.close()


def record(name: str, painting: Painting, reward: Reward) -> dict[str, Any]:
    """One painting's scores as plain data."""
    return {
        "file": name,
        "outcome": painting.outcome.value,
        "total": reward.total,
        "why": reward.why,
        "terms": {
            term: {"value": given.value, "why": given.why, "parts": dict(given.parts)}
            for term, given in reward.scores.items()
        },
        "left_out": list(reward.left_out),
        "skipped": list(reward.skipped),
        "coverage": round(painting.coverage, 5),
        "sha256": painting.sha256,
        "errors": list(painting.errors),
    }


def _print_one(console: Console, name: str, painting: Painting, reward: Reward, config: RunConfig) -> None:
    from rich.table import Table
    from rich.text import Text

    from watercolour.progress import number

    table = Table(title=Text(f"{name}: {painting.outcome.value}"), title_justify="left")
    for column in ("term", "value", "", "weight", "why"):
        table.add_column(column)
    weights = {term.called: term.weight for term in config.reward.weighted}
    for term, weight in weights.items():
        if term not in reward.scores:
            skipped = "not asked: the gate has decided"
            why = skipped if term in reward.skipped else "left out: a picture alone has no source"
            table.add_row(term, "-", "", f"{weight:g}", why)
            continue
        given = reward.scores[term]
        table.add_row(term, number(given.value), bar(given.value), f"{weight:g}", Text(given.why))
    possible = sum(weight for term, weight in weights.items() if term not in reward.left_out)
    table.add_section()
    table.add_row("total", number(reward.total), bar(reward.total), f"{possible:g}", Text(reward.why))
    console.print(table)
    for error in painting.errors:
        console.print(Text(f"  {one_line(error)}"))


def _print_many(
    console: Console, names: list[str], paintings: list[Painting], rewards: list[Reward], config: RunConfig
) -> None:
    from rich.table import Table
    from rich.text import Text

    from watercolour.progress import number

    weights = {term.called: term.weight for term in config.reward.weighted}
    table = Table()
    table.add_column("file", overflow="fold")
    table.add_column("outcome")
    for term, weight in weights.items():
        table.add_column(f"{term} x {weight:g}", justify="right")
    table.add_column("total", justify="right")
    table.add_column("why")
    for name, painting, reward in zip(names, paintings, rewards, strict=True):
        absent = {term: "skipped" if term in reward.skipped else "left out" for term in weights}
        values = [number(reward.scores[term].value) if term in reward.scores else absent[term] for term in weights]
        left_out = "a picture alone has no source" if reward.left_out else ""
        why = reward.why or left_out or one_line("; ".join(painting.errors))
        table.add_row(Text(name), painting.outcome.value, *values, number(reward.total), Text(why))
    console.print(table)


def bar(value: float | None, width: int = 12) -> str:
    """A bar of block characters for a value from 0 to 1; empty for None."""
    return "" if value is None else "█" * round(max(0.0, min(1.0, value)) * width)
