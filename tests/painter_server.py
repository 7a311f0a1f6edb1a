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
  brush.fill("#ee8f73", 200); brush.circle(300, 300, RADIUS, 0.2);
}
"""


def fence(source: str) -> str:
    """A reply that holds a program."""
    return f"Here it is.\n```javascript\n{source}```\n"


def pool_sketches(each: int, only: str = "") -> list[str]:
    """The shortest sketches of the shipped hibiscus pool, so many of each tier, in turns."""
    pool = [reference for reference in read_pool(find_pool("hibiscus")) if only in reference.name]
    tiers = {
        tier: sorted(
            (each.sketch() for each in pool if each.tier is tier), key=lambda text: (text.count("vertex"), text)
        )
        for tier in Tier
    }
    return [sketches[place] for place in range(each) for sketches in tiers.values()]


@dataclass
class Painters:
    """`again` are the sketches that critiques bring forth, in order; when they are used up, discs of other sizes."""

    again: list[str]
    bad: frozenset[str] = frozenset()
    painted: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, asked: Asked) -> str | None:
        """What the model that is asked says."""
        if asked.body["model"] == CRITIC:
            return FEEDBACK
        if asked.body["model"] in self.bad:
            return "I would paint a hibiscus with five petals."
        is_again = asked.body["messages"][-1]["role"] == "user" and len(asked.body["messages"]) > 2
        with self.lock:
            if is_again and self.again:
                return fence(self.again.pop(0))
            self.painted += 1
            return fence(DISC.replace("RADIUS", str(60 + 7 * self.painted)))


def painter_server(models: Sequence[str], painters: Painters) -> JudgeServer:
    """A server of these models and the critic; use it with `serving`."""
    return JudgeServer(models=frozenset({*models, CRITIC}), reply=painters.reply)
