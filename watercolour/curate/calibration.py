"""Which candidates make good rivals for a run: its paintings against each candidate, by the pairwise judge.

A candidate that a run always beats, or never, tells its paintings apart no more than a constant does. Those in between
are rungs. What the judge did not answer is left out and counted, never taken for a loss.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from watercolour.curate.candidates import INDEX, check_inside, read_candidates
from watercolour.curate.ratings import RATINGS, read_tiers
from watercolour.errors import ConfigError
from watercolour.medium import Medium
from watercolour.painting import hash_pixels, read_picture
from watercolour.references import Tier, read_pool
from watercolour.reward.judge.asking import Asker
from watercolour.reward.judge.duel import Duel, fight
from watercolour.reward.judge.flight import run_together
from watercolour.reward.judge.pictures import Picture, picture_of_reference
from watercolour.reward.judge.prompt import pairwise_prompt
from watercolour.runs import RolloutRecord, RunDir
from watercolour.shipped import find_pool

LOWEST, HIGHEST = 0.25, 0.75
"""The win rates, 0..1, between which a candidate is a rung."""
FEWEST = 4
"""A draw takes its rivals from so many of a tier at least."""


@dataclass(frozen=True)
class Rival:
    """A candidate or a pool's painting, with its rating where it has one."""

    id: str
    tier: Tier | None
    picture: Picture


@dataclass
class Standing:
    """How a run fares against one rival: its duels' values (1 won, 0.5 tied, 0 lost), and how many had no answer."""

    rival: Rival
    values: list[float] = field(default_factory=list)
    unresolved: int = 0
    why_unresolved: str = ""

    @property
    def win_rate(self) -> float | None:
        """The run's mean over the duels that were answered; None of none."""
        return fmean(self.values) if self.values else None

    @property
    def kind(self) -> str:
        """`rung`, `too easy` (the run nearly always wins), `too hard`, or `unresolved`."""
        rate = self.win_rate
        if rate is None:
            return "unresolved"
        return "too hard" if rate < LOWEST else "too easy" if rate > HIGHEST else "rung"

    def record(self) -> dict[str, Any]:
        """As plain data."""
        counts = {name: self.values.count(value) for name, value in (("won", 1.0), ("tied", 0.5), ("lost", 0.0))}
        about = {"id": self.rival.id, "tier": self.rival.tier, "win_rate": self.win_rate, "kind": self.kind}
        return {**about, **counts, "unresolved": self.unresolved, "why_unresolved": self.why_unresolved}


@dataclass(frozen=True)
class Suggestion:
    """What to draw: the rungs of each tier, and the share of loved ones at which the run's mean win rate is nearest
    one half; None where a tier has no rung."""

    rungs: dict[Tier, tuple[str, ...]]
    love_share: float | None

    def record(self) -> dict[str, Any]:
        """As plain data."""
        return {"rungs": {tier.value: list(ids) for tier, ids in self.rungs.items()}, "love_share": self.love_share}


def rivals_in(folder: Path, rater: str | None = None) -> list[Rival]:
    """The candidates of a folder, or the paintings of a pool. Raises ConfigError for what is neither."""
    if not (folder / INDEX).is_file():
        return [Rival(each.name, each.tier, picture_of_reference(each)) for each in read_pool(find_pool(folder))]
    tiers = read_tiers(folder, rater) if (folder / RATINGS).is_file() else {}
    found = []
    for candidate in read_candidates(folder):
        path = check_inside(folder, candidate.image, candidate.id)
        found.append(Rival(candidate.id, tiers.get(candidate.id), _picture(path, candidate.sha256)))
    if not found:
        raise ConfigError(f"{folder}: holds no candidates")
    return found


def paintings_of(run: RunDir, count: int, *, last_steps: int, seed: int) -> list[Picture]:
    """`count` different paintings, drawn by `seed` from those of the run's last steps (0: of all) that scored.

    Raises ConfigError where there are none.
    """
    rollouts = run.rollouts()
    steps = sorted({rollout.step for rollout in rollouts})
    wanted = set(steps[-last_steps:] if last_steps else steps)
    hashes = sorted({rollout.painting for rollout in rollouts if rollout.painting and _counts(rollout, wanted)})
    if not hashes:
        raise ConfigError(f"{run.path}: has no painting with a reward above 0 in those steps; take more: --last-steps")
    chosen = random.Random(seed).sample(hashes, min(count, len(hashes)))
    return [_picture(run.image_path(name), name) for name in chosen]


async def calibrate(
    asker: Asker,
    medium: Medium,
    paintings: Sequence[Picture],
    rivals: Sequence[Rival],
    on_duel: Callable[[], None] = lambda: None,
) -> list[Standing]:
    """Each painting against each rival, in both orders; standings in the order of `rivals`.

    Raises a WatercolourError for what no retry can mend (key, model, budget); what was answered is in the cache.
    """
    prompt = pairwise_prompt(medium)

    async def one(painting: Picture, rival: Rival) -> Duel:
        duel = await fight(asker, prompt, painting, rival.picture)
        on_duel()
        return duel

    try:
        pairs = [(painting, rival) for rival in rivals for painting in paintings]
        duels = iter(await run_together([one(painting, rival) for painting, rival in pairs]))
    finally:
        await asker.close()
    standings = []
    for rival in rivals:
        standing = Standing(rival)
        for _ in paintings:
            duel = next(duels)
            if duel.value is None:
                standing.unresolved += 1
                standing.why_unresolved = standing.why_unresolved or duel.why_unresolved
            else:
                standing.values.append(duel.value)
        standings.append(standing)
    return standings


def suggest(standings: Sequence[Standing]) -> Suggestion:
    """What to draw. With rungs of mean win rates l (love) and o (okay), a share s of loved ones gives s l + (1 - s) o,
    which is one half at s = (1/2 - o) / (l - o), cut to 0..1."""
    rungs: dict[Tier, list[Standing]] = {Tier.LOVE: [], Tier.OKAY: []}
    for standing in standings:
        if standing.kind == "rung" and standing.rival.tier in rungs:
            rungs[standing.rival.tier].append(standing)
    named = {tier: tuple(each.rival.id for each in members) for tier, members in rungs.items()}
    love, okay = (_mean(rungs[tier]) for tier in (Tier.LOVE, Tier.OKAY))
    if love is None or okay is None:
        return Suggestion(named, None)
    if love == okay:
        return Suggestion(named, 0.5)
    return Suggestion(named, round(min(1.0, max(0.0, (0.5 - okay) / (love - okay))), 2))


def _mean(standings: Sequence[Standing]) -> float | None:
    rates = [rate for standing in standings if (rate := standing.win_rate) is not None]
    return fmean(rates) if rates else None


def _counts(rollout: RolloutRecord, steps: set[int]) -> bool:
    return rollout.step in steps and rollout.reward is not None and rollout.reward > 0


def _picture(path: Path, sha256: str) -> Picture:
    def read() -> Any:
        try:
            pixels = read_picture(path).pixels
        except (OSError, ValueError) as error:
            raise ConfigError(f"{path}: not a readable picture ({error})") from error
        if pixels is None or hash_pixels(pixels) != sha256:
            raise ConfigError(f"{path}: not the picture that its record names ({sha256[:12]})")
        return pixels

    return Picture(sha256, read)
