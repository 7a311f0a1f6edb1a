"""From rated candidates to a pool: a folder that `watercolour pool verify` accepts, made whole or not at all.

Of candidates that are the same picture twice, or nearly, one is packed when all have one rating; when ratings differ,
a person has to say which holds. An old pool of the same name gives way only once the new one is whole on the disk.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from watercolour.curate.candidates import Candidate, check_inside
from watercolour.curate.likeness import find_duplicates, look_of
from watercolour.curate.line import LICENCES, Line, told
from watercolour.curate.pool_page import STUB_MARK, pool_page
from watercolour.errors import ConfigError
from watercolour.files import cannot_write, publish_folder, write_whole
from watercolour.painting import hash_pixels, read_picture
from watercolour.references import INDEX, Tier

README = "README.md"
DEFAULT_LICENCE = "Apache-2.0"
SHARE_ALIKE = "CC-BY-SA-4.0"
"""What is painted after a photograph under some CC BY-SA."""
LISTED = 5


@dataclass
class Packed:
    """What went into a pool. `left_out` says why, by candidate; `foreign` were painted by another program, and have to
    be painted again; `dropped` are files of the pool before that have no place in the new one."""

    lines: list[dict[str, object]] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    foreign: int = 0
    dropped: list[str] = field(default_factory=list)

    @property
    def counts(self) -> Counter[str]:
        """Paintings of each tier."""
        return Counter(str(line["tier"]) for line in self.lines)


def pack(
    folder: Path,
    pool: Path,
    candidates: Sequence[Candidate],
    tiers: Mapping[str, Tier],
    *,
    licence: str = DEFAULT_LICENCE,
    skips_unrated: bool = False,
    replaces: bool = False,
) -> Packed:
    """Write the rated candidates of `folder` as the pool `pool`.

    Raises ConfigError for what a person has to settle first (unrated candidates, one picture with two ratings, several
    media, files that are not what the index says, a pool that is there already), InfraError where it cannot be written.
    """
    if licence not in LICENCES:
        raise ConfigError(f"--licence {licence}: is not one of {', '.join(sorted(LICENCES))}")
    result = Packed()
    chosen = _rated(folder, candidates, tiers, result, skips_unrated=skips_unrated)
    _check_pictures(folder, chosen, tiers, result)
    kept = [candidate for candidate in chosen if candidate.id not in result.left_out]
    readme = _check_place(pool, result, replaces=replaces)
    try:
        pool.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{pool.name}-", dir=pool.resolve().parent))
        scratch.chmod(0o755)
    except OSError as error:
        cannot_write(pool, error)
    try:
        for candidate in sorted(kept, key=lambda each: (list(Tier).index(tiers[each.id]), each.subject, each.id)):
            result.lines.append(_put(folder, scratch, candidate, tiers[candidate.id], licence))
        result.foreign = sum(candidate.is_foreign for candidate in kept)
        write_whole(scratch / INDEX, "".join(f"{json.dumps(line)}\n" for line in result.lines).encode())
        write_whole(scratch / README, readme or pool_page(pool.name, result.lines).encode())
        _publish(scratch, pool)
    except OSError as error:
        cannot_write(pool, error)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return result


def _rated(
    folder: Path, candidates: Sequence[Candidate], tiers: Mapping[str, Tier], result: Packed, *, skips_unrated: bool
) -> list[Candidate]:
    unrated = [candidate.id for candidate in candidates if candidate.id not in tiers]
    if unrated and not skips_unrated:
        fix = f"rate them (`watercolour pool rate {folder}`), or leave them out with --skip-unrated"
        raise ConfigError(f"{folder}: {len(unrated)} of {len(candidates)} candidates are unrated: {fix}")
    result.left_out.update(dict.fromkeys(unrated, "unrated"))
    rated = [candidate for candidate in candidates if candidate.id in tiers]
    if not rated:
        raise ConfigError(f"{folder}: nothing is rated yet; `watercolour pool rate {folder}` does it")
    media = sorted({candidate.medium for candidate in rated})
    if len(media) > 1:
        raise ConfigError(f"{folder}: holds candidates of several media ({', '.join(media)}); a pool is of one")
    return rated


def _check_pictures(folder: Path, candidates: Sequence[Candidate], tiers: Mapping[str, Tier], result: Packed) -> None:
    """Each picture against its line's hash, and all against each other; of duplicates all but the first are left out.

    Raises ConfigError for duplicates that are rated differently.
    """
    looks = {}
    for candidate in candidates:
        path = check_inside(folder, candidate.image, candidate.id)
        try:
            pixels = read_picture(path).pixels
        except (OSError, ValueError) as error:
            raise ConfigError(f"{path}: not a readable picture ({error})") from None
        if pixels is None or hash_pixels(pixels) != candidate.sha256:
            raise ConfigError(f"{path}: is another picture than the one that was rated; see its line's sha256")
        looks[candidate.id] = look_of(pixels)
    differing = []
    for one, other, _ in find_duplicates(looks):
        if tiers[one] is not tiers[other]:
            differing.append(f"{one} ({tiers[one]}) and {other} ({tiers[other]})")
        elif one not in result.left_out:
            result.left_out[other] = f"the same picture as {one}"
    if differing:
        more = f" and {len(differing) - LISTED} more" if len(differing) > LISTED else ""
        raise ConfigError(
            f"{folder}: the same picture is rated differently: {'; '.join(differing[:LISTED])}{more}; "
            "rate both alike, or skip one"
        )


def _check_place(pool: Path, result: Packed, *, replaces: bool) -> bytes | None:
    """Whether the new pool may have this place. Gives the old one's README where a person has written it.

    Raises ConfigError for a folder that holds what packing would lose.
    """
    if not pool.exists() and not pool.is_symlink():
        return None
    if pool.is_symlink() or not pool.is_dir():
        raise ConfigError(f"{pool}: is not a folder; choose another --out")
    if not any(pool.iterdir()):
        return None
    if not (pool / INDEX).is_file():
        raise ConfigError(f"{pool}: holds other files than a pool's; choose another --out")
    if not replaces:
        raise ConfigError(f"{pool}: is a pool already; pack over it with --replace, or choose another --out")
    own = {INDEX, README, "taste", *Tier}
    strange = sorted(path.name for path in pool.iterdir() if path.name not in own)
    if strange:
        raise ConfigError(f"{pool}: holds {', '.join(strange)}, which packing would lose; move that away first")
    if (pool / "taste").exists():
        result.dropped.append("taste, which was fitted to the pool before")
    try:
        page = (pool / README).read_bytes()
    except OSError:
        return None
    return None if STUB_MARK.encode() in page else page


def _put(folder: Path, scratch: Path, candidate: Candidate, tier: Tier, licence: str) -> dict[str, object]:
    """Copy a candidate's files to their place. Gives its line of the index."""
    name = f"{tier}/{_slug(candidate.subject)}-{candidate.id}"
    (scratch / tier).mkdir(exist_ok=True)
    for kept, suffix in ((candidate.image, ".png"), (candidate.source, ".js")):
        shutil.copyfile(check_inside(folder, kept, candidate.id), scratch / f"{name}{suffix}")
    share_alike = (candidate.photo_licence or "").startswith("CC-BY-SA-")
    line: dict[str, object] = {
        "file": f"{name}.png",
        "source": f"{name}.js",
        "tier": tier.value,
        "subject": candidate.subject,
        "generator": candidate.generator,
        "round": candidate.round,
        "coverage": candidate.coverage,
        "hpsv3_mu": candidate.hpsv3_mu,
        "photo": candidate.photo,
        "photo_licence": candidate.photo_licence,
        "photo_attribution": candidate.photo_attribution,
        "photo_url": candidate.photo_url,
        "licence": candidate.licence or (SHARE_ALIKE if share_alike else licence),
        "sha256": candidate.sha256,
        "source_sha256": candidate.source_sha256,
        "seed": candidate.seed,
        "size": list(candidate.size),
        "backend": candidate.backend,
        "browser": candidate.browser,
        "p5": candidate.p5,
        "p5.brush": candidate.p5_brush,
        "medium": candidate.medium,
    }
    # What is not known of another program's picture is measured when the pool is painted again.
    unknown = {"backend": "wasm", "browser": "", "p5": "", "p5.brush": ""} if candidate.is_foreign else {}
    try:
        facts = Line.model_validate({**line, "size": candidate.size, "tier": tier, **unknown})
    except ValidationError as error:
        raise ConfigError(f"{folder}: candidate {candidate.id}: {told(error)}") from None
    if faults := facts.licence_faults():
        raise ConfigError(f"{folder}: candidate {candidate.id}: {faults[0]}")
    return line


def _publish(scratch: Path, pool: Path) -> None:
    """Give the finished folder its place; the old pool is out of the way for an instant, and back if that fails."""
    if not (pool / INDEX).is_file():
        publish_folder(scratch, pool)
        return
    before = pool.with_name(f".{pool.name}.before-{os.getpid()}")
    pool.rename(before)
    try:
        publish_folder(scratch, pool)
    except BaseException:
        with contextlib.suppress(OSError):
            before.rename(pool)
        raise
    shutil.rmtree(before, ignore_errors=True)


def _slug(subject: str) -> str:
    """A subject as part of a file's name: "a peach hibiscus" as `peach-hibiscus`."""
    words = [word for word in re.findall(r"[a-z0-9]+", subject.lower()) if word not in ("a", "an", "the")]
    return "-".join(words)[:48].strip("-") or "painting"
