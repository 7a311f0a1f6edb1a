"""What HPSv3 is asked, as token ids: a chat with the picture first, its own instruction, and its `<|Reward|>` token."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from watercolour.errors import PrerequisiteError
from watercolour.reward.hpsv3.texts import Texts

if TYPE_CHECKING:
    from pathlib import Path

    from transformers import PreTrainedTokenizerBase

REWARD_TOKEN = "<|Reward|>"
REWARD_ID = 151657
VOCABULARY = 151658
"""Entries of Qwen2-VL's tokenizer and the reward token: the rows of HPSv3's embeddings."""
PAD_ID = 151643
IMAGE_ID = 151655

# Qwen2-VL's chat template for one user's message, with the system line that it adds by itself.
HEAD = (
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"
    "<|im_start|>user\n<|vision_start|><|image_pad|><|vision_end|>"
)
FOOT = "<|im_end|>\n<|im_start|>assistant\n"


@dataclass(frozen=True)
class Prompt:
    """Token ids before and after the picture's. `template_sha256` names the whole text but for the scorer's."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    template_sha256: str

    def row(self, image_tokens: int) -> list[int]:
        """The ids for a picture that takes `image_tokens`."""
        return [*self.before, *[IMAGE_ID] * image_tokens, *self.after]


def load_tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    """The tokenizer of the base model with HPSv3's reward token. Raises PrerequisiteError when it is another one."""
    from transformers import AutoTokenizer

    try:
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(folder)
        tokenizer.add_tokens([REWARD_TOKEN], special_tokens=True)
    except Exception as error:  # a torn or foreign file lets many kinds through
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise PrerequisiteError(f"hpsv3: the tokenizer in {folder} cannot be loaded: {reason}") from error
    ids = tokenizer.convert_tokens_to_ids([REWARD_TOKEN, "<|image_pad|>", "<|endoftext|>"])
    if len(tokenizer) != VOCABULARY or ids != [REWARD_ID, IMAGE_ID, PAD_ID]:
        raise PrerequisiteError(
            f"hpsv3: the tokenizer in {folder} is not Qwen2-VL's: with {REWARD_TOKEN} it has {len(tokenizer)} entries,"
            f" not {VOCABULARY}; name Qwen/Qwen2-VL-7B-Instruct as `base`"
        )
    return tokenizer


def build_prompt(tokenizer: PreTrainedTokenizerBase, texts: Texts, scorer_text: str) -> Prompt:
    """The prompt for pictures that should show `scorer_text`, whose special tokens are left out.

    Raises PrerequisiteError unless there is exactly one picture and one reward token in it.
    """
    shown = strip_special_tokens(scorer_text, tokenizer)
    text = HEAD + texts.instruction.format(text_prompt=shown) + texts.tail + FOOT
    ids: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    if ids.count(REWARD_ID) != 1 or ids.count(IMAGE_ID) != 1:
        raise PrerequisiteError(
            f"hpsv3: the prompt holds {ids.count(REWARD_ID)} {REWARD_TOKEN} and {ids.count(IMAGE_ID)} pictures, not one"
        )
    template = HEAD + texts.instruction + texts.tail + FOOT
    picture = ids.index(IMAGE_ID)
    digest = hashlib.sha256(template.encode()).hexdigest()
    return Prompt(tuple(ids[:picture]), tuple(ids[picture + 1 :]), digest)


def strip_special_tokens(text: str, tokenizer: PreTrainedTokenizerBase) -> str:
    """`text` without anything that the tokenizer would read as a special token, however nested."""
    specials = [str(token) for token in tokenizer.get_added_vocab()]
    before = None
    while before != text:
        before = text
        for special in specials:
            text = text.replace(special, "")
    return text
