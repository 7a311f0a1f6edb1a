from __future__ import annotations

import torch
from trl.trainer.utils import add_fused_lm_head

from watercolour.policy.load import Policy
from watercolour.policy.prefix import share_prefix, shared_length


def batch() -> dict[str, torch.Tensor]:
    """Three rows: 24 shared tokens, then 9, 5 and 7 of their own, padded on the right."""
    generator = torch.Generator().manual_seed(1)
    shared = torch.randint(3, 300, (24,), generator=generator)
    ids = torch.stack([torch.cat([shared, torch.randint(3, 300, (9,), generator=generator)]) for _ in range(3)])
    mask = torch.ones_like(ids)
    for row, length in enumerate((9, 5, 7)):
        mask[row, 24 + length :] = 0
    labels = ids.masked_fill(mask == 0, -100)
    labels[:, :24] = -100
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}


def run(policy: Policy, rows: dict[str, torch.Tensor]) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    policy.model.zero_grad()
    output = policy.model(**rows, fused_lm_head=True)
    loss = -output.log_probs.sum()
    loss.backward()
    return output.log_probs.detach(), {n: p.grad.clone() for n, p in policy.model.named_parameters()}


def test_loss_and_gradients_stay_what_they_were(tiny: Policy) -> None:
    add_fused_lm_head(tiny.model)
    plain, plain_gradients = run(tiny, batch())
    share_prefix(tiny.model)
    shared, shared_gradients = run(tiny, batch())
    assert shared.size(1) == 9 < plain.size(1)  # the prefix really was run apart
    torch.testing.assert_close(shared, plain[:, -9:])
    assert all(gradient.abs().max() > 0 for gradient in plain_gradients.values())
    torch.testing.assert_close(shared_gradients, plain_gradients, rtol=1e-4, atol=1e-4)


def test_rows_that_share_too_little_run_as_before(tiny: Policy) -> None:
    add_fused_lm_head(tiny.model)
    rows = batch()
    rows["input_ids"][1, 10] += 1
    plain, _ = run(tiny, rows)
    share_prefix(tiny.model)
    shared, _ = run(tiny, rows)
    assert torch.equal(plain, shared)


def test_what_counts_as_shared() -> None:
    rows = batch()
    assert shared_length(rows["input_ids"], rows["attention_mask"], rows["labels"]) == 23
    left_padded = {**rows, "attention_mask": rows["attention_mask"].clone()}
    left_padded["attention_mask"][2, 0] = 0
    assert shared_length(left_padded["input_ids"], left_padded["attention_mask"], rows["labels"]) == -1
    nothing_own = rows["attention_mask"].clone()
    nothing_own[:, 24:] = 0
    unlabelled = torch.full_like(rows["labels"], -100)
    assert shared_length(rows["input_ids"], nothing_own, unlabelled) == 23
    rows["labels"][0, 5] = 9
    assert shared_length(rows["input_ids"], rows["attention_mask"], rows["labels"]) == 4
