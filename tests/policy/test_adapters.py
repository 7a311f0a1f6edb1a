from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from peft import get_peft_model
from safetensors.torch import load_file, save_file

from tests.policy.tiny import ask
from watercolour.config import LoraSection, PolicySection, RunConfig
from watercolour.errors import ConfigError
from watercolour.policy import grpo
from watercolour.policy.adapters import check_init_adapter, copy_adapter, find_adapter, fit_adapter, init_adapter
from watercolour.policy.grpo import train_grpo
from watercolour.policy.load import Policy, load_policy, lora_config
from watercolour.policy.scoring import Group

LORA = LoraSection(r=4)


def save_adapter(folder: Path, out: Path, lora: LoraSection = LORA, std: float = 0.2) -> dict[str, torch.Tensor]:
    """Save an adapter that does something; its tensors."""
    policy = load_policy(PolicySection(model=str(folder)))
    model = get_peft_model(policy.model, lora_config(lora))
    torch.manual_seed(5)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "lora_B" in name:
                parameter.normal_(std=std)
    model.save_pretrained(out)
    tensors: dict[str, torch.Tensor] = load_file(out / "adapter_model.safetensors")
    return tensors


def section(folder: Path, adapter: Path | None = None, lora: LoraSection = LORA) -> PolicySection:
    return PolicySection(
        model=str(folder), threads=1, lora=lora, init_adapter=None if adapter is None else str(adapter)
    )


def train(
    folder: Path, out: Path, start: Path | None = None, resume_from: Path | None = None, **grpo_keys: Any
) -> list[list[str]]:
    """What the policy wrote in each step."""
    written: list[list[str]] = []

    async def evaluate(group: Group, *, step: int) -> list[dict[str, float]]:
        written.append(group.completions)
        return [{"gate": value} for value in (0.1, 0.2 * step, 0.4, 1.0)]

    keys = {"generations": 4, "batch_size": 4, "max_completion_tokens": 16, "warmup_steps": 0, "top_k": 0}
    config = RunConfig.model_validate(
        {
            "name": "test",
            "policy": section(folder, start).model_dump(),
            "grpo": keys | {"learning_rate": 1e-2, "schedule": "constant", "save_every_steps": 1} | grpo_keys,
            "reward": {"terms": [{"term": "gate", "weight": 1.0}]},
        }
    )
    train_grpo(
        load_policy(config.policy),
        [ask("a flower")],
        config,
        {"gate": 1.0},
        checkpoints=out,
        evaluate=evaluate,
        resume_from=resume_from,
        init_adapter=start,
    )
    return written


def tensors_of(checkpoint: Path) -> dict[str, torch.Tensor]:
    tensors: dict[str, torch.Tensor] = load_file(checkpoint / "adapter_model.safetensors")
    return tensors


def merged_weights(folder: Path, adapter: Path) -> dict[str, torch.Tensor]:
    """The model's weights with a saved adapter added to them, worked out from its two factors."""
    weights = dict(load_policy(PolicySection(model=str(folder))).model.named_parameters(remove_duplicate=False))
    tensors = tensors_of(adapter)
    found = {name: parameter.detach().clone() for name, parameter in weights.items()}
    for name in tensors:
        if ".lora_A." in name:
            product = tensors[name.replace("lora_A", "lora_B")] @ tensors[name]
            key = name.removeprefix("base_model.model.").replace(".lora_A.weight", ".weight")
            found[key] += product * (LORA.alpha / LORA.r)
    return found


@pytest.fixture
def sampled_from(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, torch.Tensor]]:
    """The weights that each group was sampled from."""
    seen: list[dict[str, torch.Tensor]] = []
    sample = grpo.Decoder.sample

    def spy(self: Any, *args: Any) -> list[list[int]]:
        seen.append(
            {name: parameter.clone() for name, parameter in self.model.named_parameters(remove_duplicate=False)}
        )
        return sample(self, *args)

    monkeypatch.setattr(grpo.Decoder, "sample", spy)
    return seen


def assert_same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> None:
    assert one.keys() == other.keys()
    for name, tensor in one.items():
        torch.testing.assert_close(tensor, other[name], rtol=0, atol=1e-6)


