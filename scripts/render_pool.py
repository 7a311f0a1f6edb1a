"""Paint every source of a pool again and write its pool.jsonl: `python -m scripts.render_pool [FOLDER] [--backend B]`.

FOLDER is pool/hibiscus by default, B (what paints: wasm, gl or auto) is wasm. A source is TIER/NAME.js. What its line
already says (subject, rating round, licence) is kept, what is measured renewed. A new source's subject is the medium's
subject that its name tells of: `pale-peach-one-leaf` is a peach hibiscus.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

from watercolour.errors import ConfigError
from watercolour.files import write_whole
from watercolour.medium import Medium, load_medium
from watercolour.painting import Painting, RenderOutcome
from watercolour.references import INDEX, Tier
from watercolour.render.backend import AskedBackend
from watercolour.render.libraries import LIBRARY_VERSIONS
from watercolour.render.pool import DEFAULT_SEED, RendererPool, RenderSettings
from watercolour.sketch import extract

DEFAULTS = {
    "generator": "handwritten",
    "round": 0,
    "hpsv3_mu": None,
    "photo": None,
    "licence": "Apache-2.0",
}


def subject_of(medium: Medium, name: str) -> str:
    """The medium's subject that a file's name tells of. Raises ConfigError when it tells of none."""
    subject = medium.subject_named(name)
    if subject is None:
        raise ConfigError(f"{name}: its name tells of none of: {', '.join(medium.subjects)}; rename it")
    return subject


async def render_pool(folder: Path, medium: Medium, backend: AskedBackend = "wasm") -> list[dict[str, Any]]:
    """Paint all, write the pictures, and return the lines of the index, by tier and name."""
    index = folder / INDEX
    lines = [json.loads(line) for line in index.read_text("utf-8").splitlines()] if index.exists() else []
    known = {line["source"]: line for line in lines}
    sources = [path for tier in Tier for path in sorted((folder / tier).glob("*.js"))]
    settings = RenderSettings(medium.size, frames=medium.frames, timeout_s=60)
    async with RendererPool(settings, backend=backend) as pool:
        version = await pool.browser_version()

        async def paint(source: Path) -> dict[str, Any]:
            painting = await pool.paint(extract(source.read_text("utf-8")))
            return line_of(source, painting, version)

        def line_of(source: Path, painting: Painting, version: str) -> dict[str, Any]:
            if painting.outcome is not RenderOutcome.OK:
                raise ConfigError(f"{source}: {painting.outcome.value}: {'; '.join(painting.errors)}")
            write_whole(source.with_suffix(".png"), painting.png())
            name = source.relative_to(folder).as_posix()
            old = known.get(name, {})
            return {
                "file": f"{name.removesuffix('.js')}.png",
                "source": name,
                "tier": source.parent.name,
                "subject": old.get("subject") or subject_of(medium, source.stem),
                **{key: old.get(key, default) for key, default in DEFAULTS.items()},
                "coverage": round(painting.coverage, 5),
                "sha256": painting.sha256,
                "seed": DEFAULT_SEED,
                "browser": version,
                "backend": pool.backend.name,
                **LIBRARY_VERSIONS,
            }

        return list(await asyncio.gather(*map(paint, sources)))


def main() -> None:
    parser = argparse.ArgumentParser(description="Paint every source of a pool again and write its pool.jsonl.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("pool/hibiscus"))
    parser.add_argument("--backend", choices=("auto", "wasm", "gl"), default="wasm")
    args = parser.parse_args()
    folder: Path = args.folder
    lines = asyncio.run(render_pool(folder, load_medium(folder.name), args.backend))
    write_whole(folder / INDEX, "".join(json.dumps(line) + "\n" for line in lines).encode())
    for line in lines:
        print(f"{line['coverage']:6.1%}  {line['tier']:5} {line['source']}  ({line['subject']})")


if __name__ == "__main__":
    main()
