"""Dead weight, and what a run cost."""

from __future__ import annotations

import pytest

from tests.show.report.made import duel, evidence, rollout
from watercolour.runs import TermRecord
from watercolour.show.report.cost import cost_of, judge_answers
from watercolour.show.report.evidence import Evidence, Step
from watercolour.show.report.spread import spread_of_groups, spread_of_steps


def test_spread_of_groups_by_hand() -> None:
    found = spread_of_groups([[0.0, 1.0], [0.5], [0.0, 0.2], [1.0, 1.0, 1.0]])
    assert found is not None
    assert (found.of, found.first, found.last, found.dead) == ("groups", 0.5, 0.0, True)
    assert spread_of_groups([[0.0, 1.0], [0.0, 1.0]]) is None


def test_spread_of_steps_by_hand() -> None:
    found = spread_of_steps([0.0, 1.0, 0.5, None, 0.5, 0.2, 0.6])
    assert found is not None
    assert (found.of, found.first, found.last, found.dead) == ("steps", 0.5, pytest.approx(0.2), False)
    assert spread_of_steps([1.0] * 5) is None


def test_cost_by_hand() -> None:
    parts = {
        "references": [duel("a", 1.0), duel("b", None)],
        "rivals": [{"as_first": {"won": True}, "as_second": {"won": False}}],
    }
    judged = rollout(1, 0, 0.5, tokens=70, terms={"judge": TermRecord(0.5, 1, "", parts)})
    marked = rollout(1, 1, 0.5, tokens=30, terms={"marks": TermRecord(0.5, 1, "", {"marks": {"depth": 5}})})
    assert judge_answers(judged) == 2 + 1 + 1  # a duel in the group stands with both of it
    assert judge_answers(marked) == 1
    run = evidence([judged, marked], torch="2.13.0+cpu")
    timed = Evidence(
        "made",
        "run",
        (Step(1, 0.5, seconds={"render": 1800.0, "learn": 1800.0}), Step(2, None)),
        rollouts=run.rollouts,
        torch=run.torch,
    )
    found = cost_of(timed, usd_per_hour=2.0, usd_per_answer=0.1)
    assert found is not None
    assert (found["wall_hours"], found["gpu_hours"], found["cpu_wall_hours"]) == (1.0, 0.0, 1.0)
    assert found["hours_by_stage"] == {"render": 0.5, "learn": 0.5}
    assert (found["sampled_tokens"], found["judge_answers"], found["timed_steps"]) == (100, 5, 1)
    assert found["usd"] == pytest.approx(2.5)


def test_a_gpu_is_held_for_as_long_as_the_steps_took_and_an_unknown_machine_is_unknown() -> None:
    step = (Step(1, 0.5, seconds={"all": 7200.0}),)
    assert (cost_of(Evidence("a", "run", step, torch="2.13.0+cu130")) or {})["gpu_hours"] == 2.0
    found = cost_of(Evidence("a", "curve", step)) or {}
    assert (found["gpu_hours"], found["judge_answers"], found["usd"]) == (None, None, None)
    assert cost_of(Evidence("a", "curve", (Step(1, 0.5),))) is None
