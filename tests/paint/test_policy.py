"""A policy on this machine as an author: what it is shown, and what it refuses."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.policy.conftest import own_cache, tiny_folder  # noqa: F401 - fixtures
from tests.policy.qwen import build_tiny_qwen
from tests.policy.tiny import ask
from watercolour.errors import ConfigError
from watercolour.paint.author import Named, Sampling
from watercolour.paint.policy import IMAGE, PolicyAuthor, in_thread, why_blind

EYES = {
    "image_processor_type": "Qwen2VLImageProcessor",
    "patch_size": 4,
    "temporal_patch_size": 2,
    "merge_size": 2,
    "size": {"shortest_edge": 256, "longest_edge": 4096},
    "image_mean": [0.5, 0.5, 0.5],
    "image_std": [0.5, 0.5, 0.5],
}
TEMPLATE = """\
{%- for message in messages %}<|im_start|>{{ message.role }}
{% if message.content is string %}{{ message.content }}{% else %}{% for part in message.content %}\
{% if part.type == "image" %}<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ part.text }}{% endif %}\
{% endfor %}{% endif %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""
"""Takes texts, and lists of pictures and texts, as the published templates of models with a vision tower do."""


@pytest.fixture(scope="module")
def qwen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny Qwen3.5 with a vision tower and what prepares pictures for it."""
    folder = build_tiny_qwen(tmp_path_factory.mktemp("qwen"), experts=False)
    (folder / "preprocessor_config.json").write_text(json.dumps(EYES))
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    return folder


def test_a_vision_policy_is_shown_its_painting(qwen: Path) -> None:
    """What it would write first depends on the picture, and on nothing but it."""
    pictures = np.full((600, 600, 3), 255, np.uint8), np.full((600, 600, 3), (200, 30, 60), np.uint8)
    told = [*ask("a flower"), {"role": "assistant", "content": f"function setup() {{}} {IMAGE}"}]
    author = PolicyAuthor(Named("qwen", model=str(qwen)), Sampling(max_tokens=4, seed=3), None, look=True)
    seen: list[Any] = []
    author._model.register_forward_hook(lambda module, given, out: seen.append(out.logits[0, -1].float()))

    def first_logits(picture: Any) -> Any:
        seen.clear()
        answer = asyncio.run(author.look(told, picture, "Improve it."))
        assert answer.tokens and answer.tokens <= 4 and not answer.problem
        return seen[0]

    white, red, again, unseen = (first_logits(picture) for picture in (*pictures, pictures[0], None))
    assert (white - again).abs().max() == 0
    assert (white - red).abs().max() > 1e-4
    assert (white - unseen).abs().max() > 1e-4


def test_why_a_policy_is_blind(qwen: Path, tiny_folder: Path, tmp_path: Path) -> None:  # noqa: F811
    assert why_blind(qwen) is None
    assert "LlamaForCausalLM has no vision tower" in str(why_blind(tiny_folder))
    bare = tmp_path / "bare"
    bare.mkdir()
    settings = json.loads((qwen / "config.json").read_text())
    (bare / "config.json").write_text(json.dumps(settings))
    assert "no preprocessor_config.json" in str(why_blind(bare))
    (bare / "config.json").write_text(json.dumps(settings | {"model_type": "llava", "architectures": ["Llava"]}))
    assert "only Qwen's are shown pictures, and this is a Llava" in str(why_blind(bare))


def test_replies_end_where_the_policy_ended_them_and_a_prompt_too_long_is_said(tiny_folder: Path) -> None:  # noqa: F811
    author = PolicyAuthor(Named("tiny", model=str(tiny_folder)), Sampling(max_tokens=40, seed=1), None)

    async def write(text: str, count: int) -> list[tuple[int | None, bool]]:
        replies = [reply async for reply in author.write([{"role": "user", "content": text}], count)]
        return [(reply.tokens, reply.is_cut) for reply in replies]

    told = asyncio.run(write("Paint.", 11))
    assert len(told) == 11
    assert all(cut is (tokens == 40) or tokens == 40 for tokens, cut in told)
    with pytest.raises(ConfigError, match="leaves no room of 512"):
        asyncio.run(write("petal " * 600, 1))


def test_a_fault_in_the_thread_is_one_of_ours(tiny_folder: Path) -> None:  # noqa: F811
    def fail() -> None:
        raise RuntimeError("out of\nmemory")

    with pytest.raises(Exception, match="the policy could not write: RuntimeError: out of memory"):
        asyncio.run(in_thread(fail))
