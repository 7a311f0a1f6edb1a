"""Ours against the original's stored scores, and every known trap: fallen into on purpose, it must show.

The tiny checkpoint's mu spreads by 1.8 over the eight pictures. bench/hpsv3_parity.py made expected.json with the
original package.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import PIL
import pytest
import torch
from safetensors.torch import save_file

from tests.reward.hpsv3 import tiny
from tests.reward.hpsv3.conftest import SCORER_TEXT
from tests.reward.hpsv3.pictures import pictures
from watercolour.errors import PrerequisiteError
from watercolour.reward.hpsv3 import model as hpsv3_model
from watercolour.reward.hpsv3.images import MEAN, STD, Patches, patchify, resized_shape
from watercolour.reward.hpsv3.model import Batch, Hpsv3Model, collate, load_model
from watercolour.reward.hpsv3.prompt import IMAGE_ID, PAD_ID, Prompt, build_prompt
from watercolour.reward.hpsv3.texts import Texts, load_texts

EXPECTED = json.loads((Path(__file__).parent / "expected.json").read_text())
TOLERANCE = 1e-4
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def model(folder: Path) -> Hpsv3Model:
    return load_model(folder / "HPSv3.safetensors", folder / "base", CPU, torch.float32)


@pytest.fixture(scope="module")
def patches() -> list[Patches]:
    return [patchify(pixels) for pixels in pictures().values()]


@pytest.fixture(scope="module")
def scores(model: Hpsv3Model, prompt: Prompt, patches: list[Patches]) -> torch.Tensor:
    """Each picture scored by itself: (8, 2)."""
    return torch.cat([model.score(collate(prompt, [picture])) for picture in patches])


def expected() -> torch.Tensor:
    return torch.tensor([EXPECTED["scores"][name] for name in pictures()])


def largest(difference: torch.Tensor) -> float:
    return float(difference[:, 0].abs().max())


def test_stored_scores_are_of_these_pictures_this_template_and_this_pillow() -> None:
    """Pillow's resize differs between major versions by 6.5e-3: then the stored scores hold no longer."""
    hashes = {name: hashlib.sha256(pixels.tobytes()).hexdigest() for name, pixels in pictures().items()}
    assert hashes == EXPECTED["pictures"], "a picture has changed: run bench/hpsv3_parity.py --write"
    assert EXPECTED["text"] == SCORER_TEXT
    assert EXPECTED["versions"]["pillow"].split(".")[0] == PIL.__version__.split(".")[0]
    assert EXPECTED["versions"]["hpsv3"] == "1.0.0"


def test_tiny_checkpoint_is_the_one_that_was_scored() -> None:
    digest = hashlib.sha256()
    for name, tensor in sorted(tiny.tensors().items()):
        digest.update(name.encode() + tensor.numpy().tobytes())
    assert digest.hexdigest() == EXPECTED["checkpoint"]


def test_scores_are_the_originals(scores: torch.Tensor) -> None:
    torch.testing.assert_close(scores, expected(), atol=TOLERANCE, rtol=0)
    assert scores[:, 0].std() > 1, "the pictures must differ, or this shows nothing"


def test_one_batch_of_all_shapes_scores_as_one_by_one(
    model: Hpsv3Model, prompt: Prompt, patches: list[Patches], scores: torch.Tensor
) -> None:
    """The lengths differ, so the shorter rows are padded."""
    together = model.score(collate(prompt, patches))
    torch.testing.assert_close(together, scores, atol=TOLERANCE, rtol=0)


def test_padding_on_the_right_is_harmless(
    model: Hpsv3Model, prompt: Prompt, patches: list[Patches], scores: torch.Tensor
) -> None:
    batch = collate(prompt, patches[:1], pad_to=len(prompt.row(patches[0].tokens)) + 57)
    assert (batch.ids[0, -57:] == PAD_ID).all() and not batch.mask[0, -57:].any()
    torch.testing.assert_close(model.score(batch), scores[:1], atol=TOLERANCE, rtol=0)


def test_padding_is_never_on_the_left(prompt: Prompt, patches: list[Patches]) -> None:
    """It would move the positions of the prompt, and mu with them (by 1.5e-4 where it was measured)."""
    batch = collate(prompt, patches)
    assert (batch.mask == 0).any()
    assert (batch.mask[:, 0] == 1).all()
    assert (batch.mask.diff(dim=1) <= 0).all()


