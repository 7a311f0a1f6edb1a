from __future__ import annotations

import pytest
import torch
from peft import get_peft_model

from watercolour.config import LoraSection
from watercolour.policy.load import Policy, lora_config
from watercolour.policy.merge import merged_adapter


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_merged_gives_the_adapters_logits_and_leaves_every_bit_as_it_was(tiny: Policy, dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    model = get_peft_model(tiny.model.to(dtype), lora_config(LoraSection(r=4)))
    for name, parameter in model.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(parameter, std=0.05)
    ids = torch.arange(3, 15)[None]
    before = {name: parameter.clone() for name, parameter in model.named_parameters()}
    with torch.no_grad():
        adapted = model(ids).logits
        with model.disable_adapter():
            bare = model(ids).logits
        for _ in range(3):
            with merged_adapter(model):
                merged = model(ids).logits
        after = model(ids).logits
    error, effect = ((adapted - other).abs().float().mean() for other in (merged, bare))
    assert error < (1e-6 if dtype is torch.float32 else 0.02)
    assert effect > 10 * error
    assert torch.equal(after, adapted)
    assert all(torch.equal(parameter, before[name]) for name, parameter in model.named_parameters())


def test_merge_is_undone_when_generation_fails(tiny: Policy) -> None:
    model = get_peft_model(tiny.model, lora_config(LoraSection(r=4)))
    before = {name: parameter.clone() for name, parameter in model.named_parameters()}
    with pytest.raises(RuntimeError), merged_adapter(model):
        raise RuntimeError
    assert all(torch.equal(parameter, before[name]) for name, parameter in model.named_parameters())
    assert not any(getattr(module, "merged_adapters", []) for module in model.modules())
