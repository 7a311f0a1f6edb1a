"""One side of a comparison: paintings with their tiers, by the hash of their pixels, as folders may name them anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from watercolour.curate.agreement import Agreement, agree
from watercolour.curate.rateable import Rateable, read_gallery
from watercolour.curate.ratings import read_tiers
from watercolour.errors import ConfigError
from watercolour.painting import hash_pixels, read_picture
from watercolour.references import INDEX, Reference, Tier
from watercolour.taste.pairs import RANK

POOLS_OWN = "pool"
"""In place of a rater: the tiers in pool.jsonl."""


@dataclass(frozen=True)
class Compared(Reference):
    """A painting of a side. `source` is only a name where `code` gives the sketch, or where there is none."""

    code: Callable[[], str] | None = None

    def sketch(self) -> str:
        """The JavaScript, or a text that is like no other painting's where it is not known."""
        return self.code() if self.code else self.sha256


@dataclass(frozen=True)
class Side:
    """What one person or pool says. `paintings` is by sha256."""

    name: str
    paintings: dict[str, Compared]

    @property
    def tiers(self) -> dict[str, Tier]:
        return {sha256: painting.tier for sha256, painting in self.paintings.items()}

    def counts(self) -> dict[str, int]:
        """Paintings by tier."""
        return {str(tier): sum(each is tier for each in self.tiers.values()) for tier in Tier}


@dataclass(frozen=True)
class Disagreement:
    """One painting to which the two sides give different tiers."""

    first: Compared
    second: Compared

    @property
    def apart(self) -> int:
        """1 for neighbouring tiers, 2 for love against nope."""
        return abs(RANK[self.first.tier] - RANK[self.second.tier])


def read_side(folder: Path, rater: str | None) -> Side:
    """The ratings of a folder: a rater's, or with `POOLS_OWN` the pool's; with None those, or else the only rater's.

    Raises ConfigError where there are none, or where a picture cannot be read.
    """
    gallery = read_gallery(folder)
    if rater == POOLS_OWN or (rater is None and (folder / INDEX).is_file()):
        tiers = {painting.id: painting.tier for painting in gallery.paintings if painting.tier}
        name = str(folder)
        if not tiers:
            raise ConfigError(f"{folder}: is no pool with tiers of its own ({INDEX}); name a rater instead")
    else:
        tiers = dict(read_tiers(folder, rater))
        name = f"{folder} ({rater})" if rater else str(folder)
    rated = [(painting, tiers[painting.id]) for painting in gallery.paintings if painting.id in tiers]
    if not rated:
        raise ConfigError(f"{name}: rates no painting that is there")
    compared = [_compared(painting, tier) for painting, tier in rated]
    return Side(name, {each.sha256: each for each in compared})


def agreement_of(first: Side, second: Side) -> Agreement:
    """On the paintings that both rate."""
    return agree(first.tiers, second.tiers)


def disagreements(first: Side, second: Side) -> list[Disagreement]:
    """The paintings that both rate, and not alike: furthest apart first, then by name."""
    found = [
        Disagreement(painting, second.paintings[sha256])
        for sha256, painting in first.paintings.items()
        if sha256 in second.paintings and second.paintings[sha256].tier is not painting.tier
    ]
    return sorted(found, key=lambda each: (-each.apart, each.first.name))


def _compared(painting: Rateable, tier: Tier) -> Compared:
    sha256 = painting.sha256
    if sha256 is None:
        try:
            pixels = read_picture(painting.picture).pixels
        except (OSError, ValueError) as error:
            raise ConfigError(f"{painting.picture}: not a readable picture ({error})") from error
        assert pixels is not None
        sha256 = hash_pixels(pixels)
    return Compared(
        name=painting.picture.stem,
        tier=tier,
        subject=painting.subject,
        picture=painting.picture,
        source=painting.picture.with_suffix(".js"),
        sha256=sha256,
        coverage=0.0,
        facts={},
        code=painting.code,
    )
