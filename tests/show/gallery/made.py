"""Runs to hang in galleries: made-up rewards and verdicts over the shipped pools' real paintings and sources.

Nothing in them was trained, painted or judged for the purpose; only the pictures and the sources are real.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from watercolour.references import Reference, Tier, read_pool
from watercolour.shipped import pools_dir

REASONS = (
    "The washes bleed softly into each other and the edges vary.",
    "Hard flat edges, and the colour lies in muddy blobs.",
    "A deliberate composition with layered, translucent petals.",
)
QUALITY = {Tier.LOVE: 0.85, Tier.OKAY: 0.5, Tier.NOPE: 0.15}


@cache
def hibiscus(of_each: int = 8) -> list[Reference]:
    """The first paintings of each tier of the shipped pool."""
    references = read_pool(pools_dir() / "hibiscus")
    return [each for tier in Tier for each in [one for one in references if one.tier is tier][:of_each]]


@cache
def text_of(path: Path) -> str:
    """A source, read once."""
    return path.read_text("utf-8")


def write_run(
    path: Path, *, steps: int, generations: int = 8, seed: int = 0, of_each: int = 8, source: str = ""
) -> Path:
    """A finished run's folder with all that a gallery reads. The share of good paintings rises with the steps.

    A `source` stands in for the real ones.
    """
    (path / "rollouts").mkdir(parents=True)
    references = hibiscus(of_each)
    chance = random.Random(seed)
    config = {"medium": "hibiscus", "pool": None, "render": {"seed": 1}, "grpo": {"steps": steps}}
    (path / "config.resolved.json").write_text(json.dumps(config))
    write_status(path, "finished")
    for reference in references:
        link_picture(path, reference.sha256, reference.picture)
    for step in range(1, steps + 1):
        write_step(path, step, generations, references, chance, progress=step / steps, source=source)
    return path


def write_status(path: Path, status: str) -> None:
    """run.json with how the run stands."""
    (path / "run.json").write_text(json.dumps({"status": status, "started_at": "2026-11-30T21:52:29+00:00"}))


def link_picture(path: Path, sha256: str, picture: Path) -> None:
    """A picture among the run's own, under a painting's name."""
    place = path / "images" / sha256[:2] / f"{sha256}.png"
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.exists():
        place.symlink_to(picture)


def write_step(
    path: Path,
    step: int,
    generations: int,
    references: Sequence[Reference],
    chance: random.Random,
    *,
    progress: float = 0.5,
    source: str = "",
) -> Path:
    """One step's rollouts."""
    faced = chance.sample([each for each in references if each.tier is not Tier.NOPE], 4)
    records = [rollout(step, index, faced, references, chance, progress, source) for index in range(generations)]
    file = path / "rollouts" / f"step-{step:05d}.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return file


def rollout(
    step: int,
    index: int,
    faced: Sequence[Reference],
    references: Sequence[Reference],
    chance: random.Random,
    progress: float,
    source: str,
) -> dict[str, Any]:
    """A rollout as RunDir writes it down."""
    shares = [0.05 + 0.6 * progress, 0.35, max(0.02, 0.6 - 0.6 * progress)]
    tier = chance.choices([Tier.LOVE, Tier.OKAY, Tier.NOPE], shares)[0]
    painted = chance.choice([each for each in references if each.tier is tier])
    source = source or text_of(painted.source)
    record: dict[str, Any] = {
        "step": step,
        "index": index,
        "subject": painted.subject,
        "completion": "",
        "source": source,
        "outcome": "ok",
        "errors": [],
        "coverage": painted.coverage,
        "painting": painted.sha256,
        "seconds": 0.9,
        "tokens": len(source) // 4,
        "truncated": False,
        "skipped": [],
    }
    if chance.random() < 0.25 * (1 - progress):
        return record | failed(record)
    duels = [duel(each, QUALITY[tier], chance) for each in faced]
    judged = sum(each["value"] for each in duels) / len(duels)
    length = min(1.0, record["tokens"] / 3000)
    mu = 8 * QUALITY[tier] - 2 + chance.random()
    terms = {
        "gate": term(1.0, 0.05, "passed: it runs, and the brush painted it", violations=[], notes=[]),
        "length": term(length, 0.05, f"{record['tokens']} tokens of code", tokens=record["tokens"]),
        "judge": term(judged, 0.6, "beat some of 4 references", references=duels, rivals=[], won=1, lost=1),
        "hpsv3": term(1 / (1 + 2.718 ** (-mu / 4)), 0.3, f"mu {mu:.2f}", mu=mu, sigma=1.2),
    }
    reward = sum(each["value"] * each["weight"] for each in terms.values())
    return record | {"terms": terms, "reward": reward}


def term(value: float | None, weight: float, why: str, **parts: Any) -> dict[str, Any]:
    """A TermRecord as it is written down."""
    return {"value": value, "weight": weight, "why": why, "parts": parts}


def failed(record: dict[str, Any]) -> dict[str, Any]:
    """What differs for a sketch that did not parse."""
    message = "the browser could not parse it: SyntaxError: missing ) after argument list"
    violation = {"code": "render_failed", "line": 3, "message": message}
    gate = term(0.0, 0.05, f"render_failed: {message}", violations=[violation], notes=[])
    return {
        "source": record["source"].replace(")", "", 1),
        "outcome": "syntax_error",
        "errors": ["SyntaxError: missing ) after argument list"],
        "coverage": None,
        "painting": None,
        "terms": {"gate": gate},
        "reward": 0.0,
        "skipped": ["judge", "hpsv3"],
    }


def duel(reference: Reference, quality: float, chance: random.Random) -> dict[str, Any]:
    """A verdict on a reference in both orders, as the pairwise judge writes it into its parts."""
    wins = [chance.random() < quality - 0.3 * (reference.tier is Tier.LOVE) for _ in range(2)]
    looks = [{"won": won, "reason": chance.choice(REASONS)} for won in wins]
    return {
        "name": reference.name,
        "tier": reference.tier.value,
        "value": sum(wins) / 2,
        "as_first": looks[0],
        "as_second": looks[1],
        "counted": True,
    }
