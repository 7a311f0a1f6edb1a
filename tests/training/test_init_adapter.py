"""A run that starts from a saved adapter, on a tiny real policy and the real browser."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from tests.cli.conftest import Run, in_an_empty_folder, run  # noqa: F401 - fixtures
from tests.policy.test_adapters import save_adapter
from tests.training.test_training import write_config
from watercolour.runs import RunDir

pytestmark = pytest.mark.browser


def test_a_run_starts_from_a_saved_adapter_and_keeps_its_own_copy(run: Run, painter: Path) -> None:  # noqa: F811
    write_config(painter, steps=1)
    first = save_adapter(painter, Path("first"), std=0.001)

    again = ("train", "--config", "loop.yaml", "--name", "second", "policy.init_adapter=first")
    refused = run(*again, "policy.lora.r=8")
    assert refused.code == 2
    assert "was trained with policy.lora.r 4, not 8" in refused.err
    assert not Path("second").exists()

    result = run(*again, "grpo.learning_rate=1e-9")
    assert result.code == 0, result.err
    second = RunDir.open("second")
    facts = second.facts()["init_adapter"]
    assert facts["folder"] == "first"
    assert len(facts["sha256"]) == 64
    last = second.last_checkpoint()
    assert last is not None
    after = load_file(last / "adapter_model.safetensors")
    for name, tensor in load_file(second.init_adapter / "adapter_model.safetensors").items():
        assert torch.equal(tensor, first[name])
        torch.testing.assert_close(after[name], tensor, rtol=0, atol=1e-8)

    shutil.rmtree("first")  # what the run started from may go
    shutil.rmtree(last)
    resumed = run("train", "--resume", "second")
    assert resumed.code == 0, resumed.err
    redone = load_file(last / "adapter_model.safetensors")
    assert all(torch.equal(tensor, after[name]) for name, tensor in redone.items())
