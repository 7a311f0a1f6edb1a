"""The language-model head on a CPU: log-probabilities and their gradient in one pass, a few rows of logits at a time.

What a step learns from is log p of each token that was written. Its gradient by the hidden state h is known at once:
with logits W h / T it is (W_token - sum_v p_v W_v) / T. So it is worked out while the logits are at hand, and the
backward pass, which then needs no logits, only scales it. TRL's head computes them again there, and for padding too.
Tiles that fit the processor's cache spare the passes over memory that large ones cost.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import torch
from trl.trainer.utils import FusedCausalLMOutput

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel

PLAIN_HEADS = frozenset({"llama", "mistral", "qwen2", "qwen3"})
"""Model types whose logits are nothing but the head's product with the hidden state."""

TILE_ROWS = 64
"""Tokens whose logits are there at once: 12 MB of SmolLM2's."""


def one_pass_head(model: PreTrainedModel, temperature: float) -> None:
    """Change `model.forward` so: calls by TRL's fused language-model head take this one, in float32.

    Does nothing for a model with another kind of head, or one that learns. The entropy that it gives has no gradient.
    """
    head = model.get_output_embeddings()  # type: ignore[no-untyped-call]
    weight = getattr(head, "weight", None)
    plain = model.config.model_type in PLAIN_HEADS and getattr(head, "bias", None) is None
    if not plain or weight is None or weight.requires_grad or weight.device.type != "cpu":
        return
    forward = model.forward
    weight = weight.detach().float()  # a copy where the model is in another type, as large as the embedding

    @functools.wraps(forward)
    def headed_forward(*args: Any, **kwargs: Any) -> Any:
        if args or not kwargs.get("fused_lm_head"):
            return forward(*args, **kwargs)
        given = {key: value for key, value in kwargs.items() if key not in ("fused_lm_head", "labels")}
        hidden = model.base_model(**{**given, "use_cache": False}).last_hidden_state[:, :-1]
        labels = kwargs["labels"][:, 1:]
        mask = labels != -100
        found: tuple[Tensor, ...] = _LogProbabilities.apply(hidden[mask], weight, labels[mask], temperature)  # type: ignore[no-untyped-call]
        log_probs, entropy, is_top1 = (each.new_zeros(mask.shape).masked_scatter(mask, each) for each in found)
        return FusedCausalLMOutput(log_probs=log_probs, entropy=entropy, is_top1=is_top1, label_mask=mask)

    model.forward = headed_forward


class _LogProbabilities(torch.autograd.Function):
    """(tokens, width) hidden states, the (vocabulary, width) head, (tokens,) targets and the temperature to the
    (tokens,) log-probabilities of the targets, entropies, both in nats, and whether the target was likeliest."""

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor, temperature: float
    ) -> tuple[Tensor, Tensor, Tensor]:
        log_probs, entropy = torch.empty(len(hidden)), torch.empty(len(hidden))
        is_top1 = torch.empty(len(hidden), dtype=torch.bool)
        slopes = torch.empty(hidden.shape) if ctx.needs_input_grad[0] else None
        logits = torch.empty(min(TILE_ROWS, len(hidden)), len(weight))
        for start in range(0, len(hidden), TILE_ROWS):
            tile = slice(start, start + TILE_ROWS)
            rows = torch.mm(hidden[tile].float(), weight.t(), out=logits[: len(hidden[tile])])
            rows.div_(temperature)
            total = rows.logsumexp(-1, keepdim=True)
            chosen = targets[tile, None]
            is_top1[tile] = rows.argmax(-1) == targets[tile]
            rows.sub_(total)
            log_probs[tile] = rows.gather(1, chosen).squeeze(1)
            probabilities = rows.exp()
            entropy[tile] = -torch.linalg.vecdot(probabilities, rows)
            if slopes is not None:
                slopes[tile] = (weight[targets[tile]] - probabilities @ weight) / temperature
        ctx.slopes, ctx.dtype = slopes, hidden.dtype
        ctx.mark_non_differentiable(entropy, is_top1)
        return log_probs, entropy, is_top1

    @staticmethod
    def backward(ctx: Any, grad_log_probs: Tensor, *_: Tensor) -> tuple[Tensor, None, None, None]:
        return (ctx.slopes * grad_log_probs[:, None]).to(ctx.dtype), None, None, None
