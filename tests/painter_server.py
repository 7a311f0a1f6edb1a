"""Models that paint and one that criticises, for tests: a JudgeServer whose painters answer with the pool's sketches.

A painter's first reply for a subject is a plain disc, and its reply to a critique the next sketch of the shipped pool;
`bad` painters write prose. The critic always has the same to say.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.judge_server import Asked, JudgeServer
from watercolour.references import Tier, read_pool
from watercolour.shipped import find_pool

CRITIC = "test/critic"
FEEDBACK = "1. The petals are flat: let a second wash run into the first. 2. Leave paper at the edges."

DISC = """function setup() { createCanvas(600, 600, WEBGL); brush.scaleBrushes(3); angleMode(DEGREES); noLoop(); }
function draw() {
  translate(-width / 2, -height / 2); background("#fbf6ee"); brush.noStroke();
  brush.fill("#a02050", 255); brush.circle(300, 300, RADIUS, 0.1);
}
"""


def fence(source: str) -> str:
    """A reply that holds a program."""
    return f"Here it is.\n```javascript\n{source}```\n"


def pool_sketches(subjects: Sequence[str]) -> dict[str, list[str]]:
    """Four sketches of the shipped hibiscus pool for each of three subjects, the shortest; four of each tier in all."""
    pool = read_pool(find_pool("hibiscus"))
    chosen = {}
    for place, subject in enumerate(subjects):
        ours: dict[Tier, list[str]] = {
            tier: sorted((each.sketch() for each in pool if (each.tier, each.subject) == (tier, subject)), key=len)
            for tier in Tier
        }
        extra = list(Tier)[place]
        chosen[subject] = [*(ours[tier][0] for tier in Tier), ours[extra][1]]
    return chosen


@dataclass
class Painters:
    """`again` are the sketches that critiques bring forth, by subject; when they are used up, discs of other sizes."""

    again: dict[str, list[str]] = field(default_factory=dict)
    bad: frozenset[str] = frozenset()
    discs: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, asked: Asked) -> str | None:
        """What the model that is asked says."""
        if asked.body["model"] == CRITIC:
            return FEEDBACK
        if asked.body["model"] in self.bad:
            return "I would paint a hibiscus with five petals."
        _, first, *later = asked.body["messages"]
        with self.lock:
            for subject, sketches in self.again.items() if later else ():
                if f"Paint {subject}" in str(first["content"])[-500:] and sketches:
                    return fence(sketches.pop(0))
            self.discs += 1
            return fence(DISC.replace("RADIUS", str(180 + 4 * self.discs)))


def painter_server(models: Sequence[str], painters: Painters) -> JudgeServer:
    """A server of these models and the critic; use it with `serving`."""
    return JudgeServer(models=frozenset({*models, CRITIC}), reply=painters.reply)
