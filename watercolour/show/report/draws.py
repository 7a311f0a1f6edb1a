"""How hard were the references that each step drew? A judge's curve with the luck of the draw taken off.

Every answer of the judge is a game between the policy at a step and a reference. Bradley and Terry's model gives each a
strength, so that the policy at step s beats reference r with probability 1 / (1 + exp(r - s)); a reference that comes
up at several steps ties these together. The adjusted curve is what each step would have won, on average, against all
references that the run ever drew. Fitted with choix (iterative Luce spectral ranking), regularised as by about one game
won and one lost against everybody else.

"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

PRIOR_GAMES = 0.5
MAX_ITERATIONS = 1000


@dataclass(frozen=True)
class Game:
    """What the judge said, both orders: `won` is the policy's share of its `orders` answers."""

    step: int
    reference: str
    tier: str
    won: float
    orders: int = 2


@dataclass(frozen=True)
class Rival:
    """A reference. `win_rate` is its own over the run, `fitted` what it would be had it met every step."""

    name: str
    tier: str
    games: int
    steps: int
    win_rate: float
    strength: float
    fitted: float


@dataclass(frozen=True)
class Draw:
    """A step: the share it won, what it would have won against all rivals, and how much stronger its rivals were."""

    step: int
    raw: float
    adjusted: float
    difficulty: float


@dataclass(frozen=True)
class Draws:
    rivals: tuple[Rival, ...]
    """The strongest first."""
    steps: tuple[Draw, ...]


def games_of(step: int, parts: Mapping[str, Any]) -> list[Game]:
    """The resolved duels with references in what a pairwise judge kept of a painting; what is misshapen is left out."""
    found = []
    references = parts.get("references")
    for each in references if isinstance(references, Sequence) else ():
        value = each.get("value") if isinstance(each, Mapping) else None
        if isinstance(value, int | float) and 0 <= value <= 1 and each.get("name"):
            found.append(Game(step, str(each["name"]), str(each.get("tier", "")), float(value)))
    return found


def fit_draws(games: Sequence[Game]) -> Draws | None:
    """Strengths of all references and steps. None where no reference was met at two steps: draw and progress are then
    one.

    Raises RuntimeError when the fit does not settle.

    """
    import choix

    met: dict[str, set[int]] = {}
    for game in games:
        met.setdefault(game.reference, set()).add(game.step)
    if all(len(at) < 2 for at in met.values()):
        return None
    steps, names = sorted({game.step for game in games}), sorted(met)
    place = {step: row for row, step in enumerate(steps)}
    place_of = {name: len(steps) + row for row, name in enumerate(names)}
    count = len(steps) + len(names)
    wins = np.zeros((count, count))
    for game in games:
        policy, rival = place[game.step], place_of[game.reference]
        wins[policy, rival] += game.won * game.orders
        wins[rival, policy] += (1 - game.won) * game.orders
    strengths = choix.ilsr_pairwise_dense(wins, alpha=PRIOR_GAMES / count, max_iter=MAX_ITERATIONS)
    ours, theirs = strengths[: len(steps)], strengths[len(steps) :]
    expected = 1 / (1 + np.exp(theirs[None, :] - ours[:, None]))
    won, played = wins.sum(axis=1), wins + wins.T
    tiers = {game.reference: game.tier for game in games}
    rivals = [
        Rival(
            name=name,
            tier=tiers[name],
            games=round(float(played[place_of[name]].sum())),
            steps=len(met[name]),
            win_rate=float(won[place_of[name]] / played[place_of[name]].sum()),
            strength=float(theirs[row]),
            fitted=float(1 - expected[:, row].mean()),
        )
        for row, name in enumerate(names)
    ]
    drawn = [
        Draw(
            step=step,
            raw=float(won[row] / played[row].sum()),
            adjusted=float(expected[row].mean()),
            difficulty=float(played[row, len(steps) :] @ theirs / played[row].sum() - theirs.mean()),
        )
        for row, step in enumerate(steps)
    ]
    return Draws(tuple(sorted(rivals, key=lambda each: (-each.strength, each.name))), tuple(drawn))
