"""Painting a pool's sources and writing its index; what is painted already, and still as it was, is left alone.

A source is TIER/NAME.js. What a person says of it (subject, generator, round, photo, licences, seed) is kept from its
line, also when the source has moved to another tier; what is measured is renewed. A new source's subject is the
medium's subject that its name tells of: `pale-peach-one-leaf` is a peach hibiscus.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from watercolour.curate.line import Line, is_torn, read_lines, told
from watercolour.errors import ConfigError
from watercolour.files import write_whole
from watercolour.medium import Medium
from watercolour.painting import Painting, RenderOutcome, read_picture
from watercolour.references import INDEX, Tier
from watercolour.render.backend import AskedBackend
from watercolour.render.libraries import LIBRARY_VERSIONS
from watercolour.render.pool import DEFAULT_SEED, RendererPool, RenderSettings
from watercolour.sketch import extract

TIMEOUT_S = 60.0

DEFAULTS = {
    "generator": "handwritten",
    "round": 0,
    "hpsv3_mu": None,
    "photo": None,
    "photo_licence": None,
    "photo_attribution": None,
    "photo_url": None,
    "licence": "Apache-2.0",
    "seed": DEFAULT_SEED,
}
"""What a line says of a new source. These are a person's to change, and are kept."""

MEASURED = frozenset(Line.model_fields) - DEFAULTS.keys() - {"subject", "p5_brush"} | {"p5.brush"}


def settings_of(medium: Medium) -> RenderSettings:
    """What a pool of this medium is painted with."""
    return RenderSettings(medium.size, frames=medium.frames, timeout_s=TIMEOUT_S)


def sources_of(folder: Path) -> list[Path]:
    """The sources of a pool, by tier and name."""
    return [path for tier in Tier for path in sorted((folder / tier).glob("*.js")) if path.is_file()]


def hash_source(source: Path) -> str:
    """SHA-256 of a source's bytes. Raises OSError."""
    return hashlib.sha256(source.read_bytes()).hexdigest()


@dataclass
class Rendered:
    """What came of painting a pool: names of sources painted now, those left alone, those that failed and why.

    `dropped` are the sources that the index named and that are no more.
    """

    lines: dict[str, Line] = field(default_factory=dict)
    painted: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    dropped: list[str] = field(default_factory=list)
    is_ours: bool = False
    """Whether one failed because the browser could not be had."""


def known_lines(folder: Path) -> dict[str, dict[str, Any]]:
    """What the index says, by source; a torn last line is left out. Raises ConfigError, naming any other such line."""
    lines = read_lines(folder)
    if lines and is_torn(lines[-1][1]):
        lines.pop()
    known: dict[str, dict[str, Any]] = {}
    for where, text in lines:
        if is_torn(text):
            raise ConfigError(f"{folder / where}: not a JSON object; mend or delete this line")
        facts = json.loads(text)
        known[str(facts.get("source"))] = facts
    return known


