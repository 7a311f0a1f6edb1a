"""HPSv3's hidden state as features: the ones that its head reads, and a taste fitted on them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from tests.reward.hpsv3 import tiny
from tests.reward.hpsv3.pictures import pictures
from tests.taste.conftest import write_pool
from watercolour.cli.app import app
from watercolour.errors import PrerequisiteError
from watercolour.painting import Painting, RenderOutcome
from watercolour.reward.base import ScoreContext
from watercolour.reward.hpsv3.encoder import ASKED, Hpsv3Encoder
from watercolour.reward.hpsv3.images import ShapeError, patchify
from watercolour.reward.hpsv3.model import collate, load_model
from watercolour.reward.hpsv3.prompt import build_prompt
from watercolour.reward.hpsv3.texts import load_texts
from watercolour.reward.settings import TasteSettings
from watercolour.reward.taste import TasteTerm
from watercolour.sketch import Sketch
from watercolour.taste.encoder import load_encoder


@pytest.fixture(scope="module")
def encoder(folder: Path) -> Hpsv3Encoder:
    return Hpsv3Encoder(folder)


def test_the_head_makes_the_score_of_the_features(encoder: Hpsv3Encoder, folder: Path, tokenizer: Any) -> None:
    shown = list(pictures().values())[:4]
    features = encoder.encode(shown)
    model = load_model(folder / "HPSv3.safetensors", folder / "base", torch.device("cpu"), torch.float32)
    prompt = build_prompt(tokenizer, load_texts(), ASKED)
    scores = model.score(collate(prompt, [patchify(picture) for picture in shown]))
    assert features.shape == (4, model.head.rm_head[0].in_features) and features.dtype == np.float32
    assert torch.equal(model.head(torch.from_numpy(features)), scores)
    assert float(scores[:, 0].std()) > 0.1  # the pictures are told apart


def test_features_do_not_depend_on_what_else_is_encoded(encoder: Hpsv3Encoder) -> None:
    shown = list(pictures().values())
    together = encoder.encode(shown)
    alone = np.concatenate([encoder.encode([picture]) for picture in shown])
    assert np.abs(together - alone).max() < 1e-4 * np.abs(together).max()
    assert np.array_equal(encoder.encode(shown), together)
    assert encoder.encode([]).shape == (0, together.shape[1])


def test_other_weights_have_another_fingerprint(encoder: Hpsv3Encoder, folder: Path, tmp_path: Path) -> None:
    tiny.build_checkpoint(tmp_path / "HPSv3.safetensors", seed=1)
    (tmp_path / "base").symlink_to(folder / "base")
    assert Hpsv3Encoder(tmp_path).fingerprint != encoder.fingerprint == Hpsv3Encoder(folder).fingerprint


def test_a_picture_too_narrow_to_look_at_has_features_too(encoder: Hpsv3Encoder) -> None:
    narrow = np.full((2, 900, 3), 200, np.uint8)
    with pytest.raises(ShapeError):
        patchify(narrow)
    assert np.isfinite(encoder.encode([narrow])).all()


def test_weights_that_are_not_here_are_named_with_the_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (tmp_path / "base").symlink_to(folder / "base")
    for name in ("hpsv3", f"hpsv3:{tmp_path}"):
        with pytest.raises(PrerequisiteError, match=r"hf download MizzenAI/HPSv3 HPSv3\.safetensors"):
            load_encoder(name)


def test_a_taste_is_fitted_on_it_and_scores(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATERCOLOUR_CACHE", str(tmp_path / "cache"))
    pool = write_pool(tmp_path / "pool", love=5, okay=5, nope=5)
    done = CliRunner().invoke(app, ["taste", "fit", str(pool), "--encoder", f"hpsv3:{folder}"])
    assert done.exit_code == 0, done.output
    assert f"hpsv3:{folder}" in done.stdout.replace("\n", "")
    term = TasteTerm(TasteSettings(term="taste", weight=1.0), pool)
    painting = Painting(
        Sketch("x"), RenderOutcome.OK, pixels=np.full((64, 64, 3), (210, 60, 90), np.uint8), coverage=0.5
    )
    score = asyncio.run(term.score([painting], ScoreContext(subject="a square")))[0]
    assert score.value is not None and 0 <= score.value <= 1
    assert "nearest" in (score.parts or {})