def test_training_starts_from_the_saved_adapter(
    tiny_folder: Path, tmp_path: Path, sampled_from: list[dict[str, torch.Tensor]]
) -> None:
    saved = save_adapter(tiny_folder, tmp_path / "start")
    train(tiny_folder, tmp_path / "run", tmp_path / "start", steps=1)
    assert_same(sampled_from[0], merged_weights(tiny_folder, tmp_path / "start"))
    after = tensors_of(tmp_path / "run/checkpoint-1")
    assert after.keys() == saved.keys()
    moves = [float((after[name] - saved[name]).abs().max()) for name in saved]
    assert 0 < max(moves) <= 0.011  # one step of AdamW at 1e-2, from where the adapter was


def test_after_a_resume_the_first_group_is_sampled_from_the_checkpoints_weights(
    tiny_folder: Path, tmp_path: Path, sampled_from: list[dict[str, torch.Tensor]]
) -> None:
    train(tiny_folder, tmp_path, steps=3)
    straight = sampled_from[2]
    sampled_from.clear()
    train(tiny_folder, tmp_path, resume_from=tmp_path / "checkpoint-2", steps=3)
    assert len(sampled_from) == 1
    assert_same(sampled_from[0], merged_weights(tiny_folder, tmp_path / "checkpoint-2"))
    assert all(torch.equal(sampled_from[0][name], straight[name]) for name in straight)
    bare = dict(load_policy(PolicySection(model=str(tiny_folder))).model.named_parameters(remove_duplicate=False))
    assert any(not torch.equal(sampled_from[0][name], bare[name]) for name in bare)


def test_a_run_from_an_adapter_resumes_exactly_with_its_divergence_from_that_adapter(
    tiny_folder: Path, tmp_path: Path
) -> None:
    save_adapter(tiny_folder, tmp_path / "start")
    whole = train(tiny_folder, tmp_path / "whole", tmp_path / "start", steps=3, beta=0.2)
    shutil.copytree(tmp_path / "whole/checkpoint-1", tmp_path / "halted/checkpoint-1")
    rest = train(
        tiny_folder, tmp_path / "halted", tmp_path / "start", tmp_path / "halted/checkpoint-1", steps=3, beta=0.2
    )
    assert rest == whole[1:]
    expected = tensors_of(tmp_path / "whole/checkpoint-3")
    assert all(
        torch.equal(tensor, expected[name]) for name, tensor in tensors_of(tmp_path / "halted/checkpoint-3").items()
    )


def test_a_checkpoint_that_does_not_fit_is_not_resumed_from(tiny_folder: Path, tmp_path: Path) -> None:
    train(tiny_folder, tmp_path, steps=1)
    file = tmp_path / "checkpoint-1/adapter_model.safetensors"
    tensors = load_file(file)
    lost = min(tensors)
    save_file({name: tensor for name, tensor in tensors.items() if name != lost}, file)
    with pytest.raises(ConfigError, match=f"does not fill 1 of the .*{lost}"):
        train(tiny_folder, tmp_path, resume_from=tmp_path / "checkpoint-1", steps=2)


@pytest.mark.parametrize(
    ("lora", "message"),
    [
        (LoraSection(r=8), r"was trained with policy\.lora\.r 4, not 8"),
        (LoraSection(r=4, alpha=16), r"was trained with policy\.lora\.alpha 32.*, not 16"),
        (
            LoraSection(r=4, target_modules=("q_proj", "v_proj")),
            r"20 of this adapter's 28 tensors have no place in LlamaForCausalLM: base_model\S+down_proj.lora_A.weight",
        ),
        (
            LoraSection(r=4, exclude_modules=".*v_proj"),
            r"4 of this adapter's 28 tensors have no place .*v_proj.lora_A.weight",
        ),
    ],
)
def test_an_adapter_that_is_not_what_the_run_asks_for_is_refused(
    tiny_folder: Path, tmp_path: Path, lora: LoraSection, message: str
) -> None:
    save_adapter(tiny_folder, tmp_path / "start")
    asked = section(tiny_folder, tmp_path / "start", lora)
    with pytest.raises(ConfigError, match=message):
        check_init_adapter(asked, warm_start=False)
    with pytest.raises(ConfigError, match=message):
        init_adapter(load_policy(asked).model, asked, tmp_path / "start")


