"""Whether a pool is what its index says: files, pictures, licences, duplicates, the gate, and the same bytes repainted.

A fault is something to mend; a warning, something to know before a run; a note, something that is as it may be.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watercolour.curate.likeness import Look, find_duplicates, look_of
from watercolour.curate.line import Line, is_torn, parse_line, read_lines
from watercolour.curate.render import hash_source, settings_of
from watercolour.errors import ConfigError
from watercolour.medium import Medium
from watercolour.painting import Painting, RenderOutcome, hash_pixels
from watercolour.references import INDEX, Reference, Tier, read_reference, require_backend
from watercolour.render.backend import BackendName
from watercolour.render.libraries import LIBRARY_VERSIONS
from watercolour.render.pool import RendererPool
from watercolour.reward.base import ScoreContext
from watercolour.reward.gate import GateTerm
from watercolour.sketch import Sketch, extract

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIN_FOR_A_DRAW = 4
"""Fewer paintings of a tier than this and a judge meets the same rivals again and again."""

MAX_MEAN_DIFFERENCE = 0.5
"""How far a picture may lie, in 8-bit steps of its mean, from one that another build or a GPU paints."""


@dataclass(frozen=True)
class Finding:
    """`where` is a file of the pool or a line of its index."""

    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


@dataclass
class Report:
    """What was found. `counts` is how many paintings there are of each tier and subject, `rendered` how many were
    painted again, `unrendered` those that could not be for a reason of ours."""

    paintings: int = 0
    rendered: int = 0
    counts: Counter[tuple[Tier, str]] = field(default_factory=Counter)
    faults: list[Finding] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unrendered: list[Finding] = field(default_factory=list)

    def record(self) -> dict[str, Any]:
        """The report as plain data."""
        counts: dict[str, dict[str, int]] = {tier: {} for tier in Tier}
        for (tier, subject), count in sorted(self.counts.items()):
            counts[tier][subject] = count
        findings = {"faults": self.faults, "unrendered": self.unrendered}
        return {
            "paintings": self.paintings,
            "rendered": self.rendered,
            "counts": counts,
            **{name: [vars(found) for found in given] for name, given in findings.items()},
            "warnings": self.warnings,
            "notes": self.notes,
        }


@dataclass(frozen=True)
class Entry:
    """A painting whose line is whole and whose files are there."""

    line: Line
    reference: Reference
    pixels: NDArray[np.uint8]


class Verifier:
    """Checks one pool: `check_files` what can be seen without a browser, then `check_renders`."""

    def __init__(self, folder: Path, medium: Medium, backend: BackendName = "wasm") -> None:
        """Raises ConfigError without an index, or when another backend than `backend` has painted the pool."""
        self.folder = folder
        self.medium = medium
        self.backend = backend
        self.report = Report()
        self.lines = read_lines(folder)
        if not self.lines:
            raise ConfigError(f"{folder / INDEX}: holds no paintings; `watercolour pool render {folder}` writes it")
        self.entries: list[Entry] = []
        self._furthest = 0.0
        self._differing: list[str] = []

    def check_files(self) -> None:
        """Index, pictures, licences, duplicates, balance, files that belong to nothing."""
        references = self._read_references()
        require_backend([reference for _, reference in references], self.backend, self.folder)
        looks: dict[str, Look] = {}
        for where, reference in references:
            self.report.paintings += 1
            self.report.counts[reference.tier, reference.subject] += 1
            line = self._line(where, reference)
            pixels = self._picture(reference)
            if pixels is not None:
                looks[str(reference.facts["file"])] = look_of(pixels)
            if line is not None and pixels is not None:
                self.entries.append(Entry(line, reference, pixels))
        for one, other, found in find_duplicates(looks):
            far = f"{found.hash_bits} of 256 bits and {found.thumbnail_mean:.1f} of 255 apart"
            self._fault(one, f"is {other} again ({far}); keep one of them")
        self._check_balance()
        self._check_strays()

    async def check_gate(self, entry: Entry, painting: Painting) -> None:
        """Whether the sketch passes the medium's gate, its closed lists included: for love and okay it has to."""
        medium = self.medium
        gate = GateTerm(medium.method_names, medium.size, names=medium.closed_names, strict_allowlist=True)
        (score,) = await gate.score([painting], ScoreContext(run_seed=0))
        if score.value == 1.0:
            return
        source = str(entry.line.source)
        if entry.line.tier is Tier.NOPE:
            self.report.notes.append(f"{source}: does not pass the gate, and need not: {score.why}")
        else:
            self._fault(source, f"does not pass the gate: {score.why}")

    async def check_sources(self) -> None:
        """The gate on the sources alone, without painting them."""
        for entry in self.entries:
            await self.check_gate(entry, _unpainted(entry))

    async def check_renders(
        self,
        workers: int | None = None,
        only: Collection[str] | None = None,
        on_done: Callable[[str], None] = lambda name: None,
    ) -> None:
        """Paint the sources again, those `only` (sources) where given, and compare. The gate sees what was painted.

        `on_done` is called with each source's name. Raises PrerequisiteError without a browser or the GPU.
        """
        chosen = [entry for entry in self.entries if only is None or entry.line.source in only]
        async with RendererPool(settings_of(self.medium), workers=workers, backend=self.backend) as pool:
            versions = {"browser": await pool.browser_version(), **LIBRARY_VERSIONS}

            async def one(entry: Entry) -> None:
                painting = await pool.paint(extract(entry.reference.sketch()), seed=entry.line.seed)
                await self._compare(entry, painting, versions)
                on_done(entry.line.source)

            await asyncio.gather(*map(one, chosen))
        if self._differing:
            self.report.notes.append(
                f"{len(self._differing)} pictures differ from what {_named(versions)} paints here, by a mean of "
                f"{self._furthest:.3f} of 255 at most; {MAX_MEAN_DIFFERENCE} is allowed between builds and on a GPU"
            )

    async def _compare(self, entry: Entry, painting: Painting, versions: dict[str, str]) -> None:
        line = entry.line
        if painting.outcome.is_ours:
            self.report.unrendered.append(Finding(line.source, "; ".join(painting.errors) or "no browser"))
            return
        self.report.rendered += 1
        await self.check_gate(entry, painting)
        if painting.outcome is not RenderOutcome.OK or painting.pixels is None:
            told = "; ".join((painting.outcome.value, *painting.errors))
            self._fault(line.source, f"does not paint any more: {' '.join(told.split())[:300]}")
            return
        again = f"watercolour pool render {self.folder} --force"
        painted_by = {"browser": line.browser, "p5": line.p5, "p5.brush": line.p5_brush}
        is_exact = painted_by == versions and self.backend == "wasm"
        if painting.sha256 != hash_pixels(entry.pixels):
            far = _mean_difference(painting.pixels, entry.pixels)
            if is_exact or far is None or far > MAX_MEAN_DIFFERENCE:
                shown = "another size" if far is None else f"a mean difference of {far:.3f} of 255"
                self._fault(line.file, f"is not what its source paints ({shown}); `{again}` paints it")
            else:
                self._furthest = max(self._furthest, far)
                self._differing.append(line.file)
        elif round(painting.coverage, 5) != line.coverage:
            told = f"coverage is {painting.coverage:.5f}, and its line says {line.coverage:g}"
            self._fault(line.file, f"{told}; `{again}` mends it")

    def _read_references(self) -> list[tuple[str, Reference]]:
        """The lines that can be read and whose files are there; a fault for each other."""
        references: list[tuple[str, Reference]] = []
        first: dict[str, str] = {}
        fix = f"`watercolour pool render {self.folder}` writes it again"
        for number, (where, text) in enumerate(self.lines, 1):
            if is_torn(text):
                kind = "is torn" if number == len(self.lines) else "is not a JSON object"
                self._fault(where, f"{kind}; {fix}")
                continue
            try:
                reference = read_reference(self.folder, text, where)
            except ConfigError as error:
                self.report.faults.append(Finding(*str(error).split(": ", 1)))
                continue
            link = self._link_in(reference)
            if link:
                self._fault(where, f"{link} is a symbolic link; a pool holds its files themselves")
                continue
            source = str(reference.facts["source"])
            if source in first:
                self._fault(where, f"{source} is listed twice, first at {first[source]}; {fix}")
                continue
            first[source] = where
            references.append((where, reference))
        return references

    def _link_in(self, reference: Reference) -> str | None:
        """The first part of a painting's paths, below the pool's folder, that is a symbolic link."""
        for name in (str(reference.facts[key]) for key in ("file", "source")):
            for part in (Path(name), *Path(name).parents[:-1]):
                if (self.folder / part).is_symlink():
                    return part.as_posix()
        return None

    def _line(self, where: str, reference: Reference) -> Line | None:
        """The line in full, checked against its source and its place."""
        try:
            line = parse_line(json.dumps(reference.facts), where)
        except ConfigError as error:
            fix = f"`watercolour pool render {self.folder}` writes what is measured"
            self.report.faults.append(Finding(where, f"{str(error).split(': ', 1)[1]}; {fix}"))
            return None
        for message in line.licence_faults():
            self._fault(line.file, message)
        source = Path(line.source)
        if source.parent.as_posix() != line.tier or Path(line.file) != source.with_suffix(".png"):
            self._fault(
                where, f"{line.source} and {line.file} do not lie at {line.tier}/NAME.js and {line.tier}/NAME.png"
            )
        if hash_source(reference.source) != line.source_sha256:
            fix = f"`watercolour pool render {self.folder}` paints it"
            self._fault(line.source, f"is not the source that its picture was painted from; {fix}")
        if line.medium != self.medium.name:
            self._fault(where, f"is of medium {line.medium}, and the pool of {self.medium.name}")
        if line.size != self.medium.size:
            self._fault(where, f"size is {line.size[0]} x {line.size[1]}, and the medium's {_size(self.medium.size)}")
        return line

    def _picture(self, reference: Reference) -> NDArray[np.uint8] | None:
        """The picture's pixels, checked against its line's hash."""
        name = str(reference.facts["file"])
        try:
            pixels = reference.painting().pixels
        except ConfigError as error:
            self._fault(name, str(error).split(": ", 1)[1])
            return None
        if pixels is None:
            return None
        if hash_pixels(pixels) != reference.sha256:
            fix = f"`watercolour pool render {self.folder}` paints it"
            self._fault(name, f"is another picture than its line says (sha256 {reference.sha256[:12]}); {fix}")
        return pixels

    def _check_balance(self) -> None:
        for tier in (Tier.LOVE, Tier.OKAY):
            count = sum(number for (given, _), number in self.report.counts.items() if given is tier)
            if count < MIN_FOR_A_DRAW:
                self.report.warnings.append(
                    f"tier {tier} has {count} paintings, and a judge draws its rivals from {MIN_FOR_A_DRAW} at least"
                )
        for subject in self.medium.subjects:
            lacking = [tier for tier in (Tier.LOVE, Tier.OKAY) if not self.report.counts[tier, subject]]
            if lacking:
                self.report.warnings.append(f"{subject}: none of tier {' nor of '.join(lacking)}")
        strange = sorted({subject for _, subject in self.report.counts} - set(self.medium.subjects))
        self.report.warnings += [f"{subject}: is no subject of the medium" for subject in strange]

    def _check_strays(self) -> None:
        """Files in the tiers' folders that no line names."""
        facts = [json.loads(text) for _, text in self.lines if not is_torn(text)]
        listed = {str(each.get(key)) for each in facts for key in ("file", "source")}
        for tier in Tier:
            for path in sorted((self.folder / tier).glob("*")):
                name = path.relative_to(self.folder).as_posix()
                if name in listed or (path.name.startswith(".") and path.suffix != ".tmp"):
                    continue
                fix = "delete it"
                if path.suffix == ".js":
                    fix = f"`watercolour pool render {self.folder}` takes it in"
                elif path.suffix == ".png" and not path.with_suffix(".js").exists():
                    fix = "it has no source: delete it"
                self._fault(name, f"is not in the index; {fix}")

    def _fault(self, where: str, message: str) -> None:
        self.report.faults.append(Finding(where, message))


def _unpainted(entry: Entry) -> Painting:
    """The painting as its line tells of it, for a gate that sees no run."""
    sketch: Sketch = extract(entry.reference.sketch())
    return Painting(sketch, RenderOutcome.OK, pixels=entry.pixels, coverage=entry.line.coverage)


def _mean_difference(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float | None:
    """Mean absolute difference in 8-bit steps; None for pictures of different sizes."""
    import numpy as np

    if one.shape != other.shape:
        return None
    return float(np.mean(np.abs(one.astype(np.int16) - other)))


def _named(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def _size(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]}"
