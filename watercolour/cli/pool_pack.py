"""`watercolour pool pack FOLDER -o POOL`: rated candidates as a pool that training, judging and tastes can use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def pack(
    folder: Annotated[Path, typer.Argument(help="A folder of candidates, rated with `pool rate`.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="POOL", help="The pool's folder.")],
    rater: Annotated[str | None, typer.Option(help="Whose ratings, where several rated.")] = None,
    licence: Annotated[str, typer.Option(help="Of what is not painted after a CC BY-SA photograph.")] = "Apache-2.0",
    skip_unrated: Annotated[bool, typer.Option("--skip-unrated", help="Leave out what has no rating.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of a pool that is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="What was packed, as one JSON object.")] = False,
) -> None:
    """Pack rated candidates into a pool. It appears whole or not at all, and nothing of an old one is left in it."""
    from watercolour.curate.candidates import read_candidates
    from watercolour.curate.pack import pack as pack_pool
    from watercolour.curate.ratings import read_tiers
    from watercolour.references import Tier

    packed = pack_pool(
        folder,
        out,
        read_candidates(folder),
        read_tiers(folder, rater),
        licence=licence,
        skips_unrated=skip_unrated,
        replaces=replace,
    )
    counts = {tier.value: packed.counts[tier.value] for tier in Tier}
    if as_json:
        facts = {"pool": str(out), "tiers": counts, "left_out": packed.left_out, "foreign": packed.foreign}
        typer.echo(json.dumps(facts))
    else:
        typer.echo(f"{out}: {len(packed.lines)} paintings: {', '.join(f'{n} {tier}' for tier, n in counts.items())}")
    for name, why in packed.left_out.items():
        typer.echo(f"left out  {name}: {why}", err=True)
    for name in packed.dropped:
        typer.echo(f"dropped   {name}", err=True)
    if packed.foreign:
        typer.echo(
            f"{packed.foreign} were painted by another program; `watercolour pool render {out}` paints them here",
            err=True,
        )