def test_pictures_plane_positions_are_the_wrong_ones(
    model: Hpsv3Model, prompt: Prompt, patches: list[Patches], monkeypatch: pytest.MonkeyPatch
) -> None:
    """transformers' own positions for Qwen2-VL, M-RoPE."""
    batch = collate(prompt, patches)
    positions, _ = model.backbone.get_rope_index(
        batch.ids,
        image_grid_thw=batch.grids,
        attention_mask=batch.mask,
        mm_token_type_ids=(batch.ids == IMAGE_ID).int(),
    )
    monkeypatch.setattr(hpsv3_model, "sequential_positions", lambda ids: positions)
    assert largest(model.score(batch) - expected()) > 0.1


def strip_blanks(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("alter", [str.strip, strip_blanks], ids=["at both ends", "at the ends of lines"])
def test_stripping_the_instructions_blanks_shows(
    alter: Callable[[str], str], model: Hpsv3Model, tokenizer: Any, patches: list[Patches]
) -> None:
    texts = load_texts()
    stripped = build_prompt(tokenizer, Texts(alter(texts.instruction), texts.tail), SCORER_TEXT)
    assert largest(model.score(collate(stripped, patches[:4])) - expected()[:4]) > 0.01


def test_another_resize_shows(model: Hpsv3Model, prompt: Prompt, patches: list[Patches]) -> None:
    """torch's bicubic with antialiasing, which the torchvision image processor uses, is not Pillow's."""
    name = "waves 640 x 360"
    row = list(pictures()).index(name)
    pixels = torch.from_numpy(pictures()[name]).permute(2, 0, 1)[None].float()
    shape = resized_shape(360, 640)
    resized = torch.nn.functional.interpolate(pixels, shape, mode="bicubic", antialias=True, align_corners=False)
    ours = _unpatch(patches[row])
    theirs = (resized[0].round().clamp(0, 255) / 255 - torch.tensor(MEAN)[:, None, None]) / torch.tensor(STD)[
        :, None, None
    ]
    assert ours.shape == theirs.shape
    other = replace(patches[row], values=_patch(theirs))
    assert largest(model.score(collate(prompt, [other])) - expected()[row : row + 1]) > TOLERANCE


def _unpatch(patches: Patches) -> torch.Tensor:
    """(3, height, width), normalised."""
    cut = torch.from_numpy(patches.values).reshape(patches.rows // 2, patches.columns // 2, 2, 2, 3, 2, 14, 14)
    return cut[..., 0, :, :].permute(4, 0, 2, 5, 1, 3, 6).reshape(3, patches.rows * 14, patches.columns * 14)


def _patch(image: torch.Tensor) -> Any:
    rows, columns = image.shape[1] // 28, image.shape[2] // 28
    cut = image.reshape(3, rows, 2, 14, columns, 2, 14).permute(1, 4, 2, 5, 0, 3, 6)
    return cut[:, :, :, :, :, None].expand(-1, -1, -1, -1, -1, 2, -1, -1).reshape(rows * columns * 4, -1).numpy()


def test_bfloat16_stays_near_the_originals(
    folder: Path, prompt: Prompt, patches: list[Patches], scores: torch.Tensor
) -> None:
    """All but the head in bfloat16, the frequencies of the positions included: with exact ones it would be 0.3."""
    half = load_model(folder / "HPSv3.safetensors", folder / "base", CPU, torch.bfloat16)
    assert {parameter.dtype for parameter in half.head.parameters()} == {torch.float32}
    assert {parameter.dtype for parameter in half.backbone.parameters()} == {torch.bfloat16}
    alone = torch.cat([half.score(collate(prompt, [picture])) for picture in patches])
    theirs = torch.tensor([EXPECTED["bfloat16"][name] for name in pictures()])
    assert alone.dtype == torch.float32
    assert largest(alone - theirs) < 0.25
    assert 1e-4 < largest(alone - scores) < 0.5
    assert largest(half.score(collate(prompt, patches[:2])) - alone[:2]) < 0.1


def test_nothing_is_kept_for_gradients(model: Hpsv3Model, prompt: Prompt, patches: list[Patches]) -> None:
    """Autograd left on costs 5 GB a picture."""
    seen = []
    hook = model.head.register_forward_hook(lambda module, inputs, output: seen.append((inputs[0], output)))
    try:
        with torch.enable_grad():
            model.score(collate(prompt, patches[:1]))
    finally:
        hook.remove()
    assert not any(parameter.requires_grad for parameter in model.backbone.parameters())
    assert all(tensor.grad_fn is None and tensor.is_inference() for pair in seen for tensor in pair)


@pytest.mark.parametrize("count", [0, 2])
def test_rows_without_exactly_one_reward_token_are_refused(
    count: int, model: Hpsv3Model, prompt: Prompt, patches: list[Patches]
) -> None:
    batch = collate(prompt, patches[:1])
    ids = batch.ids.clone()
    if count == 0:
        ids[ids == hpsv3_model.REWARD_ID] = PAD_ID
    else:
        ids[0, 0] = hpsv3_model.REWARD_ID
    with pytest.raises(ValueError, match=f"{count} reward tokens in 1 rows"):
        model.score(Batch(ids, batch.mask, batch.pixels, batch.grids))


def test_rotary_frequencies_are_rebuilt_in_float32(model: Hpsv3Model) -> None:
    rotary = model.backbone.language_model.rotary_emb.inv_freq
    np.testing.assert_allclose(rotary, 1e6 ** -(np.arange(0, 16, 2) / 16), rtol=1e-6)
    assert not any(buffer.is_meta for buffer in model.backbone.buffers())


def test_language_head_is_left_on_the_disk(model: Hpsv3Model) -> None:
    sizes = [parameter.numel() for parameter in model.backbone.parameters()]
    assert sum(size == tiny.VOCABULARY * tiny.HIDDEN for size in sizes) == 1


Alter = Callable[[dict[str, torch.Tensor]], object]


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (lambda tensors: tensors.pop("model.layers.1.self_attn.q_proj.weight"), "lacks model.layers.1.self_attn.q_"),
        (lambda tensors: tensors.pop("rm_head.5.bias"), "lacks rm_head.5.bias"),
        (
            lambda tensors: [tensors.pop(name) for name in list(tensors) if name.startswith("rm_head")],
            "lacks rm_head.0.weight, and 5 more",
        ),
        (lambda tensors: tensors.update(v_head=torch.zeros(1)), "an unexpected v_head"),
        (
            lambda tensors: tensors.update({"model.norm.weight": torch.zeros(tiny.HIDDEN + 1)}),
            r"a misshapen model.norm.weight of \[33\], not \[32\]",
        ),
        (
            lambda tensors: tensors.update({"rm_head.5.weight": torch.zeros(1, 16)}),
            r"a misshapen rm_head.5.weight of \[1, 16\], not \[2, 16\]",
        ),
    ],
    ids=["missing", "missing in the head", "no head", "unexpected", "misshapen", "misshapen in the head"],
)
def test_wrong_tensors_are_refused_by_name(
    alter: Alter, said: str, folder: Path, tmp_path: Path, all_tensors: dict[str, torch.Tensor]
) -> None:
    altered = dict(all_tensors)
    alter(altered)
    save_file(altered, str(tmp_path / "wrong.safetensors"))
    with pytest.raises(PrerequisiteError, match=said):
        load_model(tmp_path / "wrong.safetensors", folder / "base", CPU, torch.float32)


@pytest.fixture(scope="module")
def all_tensors() -> dict[str, torch.Tensor]:
    """Without the language head: a checkpoint is complete without it, and the files are half the size."""
    return {name: tensor for name, tensor in tiny.tensors().items() if name != "lm_head.weight"}


def test_torn_weights_are_refused(folder: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.safetensors"
    torn.write_bytes((folder / "HPSv3.safetensors").read_bytes()[:100_000])
    with pytest.raises(PrerequisiteError, match=r"torn.safetensors cannot be read as safetensors .*download it again"):
        load_model(torn, folder / "base", CPU, torch.float32)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"model_type": "llama"}, "is a llama, not a qwen2_vl"),
        ({"model_type": "no such model"}, "cannot be read"),
        (tiny.CONFIG | {"vision_config": tiny.CONFIG["vision_config"] | {"patch_size": 16}}, "other patches"),
    ],
)
def test_another_base_is_refused(config: dict[str, Any], said: str, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(PrerequisiteError, match=said):
        load_model(folder / "HPSv3.safetensors", tmp_path, CPU, torch.float32)
