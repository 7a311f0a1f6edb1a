"""A judge to ask, pictures to show it, and a pool of references."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.judge_server import MODEL, JudgeServer, serving
from watercolour.medium import Medium, load_medium
from watercolour.painting import Painting, RenderOutcome, hash_pixels
from watercolour.references import Reference, Tier
from watercolour.reward.judge import retry
from watercolour.reward.settings import AbsoluteSettings, PairwiseSettings

Paint = Callable[..., Painting]


@pytest.fixture
def judge_server() -> Iterator[JudgeServer]:
    """A running server with no opinion and no faults yet."""
    with serving(JudgeServer()) as server:
        yield server


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits before another try are short, so that faults can be tested at all."""
    monkeypatch.setattr(retry, "FIRST_WAIT_S", 0.02)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATERCOLOUR_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def medium() -> Medium:
    return load_medium("hibiscus")


@pytest.fixture
def paint(judge_server: JudgeServer) -> Paint:
    """`paint(0.7)`: a picture, different from all before, that the server likes that much."""
    made = 0

    def paint(liked: float = 0.0, *, size: tuple[int, int] = (24, 16), **changes: Any) -> Painting:
        nonlocal made
        made += 1
        pixels = np.random.default_rng(made).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
        judge_server.taste[hash_pixels(pixels)] = liked
        return Painting(**({"sketch": None, "outcome": RenderOutcome.OK, "pixels": pixels, "coverage": 0.5} | changes))

    return paint


@pytest.fixture
def pool(paint: Paint, tmp_path: Path) -> list[Reference]:
    """Six loved paintings that the server gives 9, six okay ones at 5 and four rejected ones at 1."""
    references = []
    for tier, count, liked in ((Tier.LOVE, 6, 9.0), (Tier.OKAY, 6, 5.0), (Tier.NOPE, 4, 1.0)):
        for number in range(count):
            name = f"{tier}-{number}"
            painting = paint(liked)
            picture = tmp_path / f"{name}.png"
            picture.write_bytes(painting.png())
            references.append(
                Reference(name, tier, "a flower", picture, tmp_path / "none.js", painting.sha256 or "", 0.5, {})
            )
    return references


@pytest.fixture
def pairwise(judge_server: JudgeServer) -> Callable[..., PairwiseSettings]:
    """Pairwise settings for the server, with changes."""

    def settings(**changes: Any) -> PairwiseSettings:
        return PairwiseSettings.model_validate(endpoint(judge_server) | {"kind": "pairwise"} | changes)

    return settings


@pytest.fixture
def absolute(judge_server: JudgeServer) -> Callable[..., AbsoluteSettings]:
    """Absolute settings for the server, with changes."""

    def settings(**changes: Any) -> AbsoluteSettings:
        return AbsoluteSettings.model_validate(endpoint(judge_server) | {"kind": "absolute"} | changes)

    return settings


def endpoint(server: JudgeServer) -> dict[str, Any]:
    return {"term": "judge", "weight": 1, "model": MODEL, "base_url": server.url, "key_env": None}
