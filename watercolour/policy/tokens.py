"""Counting tokens as the policy does, without its weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watercolour.errors import ConfigError
from watercolour.policy.load import find_policy, policy_folder
from watercolour.reward.length import TokenCount

if TYPE_CHECKING:
    from watercolour.config import PolicySection


def policy_count(section: PolicySection) -> TokenCount | None:
    """Counts tokens by the policy's tokenizer; None where the policy is not on this machine. Fetches nothing.

    Raises ConfigError when what is there has no tokenizer that can be loaded.
    """
    if find_policy(section) is None:
        return None
    from transformers import AutoTokenizer

    folder = policy_folder(section)
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder)
    except (OSError, ValueError, KeyError) as error:
        reason = (str(error).splitlines() or ["?"])[0]
        raise ConfigError(f"policy.model: the tokenizer in {folder} cannot be loaded: {reason}") from error

    def count(text: str) -> int:
        return len(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    return TokenCount(f"the tokenizer of {section.model}", count)
