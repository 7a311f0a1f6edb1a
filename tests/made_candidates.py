"""A folder of candidates made in an instant: paintings of the shipped hibiscus pool under blind names, and ratings."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from watercolour.curate.candidates import IMAGES, SOURCES, Candidate, add_candidate
from watercolour.curate.ratings import Answer, Mode, Press, append_press
from watercolour.references import Reference, Tier, read_pool
from watercolour.shipped import find_pool

KEPT = "subject generator round coverage hpsv3_mu sha256 source_sha256 seed backend browser p5 p5.brush medium".split()


def pool_paintings(each: int) -> list[Reference]:
    """So many of each tier of the shipped pool."""
    pool = read_pool(find_pool("hibiscus"))
    return [reference for tier in Tier for reference in [one for one in pool if one.tier is tier][:each]]


def make_candidates(folder: Path, each: int = 2, **others: Any) -> dict[str, Tier]:
    """Fill a folder; gives the tiers that the shipped pool has for them, by id. `others` change every line."""
    tiers = {}
    for number, reference in enumerate(pool_paintings(each)):
        name = f"c{number:02}"
        for kept, place in ((reference.picture, f"{IMAGES}/{name}.png"), (reference.source, f"{SOURCES}/{name}.js")):
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(kept, folder / place)
        facts = {key: reference.facts[key] for key in KEPT}
        files = {"id": name, "image": f"{IMAGES}/{name}.png", "source": f"{SOURCES}/{name}.js"}
        add_candidate(folder, Candidate.model_validate({**facts, **files, "size": (600, 600), "gate": True, **others}))
        tiers[name] = reference.tier
    return tiers


def rate(folder: Path, tiers: Mapping[str, Tier], rater: str = "me") -> None:
    """Press the keys that give these ratings, as the rating page writes them."""
    for number, (name, tier) in enumerate(tiers.items()):
        press = f"{rater}-{number}"
        append_press(
            folder, Press("2026-01-01T00:00:00+00:00", rater, "s", press, Mode.RATE, (name,), Answer(tier.value), 2.0)
        )
