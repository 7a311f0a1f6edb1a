"""Takes in a pool of the open reproduction's layout: metadata.jsonl, images/, sources/; its faults are told.

Its pictures were painted by another renderer, so they are marked as foreign: a pool packed from them has to be painted
again before a run uses it. Its tiers become the ratings of a rater of their own.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from watercolour.curate.candidates import (
    FOREIGN,
    IMAGES,
    SOURCES,
    Candidate,
    add_candidate,
    check_inside,
    read_candidates,
)
from watercolour.curate.line import LICENCES, PHOTO_LICENCES
from watercolour.curate.plan import ID_CHARACTERS
from watercolour.curate.ratings import Answer, Mode, Press, append_press, current_tiers, now, read_presses
from watercolour.curate.render import hash_source
from watercolour.errors import ConfigError, PrerequisiteError
from watercolour.files import cannot_write, cut_torn_tail, write_whole
from watercolour.medium import Medium
from watercolour.painting import Painting, RenderOutcome, read_picture
from watercolour.references import Tier
from watercolour.reward.base import ScoreContext
from watercolour.reward.gate import GateTerm
from watercolour.sketch import extract

METADATA = "metadata.jsonl"
RATER = "imported"
HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")
COVERAGE_APART = 0.02
"""How far a coverage that is told may lie from the one measured."""


@dataclass
class Imported:
    """What came in. `faults` counts, by kind, what is wrong with the data; `examples` has the first line of each."""

    new: int = 0
    known: int = 0
    rated: int = 0
    left_out: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def fault(self, kind: str, where: str) -> None:
        """Note one."""
        self.faults[kind] += 1
        self.examples.setdefault(kind, where)


def fetch_dataset(name: str, revision: str | None = None) -> Path:
    """A dataset of the Hub, or what of it is there already, as a folder.

    Raises PrerequisiteError where the Hub or the dataset cannot be reached.
    """
    from huggingface_hub import snapshot_download

    wanted = [METADATA, f"*/{METADATA}", "README.md", "*.js", "*.png", "*.jpg", "*.webp"]
    try:
        return Path(snapshot_download(name, repo_type="dataset", revision=revision, allow_patterns=wanted))
    except Exception as error:  # the library's own errors, and those of the HTTP library of the day
        told = " ".join(str(error).split())[:200]
        raise PrerequisiteError(
            f"dataset {name}: cannot be fetched ({type(error).__name__}: {told}); "
            f"`hf download --repo-type dataset {name} --local-dir FOLDER` elsewhere, and import FOLDER"
        ) from None


async def import_folder(
    source: Path,
    folder: Path,
    medium: Medium,
    *,
    licence: str | None = None,
    on_line: Callable[[], None] = lambda: None,
) -> Imported:
    """Take the paintings of `source` into the folder of candidates `folder`; those it has already are left alone.

    `licence` is that of the paintings, and wins over what the data say. Raises ConfigError for a folder of another
    layout, or whose licence is not known.
    """
    metadata = find_metadata(source)
    licence = licence or _licence_of(source)
    if licence is None:
        raise ConfigError(
            f"{source}: does not say under which licence its paintings are; give it, if you know it, with --licence"
        )
    if licence not in LICENCES:
        raise ConfigError(f"licence {licence}: is not one that a pool takes: {', '.join(sorted(LICENCES))}")
    try:
        for name in (IMAGES, SOURCES):
            (folder / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        cannot_write(folder, error)
    cut_torn_tail(folder / "candidates.jsonl")
    result = Imported()
    held = {candidate.id for candidate in read_candidates(folder, is_new=True)}
    rated = current_tiers(read_presses(folder, RATER))
    gate = GateTerm(medium.method_names, medium.size, names=medium.closed_names, strict_allowlist=True)
    seen: set[str] = set()
    for number, line in enumerate(metadata.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        on_line()
        where = f"{metadata.name}:{number}"
        taken = await _take(line, where, metadata.parent, medium, gate, licence, result)
        if taken is None:
            result.left_out += 1
            continue
        candidate, tier, picture, program = taken
        if candidate.id in seen:
            result.fault("the same picture as an earlier one", where)
            result.left_out += 1
            continue
        seen.add(candidate.id)
        if candidate.id in held:
            result.known += 1
        else:
            _copy(picture, folder / candidate.image)
            _copy(program, folder / candidate.source)
            add_candidate(
                folder, candidate.model_copy(update={"source_sha256": hash_source(folder / candidate.source)})
            )
            result.new += 1
        if tier is not None and candidate.id not in rated:
            append_press(folder, _press(candidate.id, tier))
        result.rated += tier is not None
    return result


def find_metadata(source: Path) -> Path:
    """The metadata.jsonl of a folder, or of the one split in it. Raises ConfigError where there is none, or several."""
    found = [path for path in (source / METADATA, *sorted(source.glob(f"*/{METADATA}"))) if path.is_file()]
    if len(found) != 1:
        there = f"holds {len(found)} of them" if found else "there is none in it, nor in a folder of it"
        raise ConfigError(f"{source}: is not of the layout {METADATA}, images/, sources/: {METADATA}: {there}")
    return found[0]


async def _take(
    line: bytes, where: str, root: Path, medium: Medium, gate: GateTerm, licence: str, result: Imported
) -> tuple[Candidate, Tier | None, Path, Path] | None:
    """A painting with its tier and its two files; None, with the fault noted, for one that cannot be taken in."""
    facts = _facts(line)
    if facts is None:
        result.fault("no JSON object", where)
        return None
    files = _files(facts, root, where, result)
    if files is None:
        return None
    picture, program = files
    try:
        painting = read_picture(picture)
        source = program.read_text("utf-8")
    except (OSError, ValueError) as error:
        result.fault("a picture or source that cannot be read", f"{where}: {type(error).__name__}")
        return None
    assert painting.sha256 is not None and painting.pixels is not None
    as_painted = Painting(extract(source), RenderOutcome.OK, pixels=painting.pixels, coverage=painting.coverage)
    [score] = await gate.score([as_painted], ScoreContext(run_seed=0))
    tier = _tier(facts, where, result)
    _note_faults(facts, where, painting, medium, result)
    if score.value == 0 and tier in (Tier.LOVE, Tier.OKAY):
        result.fault("of tier love or okay, and does not pass the medium's gate", f"{where}: {score.why}")
    height, width, _ = painting.pixels.shape
    name = painting.sha256[:ID_CHARACTERS]
    candidate = Candidate(
        id=name,
        image=f"{IMAGES}/{name}.png",
        source=f"{SOURCES}/{name}.js",
        subject=_said(facts, "subject") or medium.subjects[0],
        generator=_said(facts, "generator_model", "generator") or "unknown",
        medium=medium.name,
        sha256=painting.sha256,
        source_sha256=hash_source(program),
        **_photo(facts, where, result),
        licence=licence,
        round=_whole(facts.get("refinement_round", facts.get("round"))),
        gate=score.value == 1,
        why=score.why,
        coverage=round(painting.coverage, 5),
        hpsv3_mu=_number(facts.get("hpsv3_mu")),
        size=(width, height),
        backend=FOREIGN,
    )
    return candidate, tier, picture, program


def _facts(line: bytes) -> dict[str, Any] | None:
    try:
        facts = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return facts if isinstance(facts, dict) else None


def _files(facts: Mapping[str, Any], root: Path, where: str, result: Imported) -> tuple[Path, Path] | None:
    found = []
    for key in ("file_name", "source_file"):
        name = facts.get(key)
        try:
            if not isinstance(name, str) or not name:
                raise ConfigError(f"{where}: no {key}")
            found.append(check_inside(root, name, where))
        except ConfigError as error:
            result.fault(f"no such file as {key} names", str(error))
            return None
    return found[0], found[1]


def _tier(facts: Mapping[str, Any], where: str, result: Imported) -> Tier | None:
    tier = facts.get("tier")
    if tier in list(Tier):
        return Tier(str(tier))
    result.fault("no tier of love, okay and nope: taken in unrated", f"{where}: {str(tier)[:40]!r}")
    return None


def _note_faults(facts: Mapping[str, Any], where: str, painting: Painting, medium: Medium, result: Imported) -> None:
    """What can be seen to be wrong, and does not keep a painting out."""
    assert painting.pixels is not None
    height, width, _ = painting.pixels.shape
    if (width, height) != medium.size:
        result.fault("a picture of another size than the medium's canvas", f"{where}: {width} x {height}")
    told = _number(facts.get("paint_coverage"))
    if told is not None and abs(told - painting.coverage) > COVERAGE_APART:
        result.fault("another coverage than is told", f"{where}: {told:.3f}, and measured {painting.coverage:.3f}")
    if not _said(facts, "subject"):
        result.fault(f"no subject: taken for {medium.subjects[0]}", where)
    if facts.get("gate_errors"):
        result.fault("errors of its own gate", f"{where}: {str(facts['gate_errors'])[:80]}")


def _photo(facts: Mapping[str, Any], where: str, result: Imported) -> dict[str, Any]:
    """The photograph's id, licence, author and address. One whose licence no pool takes is noted."""
    photo = _said(facts, "reference_photo", "photo")
    if not photo:
        return {}
    given = _said(facts, "reference_photo_licence", "reference_photo_license", "photo_licence")
    licence = spdx(given)
    author = _said(facts, "reference_photo_attribution", "photo_attribution")
    url = _said(facts, "reference_photo_url", "photo_url")
    if licence not in PHOTO_LICENCES:
        result.fault("painted after a photograph under no licence that a pool takes", f"{where}: {given[:40]!r}")
    elif not author or not url.startswith(("https://", "http://")):
        result.fault("painted after a photograph whose author or address is not told", where)
    return {"photo": photo, "photo_licence": licence, "photo_attribution": author, "photo_url": url}


