"""The prompt and the tokenizer that the tests of the policy use."""

from __future__ import annotations

from typing import Any

from watercolour.policy.load import Messages
from watercolour.policy.templates import template_sketches


def ask(subject: str) -> Messages:
    """Long enough for the rows of a batch to share a prefix."""
    return [
        {"role": "system", "content": "You write one complete sketch for p5.brush, and nothing else at all."},
        {"role": "user", "content": f"Paint {subject}."},
    ]


def tiny_tokenizer() -> Any:
    """A tokenizer of 400 tokens trained on template sketches, without a chat template."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    trained = Tokenizer(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trained.decoder = decoders.ByteLevel()
    specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trained.train_from_iterator(
        template_sketches(30, 7),
        trainers.BpeTrainer(vocab_size=400, special_tokens=specials, initial_alphabet=alphabet, show_progress=False),
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=trained, bos_token=specials[1], eos_token=specials[2], pad_token=specials[0]
    )
