"""Rollouts and runs for tests of the report, with no more in them than a test asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from watercolour.runs import RolloutRecord, TermRecord
from watercolour.show.report.evidence import Evidence, Step, mean


def rollout(step: int, index: int, reward: float | None, **given: Any) -> RolloutRecord:
    """A rollout with these terms by name (a value, or a TermRecord)."""
    terms = {
        name: term if isinstance(term, TermRecord) else TermRecord(term, 0.5, "")
        for name, term in given.pop("terms", {}).items()
    }
    whole: dict[str, Any] = {
        "subject": "a peach hibiscus",
        "completion": "",
        "source": f"s{step}-{index}",
        "outcome": "ok",
        "errors": (),
        "coverage": None,
        "painting": None,
        "seconds": 0.5,
        "tokens": 100,
        "truncated": False,
        **given,
    }
    return RolloutRecord(step=step, index=index, reward=reward, terms=terms, **whole)


def duel(name: str, value: float | None, tier: str = "love") -> dict[str, Any]:
    """What a pairwise judge keeps of one reference."""
    wins = {1.0: (True, True), 0.5: (True, False), 0.0: (False, False), None: (None, True)}[value]
    looks = {order: {"won": won, "reason": "soft"} for order, won in zip(("as_first", "as_second"), wins, strict=True)}
    return {"name": name, "tier": tier, "value": value, "counted": value is not None, **looks}


def evidence(rollouts: Sequence[RolloutRecord], kinds: Mapping[str, str] | None = None, **given: Any) -> Evidence:
    """A run of these rollouts."""
    steps = []
    for number in sorted({each.step for each in rollouts}):
        group = [each for each in rollouts if each.step == number]
        names = dict.fromkeys(name for each in group for name in each.terms)
        steps.append(
            Step(
                number,
                mean([each.reward for each in group]),
                terms={name: mean([r.terms[name].value for r in group if name in r.terms]) for name in names},
                series={"coverage": mean([each.coverage for each in group])},
            )
        )
    whole: dict[str, Any] = {"name": "made", "source": "run", "steps": tuple(steps), **given}
    return Evidence(kinds=kinds or {}, rollouts=tuple(rollouts), **whole)
