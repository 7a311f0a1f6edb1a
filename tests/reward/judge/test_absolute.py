"""The absolute term against a real server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.judge_server import JudgeServer
from tests.reward.judge.conftest import Paint
from watercolour.medium import Medium
from watercolour.painting import Painting, RenderOutcome
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.judge import build_judge
from watercolour.reward.settings import AbsoluteSettings

QUESTIONS = [
    {"name": "technique", "ask": "How well is it painted?", "weight": 3.0},
    {"name": "depth", "ask": "Is there depth?"},
]


@pytest.fixture
def score(medium: Medium, absolute: Callable[..., AbsoluteSettings], tmp_path: Path) -> Callable[..., list[Score]]:
    def score(*paintings: Painting, subject: str = "a coral hibiscus", **changes: Any) -> list[Score]:
        term = build_judge(absolute(**({"questions": QUESTIONS} | changes)), medium, [], cache=tmp_path / "answers")

        async def work() -> list[Score]:
            try:
                return await term.score(paintings, ScoreContext(subject=subject))
            finally:
                await term.close()

        return asyncio.run(work())

    return score


Scoring = Callable[..., list[Score]]


def test_marks_become_a_weighted_mean_in_one_call(judge_server: JudgeServer, score: Scoring, paint: Paint) -> None:
    judge_server.reply = lambda _: '{"ratings": {"technique": 8, "depth": 4}, "reason": "bold"}'
    [scored] = score(paint())
    assert scored.value == pytest.approx((3 * 8 + 4) / 40)
    assert scored.why == "technique 8, depth 4 of 10: bold"
    assert scored.parts == {"marks": {"technique": 8, "depth": 4}, "reason": "bold"}
    assert judge_server.calls == 1
    told = json.dumps(judge_server.requests[0].body["messages"])
    assert "It was asked for: a coral hibiscus." in told
    assert "How well is it painted?" in told


def test_marks_run_from_nought_to_one(score: Scoring, paint: Paint) -> None:
    assert [each.value for each in score(paint(0), paint(5), paint(10))] == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    "reply", ["seven", '{"ratings": {"technique": 8}}', '{"ratings": {"technique": 8, "depth": 11}}']
)
def test_junk_is_unscored_with_its_reason(judge_server: JudgeServer, score: Scoring, paint: Paint, reply: str) -> None:
    painting = paint(10)
    judge_server.reply = lambda _: reply
    [unscored] = score(painting)
    assert unscored.value is None
    assert unscored.why.startswith("the judge gave no marks: ")
    judge_server.reply = None
    assert score(painting)[0].value == 1.0  # junk is not kept


def test_nothing_painted_is_nought_unasked(judge_server: JudgeServer, score: Scoring, paint: Paint) -> None:
    nothing = Painting(sketch=None, outcome=RenderOutcome.SYNTAX_ERROR)
    lost = Painting(sketch=None, outcome=RenderOutcome.INFRA)
    values = [each.value for each in score(nothing, paint(outcome=RenderOutcome.BLANK), lost, paint(10))]
    assert values == [0.0, 0.0, None, 1.0]
    assert judge_server.calls == 1


def test_the_same_question_is_asked_once_and_another_subject_is_another(
    judge_server: JudgeServer, score: Scoring, paint: Paint
) -> None:
    painting = paint(5)
    judge_server.delay_s = 0.05
    score(painting, painting)
    score(painting)
    assert judge_server.calls == 1
    score(painting, subject="a yellow hibiscus")
    score(painting, questions=QUESTIONS[:1])
    assert judge_server.calls == 3
