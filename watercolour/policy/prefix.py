"""Run a prompt that all rows of a batch share only once.

TRL's trainers run every row's whole sequence, and the prompt is most of it: one system prompt, the same in all rows.
Here its keys and values are computed once, with their gradient, and every row's own part attends to them. The loss and
the gradient stay what they were, up to rounding.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel

MIN_SHARED_TOKENS = 16


def share_prefix(model: PreTrainedModel) -> None:
    """Change `model.forward` so: calls by TRL's fused language-model head compute a shared prefix once.

    Their per-token outputs then cover only what follows the prefix. Does nothing for a model with another memory than
    plain attention's keys and values, nor while it recomputes activations, which rules out such a cache.
    """
    from transformers.cache_utils import DynamicCache, DynamicLayer

    if any(type(layer) is not DynamicLayer for layer in DynamicCache(config=model.config).layers):
        return
    forward = model.forward

    @functools.wraps(forward)
    def shared_forward(*args: Any, **kwargs: Any) -> Any:
        if args or not kwargs.get("fused_lm_head") or model.is_activation_checkpointing:
            return forward(*args, **kwargs)
        ids, mask, labels = kwargs["input_ids"], kwargs["attention_mask"], kwargs["labels"]
        length = shared_length(ids, mask, labels)
        if length < MIN_SHARED_TOKENS:
            return forward(**kwargs)
        cache = DynamicCache(config=model.config)
        model.base_model(input_ids=ids[:1, :length], cache=cache, use_cache=True)
        cache.batch_repeat_interleave(len(ids))
        rest = {"input_ids": ids[:, length:], "labels": labels[:, length:], "cache": cache}
        return forward(**{**kwargs, **rest})

    model.forward = shared_forward


def shared_length(ids: Tensor, mask: Tensor, labels: Tensor) -> int:
    """How many leading tokens are the same in all rows, padded in none and predicted in none (label -100), less one,
    from which the first own token is predicted. All three are (rows, tokens)."""
    shared = (ids == ids[:1]).all(0) & mask.bool().all(0)
    unlabelled = (labels == -100).all(0)
    return min(int(shared.long().cumprod(0).sum()), int(unlabelled.long().cumprod(0).sum())) - 1
