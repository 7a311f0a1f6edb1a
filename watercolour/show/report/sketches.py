"""What the programs are like: gate violations, length against each term, shapes written and painted, paint on the
paper."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from watercolour.inspection import inspect
from watercolour.runs import RolloutRecord
from watercolour.show.report.evidence import mean
from watercolour.show.report.trend import thirds_of
from watercolour.statistics import Estimate, spearman, within_groups
from watercolour.vocabulary import BRUSH_METHODS, PAINTING_METHODS

BINS = 5
TOP_SHARE = 0.25
"""The high band: the best quarter of the run's scored rollouts."""
CANVAS = (600, 600)


def codes_of(rollout: RolloutRecord, gates: Sequence[str]) -> list[str]:
    """The gate's codes against a rollout, each once."""
    found: dict[str, None] = {}
    for gate in gates:
        violations = rollout.terms[gate].parts.get("violations") if gate in rollout.terms else None
        for each in violations if isinstance(violations, Sequence) else ():
            if isinstance(each, Mapping) and each.get("code"):
                found[str(each["code"])] = None
    return list(found)


def code_tokens(rollout: RolloutRecord) -> int:
    """Tokens of code as a length term counted them, or else the tokens of the whole reply."""
    for term in rollout.terms.values():
        tokens = term.parts.get("tokens")
        if isinstance(tokens, int) and "counted_by" in term.parts:
            return tokens
    return rollout.tokens


def length_against(pairs: Sequence[tuple[int, int, float]]) -> dict[str, Any] | None:
    """(step, tokens, value) of rollouts: Spearman's correlation within groups, and the mean value in fifths by length.

    None under ten rollouts or where all have one length.
    """
    if len(pairs) < 2 * BINS or len({tokens for _, tokens, _ in pairs}) < 2:
        return None
    steps, tokens, values = zip(*pairs, strict=True)
    ordered = sorted(pairs, key=lambda pair: (pair[1], pair[0], pair[2]))
    bounds = [round(len(ordered) * place / BINS) for place in range(BINS + 1)]
    parts = [ordered[start:end] for start, end in pairwise(bounds)]
    return {
        "rollouts": len(pairs),
        "within_groups": estimate_record(within_groups(spearman, tokens, values, steps)),
        "bins": [
            {
                "rollouts": len(part),
                "tokens": mean([float(pair[1]) for pair in part]),
                "value": mean([pair[2] for pair in part]),
            }
            for part in parts
        ],
        "points": [[pair[1], pair[2]] for pair in ordered],
    }


def shapes_written(sources: Sequence[str]) -> dict[str, int]:
    """How many calls that lay paint each source has in its text; a call in a loop counts once."""
    found = {}
    for source in dict.fromkeys(sources):
        calls = inspect(source, BRUSH_METHODS, CANVAS).brush_calls
        found[source] = sum(calls.get(method, 0) for method in PAINTING_METHODS)
    return found


def shapes_against(rows: Sequence[tuple[int, int, int, float]]) -> dict[str, Any] | None:
    """(step, written, painted, reward) of rollouts that painted: means by third, and whether more is paid better."""
    if not rows:
        return None
    steps, written, painted, rewards = zip(*rows, strict=True)
    by_step: dict[int, list[tuple[int, int]]] = {}
    for step, asked, done, _ in rows:
        by_step.setdefault(step, []).append((asked, done))
    parts = thirds_of([by_step[step] for step in sorted(by_step)])
    return {
        "rollouts": len(rows),
        "written": mean([float(value) for value in written]),
        "painted": mean([float(value) for value in painted]),
        "thirds": [
            {
                "written": mean([float(pair[0]) for group in part for pair in group]),
                "painted": mean([float(pair[1]) for group in part for pair in group]),
            }
            for part in parts or ()
        ],
        "painted_against_reward": estimate_record(within_groups(spearman, painted, rewards, steps)),
        "points": [[asked, done] for _, asked, done, _ in rows],
    }


def coverage_in_band(rows: Sequence[tuple[int, float, float]]) -> dict[str, Any] | None:
    """(step, coverage, reward) of rollouts with a picture: coverage in the best quarter and below it, by third.

    `against_reward` is Spearman's correlation of coverage and reward inside the band. None under eight rollouts.
    """
    if len(rows) < 8:
        return None
    ordered = sorted((reward for _, _, reward in rows), reverse=True)
    least = ordered[math.ceil(TOP_SHARE * len(ordered)) - 1]
    top = [row for row in rows if row[2] >= least]
    by_step: dict[int, list[tuple[float, float]]] = {}
    for step, share, reward in rows:
        by_step.setdefault(step, []).append((share, reward))
    parts = thirds_of([by_step[step] for step in sorted(by_step)])
    inside = within_groups(spearman, [row[1] for row in top], [row[2] for row in top], [0] * len(top))
    return {
        "rollouts": len(rows),
        "least_reward": least,
        "in_band": mean([row[1] for row in top]),
        "below_band": mean([row[1] for row in rows if row[2] < least]),
        "against_reward": inside.value,
        "thirds": [
            {
                "in_band": mean([share for group in part for share, reward in group if reward >= least]),
                "below_band": mean([share for group in part for share, reward in group if reward < least]),
                "rollouts_in_band": sum(reward >= least for group in part for _, reward in group),
            }
            for part in parts or ()
        ],
        "points": [[share, reward] for _, share, reward in rows],
    }


def count_codes(groups: Sequence[Sequence[Sequence[str]]]) -> list[Counter[str]]:
    """How many rollouts of each step have each code; a step is a list of rollouts, a rollout a list of codes."""
    return [Counter(code for codes in group for code in codes) for group in groups]


def estimate_record(found: Estimate) -> dict[str, Any]:
    """As plain data."""
    return vars(found).copy()
