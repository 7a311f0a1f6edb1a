"""The full-size policy's path, on tiny random checkpoints in its layout: with experts as 35B-A3B, dense as 4B."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from peft import AutoPeftModel, get_peft_model
from safetensors.torch import load_file

from tests.policy.qwen import LAYERS, build_tiny_qwen
from tests.policy.tiny import ask
from watercolour.config import LoraSection, PolicySection, RunConfig
from watercolour.errors import ConfigError
from watercolour.policy import grpo
from watercolour.policy.adapters import check_adapter, fit_adapter
from watercolour.policy.decode import Decoder
from watercolour.policy.export import export_adapter, export_merged
from watercolour.policy.load import Policy, chat_template_kwargs, load_policy, lora_config
from watercolour.policy.merge import merged_adapter
from watercolour.policy.scoring import Group

LORA = LoraSection(r=4, alpha=8, exclude_modules=".*visual.*")
CLASSES = {True: "Qwen3_5MoeForConditionalGeneration", False: "Qwen3_5ForConditionalGeneration"}

LINEAR_ATTENTION = ["in_proj_a", "in_proj_b", "in_proj_qkv", "in_proj_z", "out_proj"]
FULL_ATTENTION = ["k_proj", "o_proj", "q_proj", "v_proj"]
DENSE = ["mlp.down_proj", "mlp.gate_proj", "mlp.up_proj"]
WITH_EXPERTS = [f"mlp.shared_expert.{name}_proj" for name in ("down", "gate", "up")] + ["mlp.shared_expert_gate"]


@pytest.fixture(scope="module", params=[True, False], ids=["experts", "dense"])
def experts(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(scope="module")
def folder(experts: bool, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny_qwen(tmp_path_factory.mktemp("qwen"), experts=experts)


@pytest.fixture
def policy(folder: Path) -> Policy:
    return load_policy(PolicySection(model=str(folder), threads=1))


def adapted(policy: Policy) -> Any:
    """The policy with an adapter that does something."""
    model = get_peft_model(policy.model, lora_config(LORA))
    torch.manual_seed(1)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "lora_B" in name:
                parameter.normal_(std=0.1)
    return model


def logits(model: Any) -> torch.Tensor:
    with torch.inference_mode():
        found: torch.Tensor = model.train(False)(input_ids=torch.arange(40, 60)[None]).logits.float()
    return found


def test_the_same_seed_builds_the_same_checkpoint_with_fused_experts(
    folder: Path, experts: bool, tmp_path: Path
) -> None:
    tensors = load_file(folder / "model.safetensors")
    assert "model.language_model.layers.0.linear_attn.in_proj_qkv.weight" in tensors
    again = load_file(build_tiny_qwen(tmp_path / "again", experts=experts) / "model.safetensors")
    other = load_file(build_tiny_qwen(tmp_path / "other", experts=experts, seed=1) / "model.safetensors")
    assert tensors.keys() == again.keys() and all(torch.equal(tensors[name], again[name]) for name in tensors)
    assert not all(torch.equal(tensors[name], other[name]) for name in tensors)
    assert {"model.visual.patch_embed.proj.weight", "mtp.fc.weight"} < tensors.keys()
    if experts:
        assert tensors["model.language_model.layers.0.mlp.experts.gate_up_proj"].shape == (4, 32, 32)


def test_it_loads_as_its_own_class_with_a_tokenizer_alone(policy: Policy, experts: bool) -> None:
    assert policy.base_class == CLASSES[experts]
    assert not list(policy.folder.glob("*processor*"))
    assert chat_template_kwargs(policy.tokenizer, False) == {"enable_thinking": False}
    prompt = policy.tokenizer.apply_chat_template(
        ask("a flower"), tokenize=False, add_generation_prompt=True, enable_thinking=False
    )
    assert str(prompt).endswith("<think>\n\n</think>\n\n")  # closed: the reply is the sketch


def test_the_adapter_is_on_every_linear_layer_of_the_text_and_on_no_other(policy: Policy, experts: bool) -> None:
    model = adapted(policy)
    root = "base_model.model.model.language_model.layers"
    expected = set()
    for layer in range(LAYERS):
        mixer = [f"self_attn.{name}" for name in FULL_ATTENTION]
        if layer % 4 != 3:
            mixer = [f"linear_attn.{name}" for name in LINEAR_ATTENTION]
        expected |= {f"{root}.{layer}.{name}" for name in mixer + (WITH_EXPERTS if experts else DENSE)}
    assert {name.split(".lora_A")[0] for name, _ in model.named_parameters() if "lora_A" in name} == expected
    learning = {name for name, parameter in model.named_parameters() if parameter.requires_grad}
    assert learning == {f"{name}.lora_{side}.default.weight" for name in expected for side in "AB"}


def test_the_full_size_policy_has_700_adapter_tensors() -> None:
    from transformers import Qwen3_5MoeConfig, Qwen3_5MoeForConditionalGeneration

    with torch.device("meta"):
        model: Any = Qwen3_5MoeForConditionalGeneration(Qwen3_5MoeConfig())  # its defaults are 35B-A3B's
    peft: Any = get_peft_model(model, lora_config(LORA), low_cpu_mem_usage=True)
    assert sum("lora_" in name for name, _ in peft.named_parameters()) == 700


def test_an_adapter_is_bound_whole_on_the_right_class_and_refused_on_the_text_only_one(
    policy: Policy, experts: bool, tmp_path: Path
) -> None:
    from transformers import AutoModelForCausalLM

    model = adapted(policy)
    model.save_pretrained(tmp_path)
    told = logits(model)
    fresh = load_policy(PolicySection(model=str(policy.folder), threads=1))
    assert (logits(fresh.model) - told).abs().max() > 0.1
    again = fit_adapter(fresh.model, tmp_path, lora_config(LORA))
    assert torch.equal(logits(again), told)
    count = len(load_file(tmp_path / "adapter_model.safetensors"))
    assert check_adapter(tmp_path, policy.folder, lora_config(LORA)) == count

    text_only = AutoModelForCausalLM.from_pretrained(policy.folder)
    assert type(text_only).__name__ == CLASSES[experts].replace("ConditionalGeneration", "CausalLM")
    first = "base_model.model.model.language_model.layers.0.linear_attn.in_proj_a.lora_A.weight"
    with pytest.raises(ConfigError, match=rf"{count} of this adapter's {count} tensors have no place in .*{first}"):
        fit_adapter(text_only, tmp_path)
    export_adapter(tmp_path, tmp_path / "out")
    with pytest.raises(ConfigError, match=f"CausalLM: .*; it was trained on {CLASSES[experts]}"):
        fit_adapter(AutoModelForCausalLM.from_pretrained(policy.folder), tmp_path / "out")


def test_exports_load_without_us_and_give_the_adapters_logits(policy: Policy, experts: bool, tmp_path: Path) -> None:
    import transformers

    model = adapted(policy)
    model.save_pretrained(tmp_path / "saved")
    told = logits(model)
    export_adapter(tmp_path / "saved", tmp_path / "adapter")
    loaded = AutoPeftModel.from_pretrained(str(tmp_path / "adapter"))
    assert type(loaded.get_base_model()).__name__ == CLASSES[experts]
    torch.testing.assert_close(logits(loaded), told, rtol=0, atol=1e-4)

    done = export_merged(tmp_path / "saved", tmp_path / "merged")
    assert done.base_class == CLASSES[experts] and done.error is not None and done.effect is not None
    assert done.error < 1e-4 and done.effect > 0.1
    merged = getattr(transformers, CLASSES[experts]).from_pretrained(tmp_path / "merged")
    torch.testing.assert_close(logits(merged), told, rtol=0, atol=1e-4)
    before, after = (set(load_file(at / "model.safetensors")) for at in (policy.folder, tmp_path / "merged"))
    assert after == before - {"mtp.fc.weight"}
    text = transformers.AutoTokenizer.from_pretrained(tmp_path / "merged")
    assert text.chat_template == policy.tokenizer.chat_template


def test_generation_is_left_to_transformers_and_follows_the_adapter(policy: Policy) -> None:
    policy.model.generation_config.eos_token_id = None  # so that it goes on to the limit
    assert not Decoder.suits(policy.model)
    model = adapted(policy)
    ids = torch.arange(40, 52)[None]

    def write() -> list[int]:
        row: list[int] = model.generate(
            input_ids=ids, attention_mask=torch.ones_like(ids), max_new_tokens=8, do_sample=False
        )[0].tolist()
        return row

    told = write()
    with merged_adapter(model):
        assert write() == told
    with model.disable_adapter():
        assert write() != told


def test_a_step_of_grpo_moves_the_whole_adapter(
    policy: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replies: list[str] = []
    trainers: list[Any] = []
    start = grpo._Trainer.__init__

    def spy(self: Any, *args: Any, **kwargs: Any) -> None:
        start(self, *args, **kwargs)
        trainers.append(self)

    monkeypatch.setattr(grpo._Trainer, "__init__", spy)

    async def evaluate(group: Group, *, step: int) -> list[dict[str, float]]:
        replies.extend(group.completions)
        return [{"gate": 0.0}, {"gate": 1.0}]

    config = RunConfig.model_validate(
        {
            "name": "test",
            "policy": {
                "model": str(policy.folder),
                "threads": 1,
                "gradient_checkpointing": True,
                "lora": LORA.model_dump(),
            },
            "grpo": {"steps": 1, "generations": 2, "max_completion_tokens": 16, "warmup_steps": 0, "top_k": 20},
            "reward": {"terms": [{"term": "gate", "weight": 1.0}]},
        }
    )
    last = grpo.train_grpo(policy, [ask("a flower")], config, {"gate": 1.0}, checkpoints=tmp_path, evaluate=evaluate)
    assert len(set(replies)) == 2
    (trainer,) = trainers
    assert trainer.decoder is None and not trainer._is_vlm
    assert trainer.args.router_aux_loss_coef in (0.0, None) and not trainer.aux_loss_enabled
    assert trainer.args.chat_template_kwargs == {"enable_thinking": False}
    tensors = load_file(last / "adapter_model.safetensors")
    assert not any("visual" in name for name in tensors)
    idle = [name for name, tensor in tensors.items() if "lora_B" in name and not tensor.abs().max() > 0]
    assert idle == []
    assert check_adapter(last, policy.folder, lora_config(LORA)) == len(tensors)


def test_a_checkpoint_that_lacks_a_layer_of_linear_attention_is_refused(folder: Path, tmp_path: Path) -> None:
    from safetensors.torch import save_file

    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    tensors = load_file(broken / "model.safetensors")
    del tensors["model.language_model.layers.1.linear_attn.A_log"]
    save_file(tensors, broken / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ConfigError, match=r"1 tensors, model\.language_model\.layers\.1\.linear_attn\.A_log"):
        load_policy(PolicySection(model=str(broken)))
