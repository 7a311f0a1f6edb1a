from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
from peft import AutoPeftModel, PeftModel

from tests.cli.conftest import Run, in_an_empty_folder, run  # noqa: F401 - fixtures
from tests.policy.test_adapters import save_adapter, tensors_of
from watercolour.config import load_config_text
from watercolour.errors import ConfigError, PrerequisiteError
from watercolour.policy.export import export_adapter, export_merged
from watercolour.run_facts import RunFacts
from watercolour.runs import RunDir

CONFIG = """
policy: {{model: {model}, dtype: {dtype}, threads: 1, lora: {{r: 4}}}}
grpo: {{steps: 2}}
reward: {{terms: [{{term: gate, weight: 1}}]}}
"""


def make_run(model: Path, path: Path, dtype: str = "auto") -> RunDir:
    """A run with one checkpoint."""
    text = CONFIG.format(model=model, dtype=dtype)
    facts = RunFacts("train", {}, {}, None, None, policy_class="LlamaForCausalLM")
    directory = RunDir.create(path, load_config_text(text), text, facts)
    save_adapter(model, directory.checkpoints / "checkpoint-2")
    (directory.checkpoints / "checkpoint-2/trainer_state.json").touch()
    directory.close()
    return directory


def logits(model: torch.nn.Module) -> torch.Tensor:
    with torch.inference_mode():
        found: torch.Tensor = model.train(False)(input_ids=torch.arange(40, 60)[None]).logits.float()
    return found


@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 1e-5), ("bfloat16", 0.02)])
def test_merged_model_gives_the_adapters_logits_in_plain_transformers(
    tiny_folder: Path, tmp_path: Path, dtype: str, tolerance: float
) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    directory = make_run(tiny_folder, tmp_path / "run", dtype)
    done = export_merged(directory.path, tmp_path / "merged")
    assert (done.base_class, done.tensors) == ("LlamaForCausalLM", 28)
    assert done.error is not None and done.effect is not None
    assert done.error < tolerance and done.effect > 5 * tolerance
    base = AutoModelForCausalLM.from_pretrained(tiny_folder, dtype=getattr(torch, dtype))
    told = logits(PeftModel.from_pretrained(base, str(directory.checkpoints / "checkpoint-2")))
    merged = AutoModelForCausalLM.from_pretrained(tmp_path / "merged", dtype="auto")
    assert merged.dtype == getattr(torch, dtype) and merged.config.use_cache
    assert (logits(merged) - told).abs().mean() < tolerance
    assert AutoTokenizer.from_pretrained(tmp_path / "merged").chat_template
    assert not list(tmp_path.glob(".merged*"))


def test_adapter_loads_in_plain_peft_with_the_class_it_was_trained_on(tiny_folder: Path, tmp_path: Path) -> None:
    directory = make_run(tiny_folder, tmp_path / "run")
    done = export_adapter(directory.checkpoints / "checkpoint-2", tmp_path / "some/where/adapter")
    assert (done.effect, done.error) == (None, None)
    loaded = AutoPeftModel.from_pretrained(str(done.out))
    assert type(loaded.get_base_model()).__name__ == "LlamaForCausalLM"
    saved = tensors_of(directory.checkpoints / "checkpoint-2")
    state = {name.replace(".default", ""): tensor for name, tensor in loaded.state_dict().items() if "lora_" in name}
    assert state.keys() == saved.keys()
    assert all(torch.equal(state[name], saved[name]) for name in saved)
    (tmp_path / "empty").mkdir()
    again = export_adapter(done.out, tmp_path / "empty")  # what was exported can be exported
    assert again.tensors == done.tensors == 28


def test_a_hub_policys_adapter_names_the_repository(
    tiny_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = make_run(tiny_folder, tmp_path / "run")
    resolved = directory.path / "config.resolved.json"
    settings = json.loads(resolved.read_text())
    settings["policy"] |= {"model": "someone/a-model", "revision": "v1"}
    resolved.write_text(json.dumps(settings))
    done = export_adapter(directory.path, tmp_path / "out")
    written = json.loads((done.out / "adapter_config.json").read_text())
    assert done.base == "someone/a-model"
    assert (written["base_model_name_or_path"], written["revision"]) == ("someone/a-model", "v1")


def test_what_cannot_be_exported_is_refused_and_leaves_nothing(tiny_folder: Path, tmp_path: Path) -> None:
    directory = make_run(tiny_folder, tmp_path / "run")
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").touch()
    for export in (export_adapter, export_merged):
        with pytest.raises(ConfigError, match=r"full: holds something already"):
            export(directory.path, tmp_path / "full")
        with pytest.raises(ConfigError, match=r"file: is a file"):
            export(directory.path, tmp_path / "full/file")
    file = directory.checkpoints / "checkpoint-2/adapter_config.json"
    settings = json.loads(file.read_text())
    file.write_text(json.dumps(settings | {"base_model_name_or_path": "/gone/warm-start-0123"}))
    with pytest.raises(PrerequisiteError, match=r"warm-start-0123, is gone; start another run of .*config\.yaml"):
        export_merged(directory.path, tmp_path / "out")
    file.write_text(json.dumps(settings | {"r": 8}))
    for export in (export_adapter, export_merged):
        with pytest.raises(ConfigError, match="28 of this adapter's 28 tensors have no place in LlamaForCausalLM"):
            export(directory.path, tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir() if "out" in path.name) == []


def test_the_command_prints_the_folder_or_the_facts(run: Run, tiny_folder: Path) -> None:  # noqa: F811
    make_run(tiny_folder, Path("runs/first"))
    plain = run("export", "first", "adapter")
    assert (plain.code, plain.out) == (0, "adapter\n")
    assert "28 adapter tensors from runs/first/checkpoints/checkpoint-2, all in place in LlamaForCausalLM" in plain.err
    merged = run("export", "runs/first/checkpoints/checkpoint-2", "merged", "--merged", "--json")
    facts = json.loads(merged.out)
    assert (facts["out"], facts["merged"], facts["tensors"]) == ("merged", True, 28)
    assert facts["error"] < 1e-5 < facts["effect"]
    refused = run("export", "frist", "other")
    assert refused.code == 2
    assert "no run 'frist', did you mean 'first'?" in refused.err
    shutil.rmtree("adapter")
