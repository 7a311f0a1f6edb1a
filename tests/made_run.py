"""A run directory as training leaves it, made in an instant: real records of real rewards, no policy and no browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np

from watercolour.config import load_config_text
from watercolour.medium import load_medium
from watercolour.painting import Painting, RenderOutcome, measure_coverage
from watercolour.policy.scoring import Group
from watercolour.reward.base import ScoreContext
from watercolour.reward.build import build_mix
from watercolour.rollout import Rollout
from watercolour.run_facts import RunFacts
from watercolour.runs import RolloutRecord, RunDir
from watercolour.sketch import extract
from watercolour.training import record_of

CONFIG = """
seed: 3
policy: {model: nobody/nothing}
grpo: {steps: 4, generations: 4}
render: {seed: 5}
reward: {terms: [
  {term: gate, weight: 0.1},
  {term: length, weight: 0.3, count_by: characters, floor_tokens: 10, full_tokens: 200, ceiling_tokens: 400},
  {term: coverage, weight: 0.6, full_at: 0.5}]}
"""
FACTS = RunFacts(command="watercolour train", seeds={"run": 3}, versions={}, browser=None, git_sha=None)
WHITE = (255, 255, 255)


def sketch(circles: int, colour: str = "#d04070") -> str:
    """A sketch of a disc and more discs upon it."""
    lines = "".join(f"  brush.circle({10 * place}, {7 * place}, {20 + place});\n" for place in range(circles))
    return f"""function setup() {{ createCanvas(600, 600, WEBGL); noLoop(); }}
function draw() {{
  background("#fff"); brush.noStroke(); brush.fill("{colour}", 220);
{lines}}}
"""


def painting(source: str, share: float, seed: int = 0) -> Painting:
    """What such a sketch painted: so much of the paper, in a colour of its own."""
    pixels = np.full((40, 40, 3), 255, np.uint8)
    pixels.reshape(-1, 3)[: round(1600 * share)] = (60 + 5 * seed % 120, 90, 120)
    return Painting(
        extract(source),
        RenderOutcome.OK,
        pixels=pixels,
        paper=WHITE,
        coverage=measure_coverage(pixels, WHITE),
        canvas=(600.0, 600.0),
        painted_by_brush=measure_coverage(pixels, WHITE),
        brush_fills=7,
        seed=5,
        seconds=0.5,
    )


def make_run(path: Path, *, steps: int = 4, config: str = CONFIG) -> RunDir:
    """Steps of four rollouts: two that paint more and more, one that grows long and bare, one that does not parse.

    The last rollout of step 2, where there is one, could not be had, through no fault of its own.
    """
    loaded = load_config_text(config, label="first.yaml")
    mix = build_mix(loaded, load_medium("hibiscus"))
    run = RunDir.create(path, loaded, config, FACTS)
    for step in range(1, steps + 1):
        sources = [sketch(2 * step, "#a03060"), sketch(3 + step), sketch(12 + step), "function setup() { ] }"]
        completions = [f"Here:\n```js\n{source}```\n" for source in sources]
        paintings = [
            painting(completions[0], 0.05 + 0.1 * step, step),
            painting(completions[1], 0.5 - 0.08 * step, 10 + step),
            painting(completions[2], 0.02 + 0.01 * step, 20 + step),
            Painting(extract(completions[3]), RenderOutcome.SYNTAX_ERROR, errors=("SyntaxError: no",), seed=5),
        ]
        if step == 2:
            paintings[3] = Painting(extract(completions[3]), RenderOutcome.INFRA, errors=("no browser",))
        rewards = asyncio.run(mix.score(paintings, ScoreContext(run_seed=3, step=step)))
        for each in paintings:
            run.add_image(each)
        group = Group(completions, [20, 30, 60, 9], [False] * 4)
        records: list[RolloutRecord] = [
            record_of(
                step,
                index,
                "a peach hibiscus",
                group,
                Rollout(completions[index], extract(completions[index]), paintings[index], rewards[index]),
                mix.weights,
            )
            for index in range(4)
        ]
        run.write_rollouts(step, records)
    run.close()
    return run
