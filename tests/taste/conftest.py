"""Pools of coloured squares with an encoder that sees only their colour, and the shipped taste and its encoder."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from watercolour.painting import hash_pixels
from watercolour.references import Reference, Tier
from watercolour.shipped import find_pool
from watercolour.taste.encoder import Encoder, load_encoder
from watercolour.taste.heldout import Ratings
from watercolour.taste.model import Taste
from watercolour.taste.store import load_taste

RED = {"nope": 40, "okay": 120, "love": 210}


class ColourEncoder:
    """Four features of a picture: its mean colour and its spread. Deterministic, and blind to everything else."""

    name = "colour"
    fingerprint = "colour-1"

    def __init__(self) -> None:
        self.seen = 0

    def encode(self, pictures: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        self.seen += len(pictures)
        rows = [[*(each.mean((0, 1)) / 255), each.std() / 255] for each in pictures]
        return np.array(rows, np.float32).reshape(len(rows), 4)


MakePool = Callable[..., Path]


@pytest.fixture
def make_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakePool:
    """Writes a pool of squares whose red rises with the rating; the cache lies beside it."""
    monkeypatch.setenv("WATERCOLOUR_CACHE", str(tmp_path / "cache"))

    return lambda **counts: write_pool(tmp_path / "pool", **counts)


def write_pool(folder: Path, **counts: int) -> Path:
    rng, lines = np.random.default_rng(0), []
    for tier, count in counts.items():
        (folder / tier).mkdir(parents=True, exist_ok=True)
        for number in range(count):
            colour = np.array([RED[tier], 60, 90]) + rng.integers(-25, 26, 3)
            pixels = np.clip(colour + rng.integers(-9, 10, (24, 24, 3)), 0, 255).astype(np.uint8)
            name = f"{tier}/{tier}-{number}"
            Image.fromarray(pixels).save(folder / f"{name}.png")
            words = " ".join(f"{tier}{number}w{word}();" for word in range(20))
            (folder / f"{name}.js").write_text(words)
            line = {"file": f"{name}.png", "source": f"{name}.js", "tier": tier, "subject": "a square"}
            lines.append(json.dumps({**line, "sha256": hash_pixels(pixels), "coverage": 0.2}))
    (folder / "pool.jsonl").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    return load_encoder()


@pytest.fixture(scope="session")
def shipped() -> Taste:
    return load_taste(find_pool("hibiscus") / "taste")


def synthetic(counts: tuple[int, int, int], gap: float, *, seed: int = 0, width: int = 12) -> Ratings:
    """Gaussian features; a tier's mean lies `gap` deviations above the one below, along one axis."""
    rng = np.random.default_rng(seed)
    ranks = np.repeat(np.arange(3), counts)
    features = rng.normal(size=(len(ranks), width)).astype(np.float32)
    features[:, 0] += gap * ranks
    return Ratings(features, features.copy(), ranks, np.arange(len(ranks)))


def reference(name: str, tier: Tier, folder: Path, source: str = "x", **facts: object) -> Reference:
    path = folder / f"{name}.js"
    path.write_text(source)
    return Reference(name, tier, "a square", path, path, f"sha-{name}", 0.2, dict(facts))
