"""`watercolour publish RUN|POOL --to USER/NAME`: what a run or a pool holds, as a data set and a model with cards."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watercolour.errors import ConfigError

if TYPE_CHECKING:
    from watercolour.publish.bundle import Bundle

ROOT = Path("published")


def publish(
    source: Annotated[str, typer.Argument(metavar="RUN|POOL", help="A run, or a pool's folder or shipped name.")],
    to: Annotated[str, typer.Option("--to", metavar="USER/NAME", help="The repository's name, or folder:PATH.")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Where it is made first. Default: published/NAME.")
    ] = None,
    upload: Annotated[
        bool, typer.Option("--upload", "--yes", help="Upload it; without this, it is made and listed alone.")
    ] = False,
    public: Annotated[bool, typer.Option("--public", help="Make new repositories public. Default: private.")] = False,
    merged: Annotated[
        bool, typer.Option("--merged", help="Of a run, the whole model with the adapter added, not the adapter alone.")
    ] = False,
    licence: Annotated[
        str, typer.Option("--licence", metavar="ID", help="Of rollouts and paintings, as the hub calls it.")
    ] = "apache-2.0",
    as_json: Annotated[bool, typer.Option("--json", help="Print what was made as one JSON object.")] = False,
) -> None:
    """Make the folder that would be uploaded, and list it; upload it with --upload, $HF_TOKEN being the token."""
    os.environ.setdefault("TQDM_DISABLE", "1")
    from watercolour.publish.upload import check_cards, read_target, token
    from watercolour.publish.upload import upload as send

    repo, folder = read_target(to)
    if folder is not None and (upload or out is not None):
        raise ConfigError(f"--to {to}: is written there at once; leave out --upload and -o")
    key = token() if upload else None
    bundle = _build(source, repo, folder or out or ROOT / str(repo).rpartition("/")[2], licence, is_merged=merged)
    check_cards(bundle)
    addresses = []
    if repo and key:
        addresses = send(bundle, repo, key, is_public=public, say=_say)
    if as_json:
        files = [{"file": name, "bytes": size} for name, size in bundle.files()]
        told = {"out": str(bundle.out), "to": to, "rows": bundle.rows, "files": files, "uploaded": addresses}
        typer.echo(json.dumps({**told, "secrets_removed": bundle.secrets, "notes": bundle.notes}))
        return
    for name, size in bundle.files():
        typer.echo(f"{_size(size):>9}  {bundle.out / name}")
    for address in addresses:
        typer.echo(address)
    for note in bundle.notes:
        _say(note)
    if bundle.secrets:
        _say(f"what looked like a secret was taken out of {bundle.secrets} texts")
    if repo and not upload:
        what = " and ".join(bundle.parts)
        _say(f"nothing was uploaded; with --upload this goes to {repo} ({what}, {'public' if public else 'private'})")


def _build(source: str, repo: str | None, out: Path, licence: str, *, is_merged: bool) -> Bundle:
    """A pool where one is named, else a run."""
    from watercolour.publish.bundle import build_pool, build_run
    from watercolour.references import INDEX
    from watercolour.runs import RUNS, RunDir
    from watercolour.shipped import find_pool

    is_run = any(os.path.isfile(Path(folder) / "run.json") for folder in (source, RUNS / source))
    shipped = not is_run and not os.path.isdir(source) and _is_pool(source)
    if not is_run and (os.path.isfile(Path(source) / INDEX) or shipped):
        if is_merged:
            raise ConfigError("--merged: goes with a run; a pool has no model")
        return build_pool(find_pool(source), out, repo=repo, licence=licence)
    return build_run(RunDir.open(source), out, repo=repo, licence=licence, is_merged=is_merged)


def _is_pool(name: str) -> bool:
    from watercolour.shipped import find_pool

    try:
        find_pool(name)
    except ConfigError:
        return False
    return True


def _say(line: str) -> None:
    typer.echo(f"watercolour: {line}", err=True)


def _size(count: int) -> str:
    for unit, size in (("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"
