"""A group on its way: the judge is asked about one painting while the next is painted, and nothing else changes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.judge_server import JudgeServer
from tests.reward.judge.conftest import (  # noqa: F401 - fixtures
    Paint,
    absolute,
    impatient,
    judge_server,
    medium,
    own_cache,
    paint,
    pairwise,
    pool,
)
from watercolour.errors import TermStopped
from watercolour.medium import Medium
from watercolour.painting import Painting, RenderOutcome, hash_pixels
from watercolour.references import Reference
from watercolour.reward.base import Score, ScoreContext, Term
from watercolour.reward.gate import GateTerm
from watercolour.reward.judge import build_judge
from watercolour.reward.mix import Mix
from watercolour.rollout import OnPainted, Rollout, evaluate
from watercolour.sketch import Sketch

CONTEXT = ScoreContext(run_seed=3, step=1, subject="a flower")
REPLIES = ["```js\none();\n```", "```js\ntwo();\n```", "```js\nrejected();\n```", "```js\none();\n```"]
QUESTIONS = [{"name": "wash", "ask": "Is it soft?", "weight": 1}]
WAIT_S = 10.0


class Gate(GateTerm):
    """Rejects sketches that say so."""

    def __init__(self) -> None:
        super().__init__(frozenset(), (1, 1))

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        return [Score(0.0 if "rejected" in painting.sketch.source else 1.0, "") for painting in paintings]  # type: ignore[union-attr]


class OneByOne:
    """Paints the second sketch only once the judge has been asked about the first, if it is to wait."""

    def __init__(self, server: JudgeServer, *, waits: bool) -> None:
        self.server = server
        self.waits = waits

    async def paint_all(
        self, sketches: Sequence[Sketch], *, seed: int, on_painted: OnPainted | None = None
    ) -> list[Painting]:
        paintings = []
        for row, sketch in enumerate(sketches):
            if row == 1 and self.waits:
                async with asyncio.timeout(WAIT_S):
                    while self.server.calls == 0:
                        await asyncio.sleep(0.01)
            number = len(sketch.source)
            pixels = np.random.default_rng(number).integers(0, 255, (16, 24, 3), dtype=np.uint8)
            self.server.taste[hash_pixels(pixels)] = 9.0 - number % 5
            paintings.append(Painting(sketch, RenderOutcome.OK, pixels, coverage=0.5))
            if on_painted is not None:
                await on_painted(paintings[-1])
        return paintings


def judged(mix: Mix, renderer: Any) -> list[Rollout]:
    async def work() -> list[Rollout]:
        rollouts, _ = await evaluate(REPLIES, renderer, mix, CONTEXT, render_seed=1)
        assert len(asyncio.all_tasks()) == 1, "nothing goes on behind a group's back"
        await mix.close()
        return rollouts

    return asyncio.run(work())


@pytest.mark.parametrize("kind", ["pool", "both", "absolute"])
def test_the_judge_is_asked_while_others_are_painted_and_the_rewards_stay_the_same(
    kind: str,
    judge_server: JudgeServer,  # noqa: F811
    medium: Medium,  # noqa: F811
    pool: list[Reference],  # noqa: F811
    pairwise: Any,  # noqa: F811
    absolute: Any,  # noqa: F811
    tmp_path: Path,
) -> None:
    judge_server.delay_s = 0.05
    settings = absolute(questions=QUESTIONS) if kind == "absolute" else pairwise(rivals=kind)

    def build(folder: str) -> tuple[Term, Mix]:
        judge = build_judge(settings, medium, pool, cache=tmp_path / folder)
        return judge, Mix([(Gate(), 0.2), (judge, 0.8)])

    judge, mix = build("early")
    early = judged(mix, OneByOne(judge_server, waits=True))
    asked = judge_server.calls
    other, mix = build("late")

    async def late() -> list[Any]:
        paintings = [rollout.painting for rollout in early]
        return [await mix.score(paintings, CONTEXT), await mix.close()]

    rewards, _ = asyncio.run(late())
    assert [rollout.reward for rollout in early] == rewards
    assert [rollout.reward.skipped for rollout in early] == [(), (), (judge.name,), ()]
    assert judge_server.calls == 2 * asked
    assert judge.usage == other.usage  # type: ignore[attr-defined]


def test_an_endpoint_that_refuses_the_key_still_stops_the_run(
    judge_server: JudgeServer,  # noqa: F811
    medium: Medium,  # noqa: F811
    pool: list[Reference],  # noqa: F811
    pairwise: Any,  # noqa: F811
    caplog: pytest.LogCaptureFixture,
) -> None:
    judge_server.key = "another"
    mix = Mix([(Gate(), 0.2), (build_judge(pairwise(), medium, pool), 0.8)])
    with pytest.raises(TermStopped, match="refuses"):
        judged(mix, OneByOne(judge_server, waits=True))
    assert not [record for record in caplog.records if "never retrieved" in record.getMessage()]


def test_what_was_begun_for_a_group_that_cannot_be_painted_is_called_off(
    judge_server: JudgeServer,  # noqa: F811
    medium: Medium,  # noqa: F811
    pool: list[Reference],  # noqa: F811
    pairwise: Any,  # noqa: F811
) -> None:
    judge_server.delay_s = 30
    mix = Mix([(Gate(), 0.2), (build_judge(pairwise(), medium, pool), 0.8)])

    class Falls(OneByOne):
        async def paint_all(self, sketches: Sequence[Sketch], **kwargs: Any) -> list[Painting]:
            await super().paint_all(sketches, **kwargs)
            raise OSError("the disk is full")

    async def work() -> None:
        with pytest.raises(OSError, match="full"):
            await evaluate(REPLIES, Falls(judge_server, waits=True), mix, CONTEXT, render_seed=1)
        await asyncio.sleep(0.2)
        assert len(asyncio.all_tasks()) == 1
        await mix.close()

    asyncio.run(work())