def spdx(code: str) -> str:
    """A licence's code or name as an SPDX identifier, where it is one of those that are known; else as it is given."""
    plain = re.sub(r"[\s_]+", "-", code.strip()).upper()
    plain = {"CC0": "CC0-1.0", "CC-BY": "CC-BY-4.0", "CC-BY-SA": "CC-BY-SA-4.0", "CC-0": "CC0-1.0"}.get(plain, plain)
    return next((known for known in LICENCES | PHOTO_LICENCES if known.upper() == plain), code)


def _licence_of(source: Path) -> str | None:
    """The licence that a dataset's card names in its front matter."""
    try:
        text = (source / "README.md").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    front = re.match(r"---\n(.*?)\n---", text, re.DOTALL)
    try:
        card = yaml.safe_load(front[1]) if front else None
    except yaml.YAMLError:
        return None
    given = card.get("license") if isinstance(card, dict) else None
    return spdx(given) if isinstance(given, str) else None


def _press(name: str, tier: Tier) -> Press:
    return Press(now(), RATER, RATER, f"{RATER}-{name}", Mode.RATE, (name,), Answer(tier.value), None)


def _copy(file: Path, to: Path) -> None:
    if file.suffix.lower() == ".png" or to.suffix == ".js":
        try:
            data = file.read_bytes()
        except OSError as error:
            raise ConfigError(f"{file}: cannot be read ({error.strerror})") from None
    else:
        data = read_picture(file).png()
    write_whole(to, data)


def _said(facts: Mapping[str, Any], *keys: str) -> str:
    """The first of these that is a text with something in it."""
    given = (facts.get(key) for key in keys)
    return next((" ".join(text.split()) for text in given if isinstance(text, str) and text.strip()), "")


def _whole(value: object) -> int:
    return value if type(value) is int and value >= 0 else 0


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    number = float(value) if is_number else None  # type: ignore[arg-type]
    return number if number is not None and abs(number) < 1e6 else None
