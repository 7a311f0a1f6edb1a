"""Who beats whom: the pairs that a pool's tiers imply, and those that a person compared one by one (pairs.jsonl)."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from watercolour.errors import ConfigError
from watercolour.references import Reference, Tier

if TYPE_CHECKING:
    from numpy.typing import NDArray

PAIRS = "pairs.jsonl"
RANK = {Tier.NOPE: 0, Tier.OKAY: 1, Tier.LOVE: 2}
TIER_PAIRS = ((Tier.LOVE, Tier.OKAY), (Tier.OKAY, Tier.NOPE), (Tier.LOVE, Tier.NOPE))


@dataclass(frozen=True)
class Pair:
    """One comparison, as rows of the pool; with `tie` neither was better."""

    winner: int
    loser: int
    tie: bool = False


def read_pairs(path: Path, references: Sequence[Reference]) -> list[Pair]:
    """Lines such as {"winner": "NAME", "loser": "NAME"}, or with "tie": true, naming paintings of the pool.

    NAME is a painting's name, its file in the index, or its sha256. A last line torn by a crash is left out. Raises
    ConfigError, with file and line, for whatever else is wrong.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as text ({error})") from error
    rows = _names(references)
    lines = text.split("\n")
    pairs = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            if number == len(lines):
                break
            raise ConfigError(f"{path}:{number}: not JSON ({error})") from error
        pairs.append(_pair(record, rows, f"{path}:{number}"))
    return pairs


def tier_outcomes(ranks: NDArray[np.int64], better: Tier, worse: Tier) -> NDArray[np.bool_]:
    """(n, n): whether the row's painting should beat the column's, for these two tiers."""
    return np.asarray(np.logical_and.outer(ranks == RANK[better], ranks == RANK[worse]))


def win_weights(ranks: NDArray[np.int64], pairs: Sequence[Pair] = ()) -> NDArray[np.float64]:
    """(n, n): how much it counts that the row beats the column; the sum is 1.

    Each two tiers count alike, however many paintings they have. One explicit pair counts 1/n of that; a tie is half a
    win for either side.
    """
    size = len(ranks)
    weights = np.zeros((size, size))
    for better, worse in TIER_PAIRS:
        outcomes = tier_outcomes(ranks, better, worse)
        if outcomes.any():
            weights += outcomes / outcomes.sum()
    for pair in pairs:
        share = 0.5 if pair.tie else 1.0
        weights[pair.winner, pair.loser] += share / size
        weights[pair.loser, pair.winner] += (1 - share) / size
    total = weights.sum()
    return weights / total if total else weights


def within(pairs: Sequence[Pair], rows: NDArray[np.int64]) -> list[Pair]:
    """The pairs whose paintings are both among `rows`, numbered as there."""
    place = {int(row): at for at, row in enumerate(rows)}
    return [
        Pair(place[pair.winner], place[pair.loser], pair.tie)
        for pair in pairs
        if pair.winner in place and pair.loser in place
    ]


def _names(references: Sequence[Reference]) -> dict[str, int]:
    """Every unambiguous way to name a painting, with its row."""
    names: dict[str, int] = {}
    doubtful: set[str] = set()
    for row, reference in enumerate(references):
        for name in {reference.name, str(reference.facts.get("file", reference.name)), reference.sha256}:
            if names.setdefault(name, row) != row:
                doubtful.add(name)
    return {name: row for name, row in names.items() if name not in doubtful}


def _pair(record: Any, rows: dict[str, int], where: str) -> Pair:
    if not isinstance(record, dict) or not {"winner", "loser"} <= set(record):
        raise ConfigError(f'{where}: must be an object such as {{"winner": "NAME", "loser": "NAME"}}')
    if not isinstance(tie := record.get("tie", False), bool):
        raise ConfigError(f"{where}: tie must be true or false")
    found = []
    for side in ("winner", "loser"):
        name = record[side]
        if not isinstance(name, str) or name not in rows:
            near = difflib.get_close_matches(str(name), rows, n=1)
            hint = f", did you mean {near[0]!r}?" if near else ""
            raise ConfigError(f"{where}: {side}: no painting {str(name)[:80]!r} in the pool, or more than one{hint}")
        found.append(rows[name])
    if found[0] == found[1]:
        raise ConfigError(f"{where}: a painting is compared with itself")
    return Pair(found[0], found[1], tie)


def tiers_present(ranks: NDArray[np.int64]) -> list[tuple[Tier, Tier]]:
    """Those of `TIER_PAIRS` of which both tiers have paintings."""
    present = set(ranks.tolist())
    return [pair for pair in TIER_PAIRS if {RANK[pair[0]], RANK[pair[1]]} <= present]
