from __future__ import annotations

from typing import Any

import pytest
import torch
from trl.trainer.utils import add_fused_lm_head

from watercolour.policy import head
from watercolour.policy.head import one_pass_head
from watercolour.policy.load import Policy
from watercolour.policy.prefix import share_prefix


def batch(prompt: int = 24) -> dict[str, Any]:
    """Rows of one prompt and ends of their own length, the last without any."""
    torch.manual_seed(1)
    ids = torch.randint(3, 200, (4, prompt + 9))
    ids[:, :prompt] = ids[0, :prompt]
    mask = torch.ones_like(ids)
    mask[1, prompt + 4 :] = 0
    mask[3, prompt:] = 0
    labels = ids.masked_fill(mask == 0, -100)
    labels[:, :prompt] = -100
    return {"input_ids": ids, "attention_mask": mask, "labels": labels, "fused_lm_head": True}


def run(tiny: Policy, rows: dict[str, Any]) -> tuple[torch.Tensor, torch.Tensor, dict[str, torch.Tensor]]:
    model = tiny.model
    model.zero_grad()
    model.get_output_embeddings().requires_grad_(False)
    output = model(**rows)
    own = output.log_probs[:, -9:]  # what comes before is the prompt's
    (own * torch.linspace(-1, 1, own.numel()).view_as(own)).sum().backward()
    gradients = {name: each.grad.clone() for name, each in model.named_parameters() if each.grad is not None}
    return output.log_probs.detach(), output.entropy.detach(), gradients


@pytest.mark.parametrize("temperature", [1.0, 0.7])
@pytest.mark.parametrize("shared", [False, True])
def test_it_gives_what_trls_head_gives(
    tiny: Policy, monkeypatch: pytest.MonkeyPatch, temperature: float, shared: bool
) -> None:
    monkeypatch.setattr(head, "TILE_ROWS", 4)  # several tiles, the last not full
    tiny.model.get_output_embeddings().requires_grad_(False)
    add_fused_lm_head(tiny.model, temperature=temperature, outputs=("log_probs", "entropy"))
    log_probs, entropy, gradients = run(tiny, batch())
    one_pass_head(tiny.model, temperature)
    if shared:
        share_prefix(tiny.model)
    ours, our_entropy, our_gradients = run(tiny, batch())
    width = ours.size(1)
    assert (width < log_probs.size(1)) is shared
    torch.testing.assert_close(ours, log_probs[:, -width:], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(our_entropy, entropy[:, -width:], rtol=1e-4, atol=1e-4)
    assert gradients and all(gradient.abs().max() > 0 for gradient in gradients.values())
    torch.testing.assert_close(our_gradients, gradients, rtol=1e-3, atol=1e-4)


def test_it_needs_no_second_pass_and_none_of_the_padding(tiny: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny.model.get_output_embeddings().requires_grad_(False)
    add_fused_lm_head(tiny.model, outputs=("log_probs", "entropy"))
    one_pass_head(tiny.model, 1.0)
    products: list[tuple[int, ...]] = []
    mm = torch.mm

    def counted(one: torch.Tensor, other: torch.Tensor, **kwargs: Any) -> torch.Tensor:
        products.append(tuple(one.shape))
        return mm(one, other, **kwargs)

    monkeypatch.setattr(torch, "mm", counted)
    rows = batch()
    run(tiny, rows)
    assert sum(shape[0] for shape in products) == int((rows["labels"] != -100).sum()) == 9 + 4 + 9


def test_rows_without_a_label_give_nothing_and_still_have_a_gradient(tiny: Policy) -> None:
    tiny.model.get_output_embeddings().requires_grad_(False)
    add_fused_lm_head(tiny.model, outputs=("log_probs", "entropy"))
    one_pass_head(tiny.model, 1.0)
    rows = batch()
    rows["labels"] = torch.full_like(rows["labels"], -100)
    log_probs, entropy, gradients = run(tiny, rows)
    assert not log_probs.any() and not entropy.any()
    assert all(not gradient.any() for gradient in gradients.values())


def test_a_head_that_learns_and_calls_of_another_kind_are_left_alone(tiny: Policy) -> None:
    add_fused_lm_head(tiny.model, outputs=("log_probs", "entropy"))
    tiny.model.get_output_embeddings().requires_grad_(True)
    before = tiny.model.forward
    one_pass_head(tiny.model, 1.0)
    assert tiny.model.forward == before
    tiny.model.get_output_embeddings().requires_grad_(False)
    plain = {key: value for key, value in batch().items() if key != "fused_lm_head"}
    with torch.no_grad():
        expected = tiny.model(**plain)
        one_pass_head(tiny.model, 1.0)
        assert torch.equal(tiny.model(**plain).logits, expected.logits)
