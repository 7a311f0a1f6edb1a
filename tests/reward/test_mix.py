"""The reward as a sum of terms: what fails, what is unscored, what does not apply."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from watercolour.config import load_config_text
from watercolour.errors import PrerequisiteError
from watercolour.medium import load_medium
from watercolour.painting import Painting, RenderOutcome
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.mix import Mix, Reward, build_mix
from watercolour.sketch import Sketch

SKETCH = Painting(Sketch("x"), RenderOutcome.OK)
PICTURE = Painting(None, RenderOutcome.OK)


@dataclass
class Fixed:
    """A term that gives what it is told."""

    name: str
    values: Sequence[float | None]
    needs_source: bool = False

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        return [Score(value, f"{self.name} says so") for value in self.values[: len(paintings)]]


def rewards(paintings: Sequence[Painting], *terms: tuple[Fixed, float]) -> list[Reward]:
    return asyncio.run(Mix(terms).score(paintings, ScoreContext()))


def test_total_is_the_weighted_sum_in_order() -> None:
    first, second = rewards([SKETCH, SKETCH], (Fixed("a", [1.0, 0.5]), 0.25), (Fixed("b", [0.4, 0.0]), 0.75))
    assert first.total == pytest.approx(0.55)
    assert second.total == pytest.approx(0.125)
    assert first.why == ""


def test_failed_gate_is_0_whatever_the_rest_says() -> None:
    (reward,) = rewards([SKETCH], (Fixed("gate", [0.0]), 0.05), (Fixed("coverage", [1.0]), 0.95))
    assert reward.total == 0
    assert reward.scores["coverage"].value == 1.0
    assert reward.why == "0, gate says so"


def test_one_unscored_term_leaves_the_whole_unscored_never_0() -> None:
    (reward,) = rewards([SKETCH], (Fixed("gate", [1.0]), 0.5), (Fixed("judge", [None]), 0.5))
    assert reward.total is None
    assert reward.why == "unscored, judge: judge says so"
    (lost,) = rewards([SKETCH], (Fixed("gate", [0.0]), 0.5), (Fixed("judge", [None]), 0.5))
    assert lost.total is None


def test_picture_alone_is_asked_only_of_terms_that_need_no_source() -> None:
    terms = (Fixed("gate", [0.25], needs_source=True), 0.5), (Fixed("coverage", [0.1, 0.2, 0.3]), 0.5)
    before, sketch, after = rewards([PICTURE, SKETCH, PICTURE], *terms)
    assert (before.left_out, sketch.left_out, after.left_out) == (("gate",), (), ("gate",))
    assert before.total == pytest.approx(0.05)
    assert sketch.total == pytest.approx(0.125 + 0.1)
    assert after.total == pytest.approx(0.15)


def test_term_that_gives_too_few_scores_is_our_bug_not_a_reward() -> None:
    with pytest.raises(RuntimeError, match="a gave 1 scores for 2 paintings"):
        rewards([SKETCH, SKETCH], (Fixed("a", [1.0]), 1.0))


def test_weights_that_do_not_sum_to_1_are_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        Mix([(Fixed("a", []), 0.5), (Fixed("b", []), 0.7)])
        Mix([(Fixed("a", []), 0.3), (Fixed("b", []), 0.7)])
    assert [record.message for record in caplog.records] == [
        "the weights of reward.mix sum to 1.2, not 1: rewards lie in 0..1.2"
    ]


@pytest.mark.parametrize("term", ["judge", "hpsv3"])
def test_weight_that_cannot_be_honoured_is_refused_not_dropped(term: str) -> None:
    config = load_config_text(
        f"policy: {{model: smollm2-135m}}\ngrpo: {{steps: 1}}\nreward: {{mix: {{gate: 0.5, {term}: 0.5}}}}"
    )
    with pytest.raises(PrerequisiteError, match=rf"reward\.mix\.{term} is 0\.5, but"):
        build_mix(config, load_medium("hibiscus"))


def test_shipped_tiny_mix_has_its_three_terms() -> None:
    text = (Path(__file__).parents[2] / "configs" / "tiny.yaml").read_text()
    mix = build_mix(load_config_text(text), load_medium("hibiscus"))
    assert mix.weights == {"gate": 0.05, "length": 0.05, "coverage": 0.9}
