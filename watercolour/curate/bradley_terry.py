"""From comparisons to scores: Bradley and Terry's model with bootstrap intervals, and which two to compare next.

P(i beats j) = 1 / (1 + exp(-(s_i - s_j))); Bradley and Terry, Biometrika 39 (1952), 324-345. A tie is half a win for
either. Fitted by choix, with a penalty, so that who has won or lost everything gets a finite score. Resamples start at
the fit and take two steps of Newton's method, which is as good as fitting each anew: Andrews, "Higher-order
improvements of a computationally attractive k-step bootstrap", Econometrica 70 (2002), 119-162.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from watercolour.curate.ratings import Answer, Press

if TYPE_CHECKING:
    from numpy.typing import NDArray

PENALTY = 0.125
"""Of a score's square: as if scores were known to spread by 2 around 0."""
RESAMPLES = 200
STEPS = 2
STEPS_FROM_ZERO = 8
INTERVAL = (0.025, 0.975)


@dataclass(frozen=True)
class Standing:
    """One painting's score with its 95 % interval; scores are log odds, and their mean is 0."""

    id: str
    score: float
    low: float
    high: float
    compared: int
    """Comparisons that it was in."""


@dataclass(frozen=True)
class Ranking:
    """All that were compared, best first. `parts` above 1: some were never compared, even by way of others."""

    standings: list[Standing]
    comparisons: int
    ties: int
    parts: int

    def record(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def rank(pairs: Sequence[Press], *, seed: int = 0, resamples: int = RESAMPLES) -> Ranking:
    """The ranking that comparisons give. The intervals resample the comparisons; `seed` draws them."""
    ids = sorted({name for press in pairs for name in press.ids})
    outcomes = _outcomes(pairs, {name: row for row, name in enumerate(ids)})
    scores = fit(outcomes, len(ids))
    rng = np.random.default_rng(seed)
    drawn = [
        _refit(scores, outcomes[rng.integers(0, len(outcomes), len(outcomes))])
        for _ in range(resamples if len(outcomes) else 0)
    ]
    low, high = np.quantile(drawn, INTERVAL, axis=0) if drawn else (scores, scores)
    compared = np.bincount(outcomes[:, :2].astype(np.int64).ravel(), minlength=len(ids))
    standings = [
        Standing(name, float(scores[row]), float(low[row]), float(high[row]), int(compared[row]))
        for row, name in enumerate(ids)
    ]
    return Ranking(
        standings=sorted(standings, key=lambda each: -each.score),
        comparisons=len(pairs),
        ties=sum(press.answer is Answer.TIE for press in pairs),
        parts=len(set(components(len(ids), outcomes).tolist())),
    )


def fit(outcomes: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """(size,) scores, their mean 0. `outcomes` (m, 3): two rows, and what the first won: 1, 0, or a half in a tie."""
    import choix

    if size < 2 or not len(outcomes):
        return np.zeros(size)
    # choix knows no ties, so every outcome is given as two: both won by one, or one by either.
    twice: list[tuple[int, int]] = []
    for left, right, won in outcomes.tolist():
        for share in (0.75, 0.25):
            twice.append((int(left), int(right)) if won > share else (int(right), int(left)))
    scores = choix.opt_pairwise(size, twice, alpha=2 * PENALTY, tol=1e-8)
    return np.asarray(scores - scores.mean())


def information(scores: NDArray[np.float64], outcomes: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, n): what the outcomes tell of the scores: the curvature of the penalised log-likelihood."""
    left, right, spread = *_rows_of(outcomes), _spread(scores, outcomes)
    matrix = np.diag(np.full(len(scores), 2 * PENALTY))
    for one, other, sign in ((left, left, 1), (right, right, 1), (left, right, -1), (right, left, -1)):
        np.add.at(matrix, (one, other), sign * spread)
    return matrix


def next_pairs(
    ids: Sequence[str], pairs: Sequence[Press], taken: Collection[frozenset[str]], count: int
) -> list[tuple[str, str]]:
    """The next pairs to compare, none of `taken` among them, fewer than `count` where no more are left.

    First pairs that join what is not compared with each other yet, so that one scale holds all; those compared least
    come first, and what is left is decided by the order of `ids`. Then those of which the answer tells the most under
    the current fit: log(1 + p (1 - p) v), with p the chance that one wins and v the variance of the difference of the
    two scores (D-optimality, in the normal approximation of the posterior).
    """
    row = {name: number for number, name in enumerate(ids)}
    asked = {pair for pair in taken if pair <= row.keys()}
    outcomes = _outcomes([press for press in pairs if set(press.ids) <= row.keys()], row)
    chosen: list[tuple[int, int]] = []
    # Pairs that are on their way to a person count as compared: their answers will be there.
    edges = [tuple(row[name] for name in pair) for pair in asked]
    part = components(len(ids), np.array(edges, float).reshape(-1, 2))
    degree = np.bincount(np.array(edges, np.int64).ravel(), minlength=len(ids))
    while len(chosen) < count and len(set(part.tolist())) > 1:
        one = min(range(len(ids)), key=lambda at: (int((part == part[at]).sum()), int(degree[at]), at))
        other = min((at for at in range(len(ids)) if part[at] != part[one]), key=lambda at: (int(degree[at]), at))
        chosen.append((one, other))
        degree[[one, other]] += 1
        part[part == part[other]] = part[one]
    if len(chosen) < count:
        chosen += _telling(len(ids), outcomes, {*map(_rows(row), asked), *map(frozenset, chosen)}, count - len(chosen))
    return [(ids[one], ids[other]) for one, other in chosen]


def components(size: int, edges: NDArray[np.float64]) -> NDArray[np.int64]:
    """(size,) labels, equal for what the first two columns of `edges` connect."""
    part = np.arange(size)
    for one, other in edges[:, :2].astype(np.int64).tolist():
        if part[one] != part[other]:
            part[part == part[other]] = part[one]
    return part


def _telling(size: int, outcomes: NDArray[np.float64], taken: set[frozenset[int]], count: int) -> list[tuple[int, int]]:
    """The pairs that tell most, each painting in one of them if that is possible."""
    scores = _refit(np.zeros(size), outcomes, STEPS_FROM_ZERO)  # choix would take a second a key press
    chance = 1 / (1 + np.exp(scores - scores[:, None]))
    spread = chance * (1 - chance)
    variance = np.linalg.inv(information(scores, outcomes))
    own = np.diag(variance)
    gain = np.log1p(spread * np.maximum(own[:, None] + own - 2 * variance, 0))
    gain[np.tril_indices(size)] = -np.inf
    for pair in taken:
        one, other = sorted(pair)
        gain[one, other] = -np.inf
    chosen: list[tuple[int, int]] = []
    for fresh, _ in itertools.product((True, False), range(count)):
        if len(chosen) == count:
            break
        left = gain.copy()
        if fresh and chosen:
            used = list(itertools.chain(*chosen))
            left[used, :] = left[:, used] = -np.inf
        one, other = map(int, np.unravel_index(int(np.argmax(left)), left.shape))
        if np.isfinite(left[one, other]):
            chosen.append((one, other))
            gain[one, other] = -np.inf
    return chosen


def _refit(scores: NDArray[np.float64], outcomes: NDArray[np.float64], steps: int = STEPS) -> NDArray[np.float64]:
    """The scores that outcomes give, near enough, from others, by Newton's method."""
    left, right = _rows_of(outcomes)
    for _ in range(steps):
        surprise = outcomes[:, 2] - 1 / (1 + np.exp(scores[right] - scores[left]))
        pull = -2 * PENALTY * scores
        np.add.at(pull, left, surprise)
        np.add.at(pull, right, -surprise)
        scores = scores + np.linalg.solve(information(scores, outcomes), pull)
    return np.asarray(scores - scores.mean())


def _spread(scores: NDArray[np.float64], outcomes: NDArray[np.float64]) -> NDArray[np.float64]:
    left, right = _rows_of(outcomes)
    chance = 1 / (1 + np.exp(scores[right] - scores[left]))
    return np.asarray(chance * (1 - chance))


def _rows_of(outcomes: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return outcomes[:, 0].astype(np.int64), outcomes[:, 1].astype(np.int64)


def _rows(row: dict[str, int]) -> Any:
    return lambda pair: frozenset(row[name] for name in pair)


def _outcomes(pairs: Sequence[Press], row: dict[str, int]) -> NDArray[np.float64]:
    """(m, 3): the left one's row, the right one's, and what the left one won: 1, 0, or a half in a tie."""
    share = {Answer.LEFT: 1.0, Answer.RIGHT: 0.0, Answer.TIE: 0.5}
    found = [(row[press.ids[0]], row[press.ids[1]], share[press.answer]) for press in pairs]
    return np.array(found, np.float64).reshape(-1, 3)
