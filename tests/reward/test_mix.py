"""The reward as a sum of terms: what fails, what is unscored, what does not apply."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from watercolour.errors import ConfigError, InfraError, PrerequisiteError, TermStopped, WatercolourError
from watercolour.painting import Painting, RenderOutcome
from watercolour.reward.base import Score, ScoreContext, Term
from watercolour.reward.gate import GateTerm
from watercolour.reward.mix import Mix, Reward
from watercolour.reward.pigment import CoverageTerm
from watercolour.sketch import Sketch

SKETCH = Painting(Sketch("x"), RenderOutcome.OK)
PICTURE = Painting(None, RenderOutcome.OK)


@dataclass
class Fixed:
    """A term that gives what it is told, and remembers what it was asked."""

    name: str
    values: Sequence[float | None]
    needs_source: bool = False
    asked: list[int] = field(default_factory=list)
    closed: bool = False

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        self.asked.append(len(paintings))
        return [Score(value, f"{self.name} says so") for value in self.values[: len(paintings)]]

    async def close(self) -> None:
        self.closed = True


class FixedGate(GateTerm):
    """A gate that gives what it is told."""

    def __init__(self, *values: float | None, name: str = "gate") -> None:
        super().__init__(frozenset(), (1, 1), name=name)
        self.values = values

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        return [Score(value, f"{self.name} says so") for value in self.values[: len(paintings)]]


@dataclass
class Broken(Fixed):
    """A term that raises."""

    error: Exception = field(default_factory=Exception)

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        raise self.error


def rewards(paintings: Sequence[Painting], *terms: tuple[Term, float]) -> list[Reward]:
    return asyncio.run(Mix(terms).score(paintings, ScoreContext()))


def test_total_is_the_weighted_sum_in_order() -> None:
    first, second = rewards([SKETCH, SKETCH], (Fixed("a", [1.0, 0.5]), 0.25), (Fixed("b", [0.4, 0.0]), 0.75))
    assert first.total == pytest.approx(0.55)
    assert second.total == pytest.approx(0.125)
    assert first.why == ""


def test_failed_gate_is_0_whatever_the_free_terms_say() -> None:
    covered = Painting(Sketch("x"), RenderOutcome.OK, pixels=np.zeros((1, 1, 3), np.uint8), coverage=1.0)
    (reward,) = rewards([covered], (FixedGate(0.0), 0.05), (CoverageTerm(0.3), 0.95))
    assert reward.total == 0
    assert reward.scores["coverage"].value == 1.0
    assert reward.skipped == ()
    assert reward.why == "0, gate says so"


def test_painting_that_failed_the_gate_costs_no_more_and_its_0_is_real() -> None:
    judge, gate = Fixed("judge", [0.5, 0.25]), FixedGate(1.0, 0.0, 1.0, None)
    first, failed, third, lost = rewards([SKETCH] * 4, (judge, 0.5), (gate, 0.5))
    assert judge.asked == [2]
    assert (first.total, third.total) == (0.75, 0.625)
    assert (failed.total, failed.skipped, failed.left_out) == (0.0, ("judge",), ())
    assert list(failed.scores) == ["gate"]
    assert (lost.total, lost.skipped) == (None, ("judge",))


def test_group_that_failed_the_gate_asks_nobody() -> None:
    judge = Broken("judge", [], error=AssertionError("it was asked"))
    assert [reward.total for reward in rewards([SKETCH] * 2, (FixedGate(0.0, 0.0), 0.5), (judge, 0.5))] == [0, 0]


def test_gate_decides_under_any_name_and_a_term_called_gate_does_not() -> None:
    (reward,) = rewards([SKETCH], (FixedGate(0.0, name="rules"), 0.5), (Fixed("gate", [0.0]), 0.5))
    assert (reward.total, reward.skipped) == (0, ("gate",))
    (reward,) = rewards([SKETCH], (Fixed("gate", [0.0]), 0.5), (Fixed("b", [1.0]), 0.5))
    assert reward.total == 0.5


def test_one_unscored_term_leaves_the_whole_unscored_never_0() -> None:
    (reward,) = rewards([SKETCH], (FixedGate(1.0), 0.5), (Fixed("judge", [None]), 0.5))
    assert reward.total is None
    assert reward.why == "unscored, judge: judge says so"


@pytest.mark.parametrize("error", [ValueError("no\nluck"), KeyError("x"), TimeoutError()])
def test_term_that_breaks_leaves_the_group_unscored_with_the_reason(error: Exception) -> None:
    first, failed = rewards([SKETCH] * 2, (FixedGate(1.0, 0.0), 0.5), (Broken("judge", [], error=error), 0.5))
    assert first.total is None
    assert first.why.startswith(f"unscored, judge: the term failed ({type(error).__name__}: ")
    assert first.why.isprintable()
    assert failed.total == 0


@pytest.mark.parametrize("error", [ConfigError("key refused"), PrerequisiteError("gone"), InfraError("budget used up")])
def test_term_that_cannot_go_on_stops_the_run_with_its_own_exit_code(error: WatercolourError) -> None:
    with pytest.raises(TermStopped, match=str(error)) as caught:
        rewards([SKETCH], (Broken("judge", [], error=error), 0.5), (Fixed("b", [1.0]), 0.5))
    assert caught.value.exit_code == error.exit_code


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_value_that_is_no_number_is_unscored(value: float) -> None:
    (reward,) = rewards([SKETCH], (Fixed("a", [value]), 1.0))
    assert reward.total is None
    assert f"the term gave {value}" in reward.why


def test_every_term_is_closed_even_after_one_that_will_not() -> None:
    class Stuck(Fixed):
        async def close(self) -> None:
            raise OSError("stuck")

    last = Fixed("b", [])
    asyncio.run(Mix([(Stuck("a", []), 0.5), (last, 0.5)]).close())
    assert last.closed


def test_picture_alone_is_asked_only_of_terms_that_need_no_source() -> None:
    terms = (Fixed("length", [0.25], needs_source=True), 0.5), (Fixed("coverage", [0.1, 0.2, 0.3]), 0.5)
    before, sketch, after = rewards([PICTURE, SKETCH, PICTURE], *terms)
    assert (before.left_out, sketch.left_out, after.left_out) == (("length",), (), ("length",))
    assert before.total == pytest.approx(0.05)
    assert sketch.total == pytest.approx(0.125 + 0.1)
    assert after.total == pytest.approx(0.15)


def test_term_that_gives_too_few_scores_has_scored_nothing() -> None:
    for reward in rewards([SKETCH, SKETCH], (Fixed("a", [1.0]), 1.0)):
        assert reward.total is None
        assert "it gave 1 scores for 2 paintings" in reward.why


def test_weights_that_do_not_sum_to_1_are_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        Mix([(Fixed("a", []), 0.5), (Fixed("b", []), 0.7)])
        Mix([(Fixed("a", []), 0.3), (Fixed("b", []), 0.7)])
    assert [record.message for record in caplog.records] == [
        "the weights of reward.terms sum to 1.2, not 1: rewards lie in 0..1.2"
    ]