def test_an_adapter_of_fewer_modules_than_asked_names_those_it_does_not_fill(tiny_folder: Path, tmp_path: Path) -> None:
    save_adapter(tiny_folder, tmp_path / "start", LoraSection(r=4, target_modules=("q_proj",)))
    with pytest.raises(ConfigError, match=r"does not fill 24 of the 28 tensors .*layers\.0\.mlp\.down_proj\.lora_A"):
        check_init_adapter(section(tiny_folder, tmp_path / "start"), warm_start=False)


def test_an_adapter_of_another_model_is_refused(tiny_folder: Path, tmp_path: Path) -> None:
    save_adapter(tiny_folder, tmp_path / "start")
    settings = json.loads((tmp_path / "start/adapter_config.json").read_text())
    (tmp_path / "start/adapter_config.json").write_text(json.dumps(settings | {"target_modules": ["no_such"]}))
    model = load_policy(PolicySection(model=str(tiny_folder))).model
    with pytest.raises(ConfigError, match="28 of this adapter's 28 tensors have no place in LlamaForCausalLM"):
        fit_adapter(model, tmp_path / "start")


@pytest.mark.parametrize(
    ("base", "warm_start", "message"),
    [
        ("/cache/warm-start-0123", False, r"was trained on a warm-started policy \(warm-start-0123\)"),
        ("some/model", None, None),
    ],
)
def test_an_adapter_of_a_warm_started_policy_needs_that_policy(
    tiny_folder: Path, tmp_path: Path, base: str, warm_start: bool | None, message: str | None
) -> None:
    save_adapter(tiny_folder, tmp_path / "start")
    file = tmp_path / "start/adapter_config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"base_model_name_or_path": base}))
    asked = section(tiny_folder, tmp_path / "start")
    if message is None:
        assert check_init_adapter(asked, warm_start=False) == tmp_path / "start"
        warm = tmp_path / "warm-start-4567"
        shutil.copytree(tiny_folder, warm)
        with pytest.raises(ConfigError, match="was trained without this warm_start, on model"):
            init_adapter(load_policy(asked, warm).model, asked, tmp_path / "start")
    else:
        with pytest.raises(ConfigError, match=message):
            check_init_adapter(asked, warm_start=False)
        assert check_init_adapter(asked, warm_start=True) == tmp_path / "start"


def test_what_is_no_adapter_is_refused_in_one_line(
    tiny: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="no run 'nowhere'"):
        find_adapter("nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match=r"empty: is neither a run nor an adapter's folder"):
        find_adapter("empty")
    (tmp_path / "runs/new/checkpoints").mkdir(parents=True)
    (tmp_path / "runs/new/run.json").write_text("{}")
    with pytest.raises(ConfigError, match="new: has no checkpoint yet"):
        find_adapter("new")
    save_adapter(tiny.folder, tmp_path / "start")
    config = (tmp_path / "start/adapter_config.json").read_text()
    for text, message in (("{", "cannot be read"), ("{}", "is no LoRA adapter"), ("[]", "is no LoRA adapter")):
        (tmp_path / "start/adapter_config.json").write_text(text)
        with pytest.raises(ConfigError, match=message):
            fit_adapter(tiny.model, tmp_path / "start")
    (tmp_path / "start/adapter_config.json").write_text(config)
    (tmp_path / "start/adapter_model.safetensors").write_bytes(b"\0\0")
    with pytest.raises(ConfigError, match=r"adapter_model\.safetensors: cannot be read"):
        check_init_adapter(section(tiny.folder, tmp_path / "start"), warm_start=False)
    (tmp_path / "start/adapter_model.safetensors").unlink()
    with pytest.raises(ConfigError, match=r"holds no adapter_model\.safetensors"):
        find_adapter(tmp_path / "start")


def test_a_runs_last_checkpoint_is_its_adapter_and_is_copied_whole(tiny_folder: Path, tmp_path: Path) -> None:
    for step in (9, 10):
        save_adapter(tiny_folder, tmp_path / f"run/checkpoints/checkpoint-{step}")
        (tmp_path / f"run/checkpoints/checkpoint-{step}/trainer_state.json").touch()
    (tmp_path / "run/run.json").write_text("{}")
    last = find_adapter(tmp_path / "run")
    assert last.name == "checkpoint-10"
    copy_adapter(last, tmp_path / "run/init-adapter")
    assert sorted(path.name for path in (tmp_path / "run/init-adapter").iterdir()) == [
        "adapter_config.json",
        "adapter_model.safetensors",
    ]
    assert not list((tmp_path / "run").glob(".*"))
