"""`watercolour pool photos TAXON -o FOLDER`: openly licensed photographs to paint from, with their authors' names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from watercolour.errors import EXIT_FAILED, ConfigError, InfraError

API_VARIABLE = "WATERCOLOUR_PHOTO_API"


def photos(
    taxon: Annotated[str, typer.Argument(help="A scientific or common name, or iNaturalist's number of a taxon.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where they go; go on in one begun.")],
    count: Annotated[int, typer.Option("--count", "-n", min=1, max=1000, help="How many to have in the end.")] = 24,
    size_px: Annotated[int, typer.Option(min=200, max=4096, help="The longer side, in pixels.")] = 768,
    contact: Annotated[str, typer.Option(help="Your address or page, told to the API with each request.")] = "",
    api: Annotated[
        str | None,
        typer.Option(help=f"The API's address, such as a mirror's. Default: ${API_VARIABLE}, iNaturalist's."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a new photograph.")] = False,
) -> None:
    """Fetch photographs from iNaturalist: research grade, CC0, CC BY or CC BY-SA alone, one request a second."""
    import asyncio
    import os

    from watercolour.curate.inaturalist import API, INaturalist
    from watercolour.curate.photographs import Photograph
    from watercolour.curate.photos import fetch_photos
    from watercolour.progress import CountProgress

    if not contact.isprintable() or not contact.isascii():
        raise ConfigError("--contact: must be printable ASCII, since it goes into a header")
    base_url = api or os.environ.get(API_VARIABLE) or API
    if not base_url.startswith(("https://", "http://")):
        raise ConfigError(f"--api {base_url}: must be an address such as {API}")

    def told(photo: Photograph) -> None:
        progress.advance()
        if as_json:
            typer.echo(json.dumps(photo.record()))
        else:
            typer.echo(f"{photo.file}  {photo.size[0]} x {photo.size[1]}  {photo.licence}  {photo.attribution}")

    with CountProgress(f"fetching photographs of {taxon}", count) as progress:
        fetching = fetch_photos(INaturalist(base_url, contact), taxon, out, count=count, size_px=size_px, on_photo=told)
        result = asyncio.run(fetching)
    for why, number in result.left_out.most_common():
        typer.echo(f"left out {number}: {why}", err=True)
    for name, why in result.failed.items():
        typer.echo(f"{name}: {why}", err=True)
    held = len(result.known) + len(result.new)
    typer.echo(f"{out}: {len(result.new)} new, {held} of {result.taxon.name} in all; see ATTRIBUTION.md", err=True)
    if not held and result.failed:
        raise InfraError(f"none of {len(result.failed)} photographs could be fetched; try again later")
    if held < count:
        typer.echo(f"there are no more of them: {held} of the {count} asked for", err=True)
    if not held:
        raise typer.Exit(EXIT_FAILED)
