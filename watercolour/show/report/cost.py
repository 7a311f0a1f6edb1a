"""What a run cost: hours by stage, paintings, sampled tokens, the judge's answers, and a price where one is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from watercolour.runs import RolloutRecord
from watercolour.show.report.evidence import Evidence

HOUR_S = 3600
CPU_BUILD = "+cpu"


def cost_of(
    evidence: Evidence, *, usd_per_hour: float | None = None, usd_per_answer: float | None = None
) -> dict[str, Any] | None:
    """None where the run says neither how long it took nor what it painted.

    `gpu_hours` is the wall time of the steps that were timed: a GPU is held all the while. It is 0 for a run whose
    torch has no CUDA, and None where that is not known. `judge_answers` counts what the judge said, from the cache or
    not.

    """
    seconds: dict[str, float] = {}
    for step in evidence.steps:
        for stage, value in step.seconds.items():
            seconds[stage] = seconds.get(stage, 0.0) + value
    timed = sum(1 for step in evidence.steps if step.seconds)
    if not timed and not evidence.rollouts:
        return None
    hours = sum(seconds.values()) / HOUR_S if timed else None
    answers = round(sum(map(judge_answers, evidence.rollouts))) if evidence.rollouts else None
    prices = [
        price * amount
        for price, amount in ((usd_per_hour, hours), (usd_per_answer, answers))
        if price is not None and amount is not None
    ]
    on_cpu = None if evidence.torch is None else evidence.torch.endswith(CPU_BUILD)
    return {
        "wall_hours": hours,
        "gpu_hours": None if on_cpu is None else 0.0 if on_cpu else hours,
        "cpu_wall_hours": hours if on_cpu else None,
        "hours_by_stage": {stage: value / HOUR_S for stage, value in seconds.items()},
        "timed_steps": timed,
        "paintings": len(evidence.rollouts) or None,
        "cached_renders": evidence.cached_renders,
        "sampled_tokens": sum(rollout.tokens for rollout in evidence.rollouts) if evidence.rollouts else None,
        "judge_answers": answers,
        "usd": sum(prices) if prices else None,
        "usd_per_hour": usd_per_hour,
        "usd_per_answer": usd_per_answer,
    }


def judge_answers(rollout: RolloutRecord) -> float:
    """Answers of a judge that a rollout's record keeps: one for each order of a duel, one for each set of marks.

    A duel within a group stands with both its rollouts, and so counts half with each.
    """
    count = 0.0
    for term in rollout.terms.values():
        for kind, share in (("references", 1.0), ("rivals", 0.5)):
            duels = term.parts.get(kind)
            for duel in duels if isinstance(duels, list) else ():
                count += share * sum(_was_asked(duel, order) for order in ("as_first", "as_second"))
        if isinstance(marks := term.parts.get("marks"), Mapping) and marks:
            count += 1
    return count


def _was_asked(duel: object, order: str) -> bool:
    look = duel.get(order) if isinstance(duel, Mapping) else None
    return isinstance(look, Mapping) and look.get("won") is not None
