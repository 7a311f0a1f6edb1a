"""Where the seconds of a render went: the stages of `watercolour render --trace`, as numbers that add up."""

from __future__ import annotations

from collections.abc import Mapping

STAGES = {
    "queue": "waiting for a browser that is free",
    "page": "waiting for a page with the libraries loaded",
    "sketch": "JavaScript: the sketch's, p5's and p5.brush's own",
    "raster": "filling shapes on the mask (wasm)",
    "composite": "laying the mask on the painting (wasm)",
    "gl": "WebGL calls that are passed on",
    "read": "reading the painting out of the page",
    "encode": "the PNG",
    "rest": "handing the painting over, decoding and measuring it",
}
"""Each stage in its order, and what it is."""


def whole(stages: Mapping[str, float], total_s: float) -> dict[str, float]:
    """`stages` (NAME_s to seconds) with what is missing from the total as `rest_s`, and `total_s`."""
    return {**stages, "rest_s": max(0.0, total_s - sum(stages.values())), "total_s": total_s}


def heading() -> str:
    """The table's first line."""
    return "".join(f"{name:>{_width(name)}}" for name in [*STAGES, "total"]) + "  seconds"


def row(name: str, stages: Mapping[str, float]) -> str:
    """A render's line of the table; a stage that did not come to pass is a dash."""
    cells = [(stage, stages.get(f"{stage}_s")) for stage in [*STAGES, "total"]]
    return "".join(f"{'-' if s is None else f'{s:.3f}':>{_width(stage)}}" for stage, s in cells) + f"  {name}"


def _width(stage: str) -> int:
    return max(7, len(stage) + 2)