class PoolPainter:
    """Paints one pool. The index is written anew after each picture, so that an end at any time loses one at most."""

    def __init__(self, folder: Path, medium: Medium, *, is_forced: bool = False) -> None:
        """Raises ConfigError for a folder without sources, a source whose subject cannot be told, or a bad index."""
        self.folder = folder
        self.medium = medium
        self.is_forced = is_forced
        self.sources = {path.relative_to(folder).as_posix(): path for path in sources_of(folder)}
        if not self.sources:
            raise ConfigError(f"{folder}: holds no sources; put them at {'|'.join(Tier)}/NAME.js")
        known = known_lines(folder)
        gone = {name: facts for name, facts in known.items() if name not in self.sources}
        self.old = {name: known.get(name) or _moved(path, gone) for name, path in self.sources.items()}
        self.subjects = {name: self._subject(name) for name in self.sources}
        self.result = Rendered(dropped=list(gone))

    async def run(
        self, backend: AskedBackend, workers: int | None = None, on_done: Callable[[str], None] = lambda name: None
    ) -> Rendered:
        """Paint what needs it. `on_done` is called with each source's name.

        Raises PrerequisiteError without a browser or the GPU asked for, InfraError when a file cannot be written.
        """
        async with RendererPool(settings_of(self.medium), workers=workers, backend=backend) as pool:
            browser = await pool.browser_version()
            versions = {"backend": pool.backend.name, "browser": browser, **LIBRARY_VERSIONS}

            async def one(name: str) -> None:
                try:
                    await self._one(name, pool, versions)
                except (OSError, UnicodeDecodeError) as error:
                    self.result.failed[name] = f"cannot be read as text ({error})"
                on_done(name)

            jobs = [asyncio.ensure_future(one(name)) for name in self.sources]
            try:
                await asyncio.gather(*jobs)
            finally:
                for job in jobs:
                    job.cancel()
                await asyncio.gather(*jobs, return_exceptions=True)
        self._write()
        return self.result

    async def _one(self, name: str, pool: RendererPool, versions: dict[str, str]) -> None:
        source = self.sources[name]
        text = source.read_text("utf-8")
        digest = hash_source(source)
        now = {**self._kept(name), **versions, "source_sha256": digest, "size": self.medium.size}
        if not self.is_forced and (same := self._unchanged(name, now)):
            self.result.lines[name] = same
            self.result.kept.append(name)
            return
        painting = await pool.paint(extract(text), seed=int(now["seed"]))
        if painting.outcome is not RenderOutcome.OK:
            self.result.is_ours |= painting.outcome.is_ours
            self.result.failed[name] = "; ".join((painting.outcome.value, *painting.errors))
            return
        line = self._line(name, now, painting)
        write_whole(source.with_suffix(".png"), painting.png())
        self.result.lines[name] = line
        self.result.painted.append(name)
        self._write()

    def _kept(self, name: str) -> dict[str, Any]:
        """What a person has said of a source, keys of their own included."""
        old = self.old[name] or {}
        said = {key: value for key, value in old.items() if key not in MEASURED}
        return {**DEFAULTS, **said, "subject": self.subjects[name], "medium": self.medium.name}

    def _line(self, name: str, now: dict[str, Any], painting: Painting) -> Line:
        picture = {"sha256": painting.sha256, "coverage": round(painting.coverage, 5)}
        if painting.sha256 != (self.old[name] or {}).get("sha256"):
            now = {**now, "hpsv3_mu": None}  # the score of another picture
        return self._checked(name, {**now, **picture})

    def _unchanged(self, name: str, now: dict[str, Any]) -> Line | None:
        """The line of a picture that need not be painted again: all that decides it is as before, and it is there.

        The seed is the line's own. One changed by hand shows in `pool verify`, and is painted with `--force`.
        """
        old = self.old[name] or {}
        decides = ("source_sha256", "backend", "browser", *LIBRARY_VERSIONS)
        if any(old.get(key) != now[key] for key in decides) or old.get("size") != list(now["size"]):
            return None
        picture = self.sources[name].with_suffix(".png")
        try:
            if read_picture(picture).sha256 != old.get("sha256"):
                return None
        except (OSError, ValueError):
            return None
        return self._checked(name, {**now, "sha256": old["sha256"], "coverage": old.get("coverage")})

    def _checked(self, name: str, facts: dict[str, Any]) -> Line:
        tier = Tier(self.sources[name].parent.name)
        try:
            return Line.model_validate({**facts, "file": f"{name[:-3]}.png", "source": name, "tier": tier})
        except ValidationError as error:
            raise ConfigError(f"{self.folder / INDEX}: line of {name}: {told(error)}") from error

    def _subject(self, name: str) -> str:
        told_before = (self.old[name] or {}).get("subject")
        subject = told_before or self.medium.subject_named(Path(name).stem)
        if subject is None:
            raise ConfigError(
                f"{self.folder / name}: its name tells of none of: {', '.join(self.medium.subjects)}; rename it"
            )
        return str(subject)

    def _write(self) -> None:
        """Write the index: new lines, and the old ones of what is not yet painted."""
        texts = []
        for name in self.sources:
            old = self.old[name]
            if name in self.result.lines:
                texts.append(self.result.lines[name].text())
            elif old is not None and old.get("source") == name:
                texts.append(json.dumps(old))
        write_whole(self.folder / INDEX, "".join(f"{text}\n" for text in texts).encode())


def _moved(source: Path, gone: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
    """The line of a source that has moved to another tier or name, taken out of `gone`; None for a new source."""
    try:
        digest = hash_source(source)
    except OSError:
        return None
    for name, facts in gone.items():
        if Path(name).name == source.name or facts.get("source_sha256") == digest:
            return gone.pop(name)
    return None
