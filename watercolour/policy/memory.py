"""What decoding remembers of earlier tokens: the prompt once for all rows, each row's own tokens with room to grow.

transformers' cache would hold the prompt once a row and move all of it for every new token, which took as long as all
products with the weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from transformers.cache_utils import DynamicLayer

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Remembered:
    """Keys, or values: `prompt` (heads, tokens, width), `own` (rows, heads, tokens, width)."""

    prompt: Tensor
    own: Tensor


class Memory(DynamicLayer):  # type: ignore[no-untyped-call]
    """A layer of a transformers cache after the prompt. It takes one token a row at a time."""

    def __init__(self, prompt: Any, rows: int, tokens: int) -> None:
        """`prompt` is the layer that has read the prompt, in one row; `tokens` is the room for each row's own."""
        super().__init__()  # type: ignore[no-untyped-call]
        self.device, self.is_initialized = prompt.device, True
        self._prompt_keys, self._prompt_values = prompt.keys[0], prompt.values[0]
        heads, _, width = self._prompt_keys.shape
        self._own_keys = prompt.keys.new_empty(rows, heads, tokens, width)
        self._own_values = prompt.values.new_empty(rows, heads, tokens, width)
        self._count = 0

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> Any:
        """Remember a token a row; (rows, heads, 1, width) each. Gives all keys and all values, as Remembered."""
        self._own_keys[:, :, self._count] = key_states[:, :, 0]
        self._own_values[:, :, self._count] = value_states[:, :, 0]
        self._count += 1
        return (
            Remembered(self._prompt_keys, self._own_keys[:, :, : self._count]),
            Remembered(self._prompt_values, self._own_values[:, :, : self._count]),
        )

    def get_seq_length(self) -> int:
        """Tokens before the next one."""
        return int(self._prompt_keys.size(1)) + self._count

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Keys that a mask would cover, and its offset."""
        return self.get_seq_length() + query_length, 0

    def batch_select_indices(self, indices: Tensor) -> None:
        """Go on with these rows alone."""
        self._own_keys, self._own_values = self._own_keys[indices], self._own_values[indices]


def attend(query: Tensor, keys: Remembered, values: Remembered, scaling: float) -> Tensor:
    """softmax(QK)V of one new token a row over all before it: query and result are (rows, query heads, 1, width).

    All query heads of a key head, and on the prompt all rows too, are one product.
    """
    import torch

    rows, heads, _, width = query.shape
    groups = keys.prompt.size(0)
    asked = query.reshape(rows, groups, heads // groups, width) * scaling
    together = asked.transpose(0, 1).reshape(groups, -1, width)
    on_prompt = (together @ keys.prompt.transpose(1, 2)).reshape(groups, rows, heads // groups, -1).transpose(0, 1)
    scores = torch.cat([on_prompt, asked @ keys.own.transpose(2, 3)], -1)
    weights = scores.softmax(-1, dtype=torch.float32).to(values.own.dtype)
    split = keys.prompt.size(1)
    of_prompt = weights[..., :split].transpose(0, 1).reshape(groups, -1, split) @ values.prompt
    out = of_prompt.reshape(groups, rows, heads // groups, width).transpose(0, 1) + weights[..., split:] @ values.own
    return out.reshape(rows, heads, 1, width)
