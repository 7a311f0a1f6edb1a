"""`watercolour doctor`: what is there, what is missing, and the command that mends it."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from watercolour.errors import EXIT_MISSING


def doctor(
    config: Annotated[
        str | None, typer.Option("--config", "-c", help="Judge by what this configuration needs.")
    ] = None,
    override: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting of the configuration.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a check.")] = False,
) -> None:
    """Tell what this machine has and lacks. Exit 3 when something needed is missing."""
    import asyncio

    from rich.console import Console
    from rich.text import Text

    from watercolour.config import load_config
    from watercolour.doctor import State, examine
    from watercolour.shipped import find_config

    run_config = load_config(find_config(config), override or []) if config else None
    checks = asyncio.run(examine(run_config))
    console = Console(highlight=False, soft_wrap=True)
    styles = {State.OK: "green", State.NOTE: "yellow", State.MISSING: "bold red"}
    for check in checks:
        if as_json:
            typer.echo(json.dumps(check.record()))
            continue
        console.print(Text.assemble((f"{check.state.value:8}", styles[check.state]), f"{check.name:10}", check.detail))
        if check.fix:
            console.print(Text(f"{'':18}-> {check.fix}"))
    if any(check.state is State.MISSING for check in checks):
        raise typer.Exit(EXIT_MISSING)
