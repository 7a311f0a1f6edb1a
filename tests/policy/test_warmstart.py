from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.policy.tiny import ask
from watercolour.config import PolicySection, WarmStartSection
from watercolour.errors import ConfigError
from watercolour.policy import warmstart
from watercolour.policy.load import load_policy
from watercolour.policy.templates import template_sketches
from watercolour.policy.warmstart import Example, as_reply, select_examples, warm_start, warm_start_is_cached

EXAMPLES: list[Example] = [("a peach hibiscus", sketch) for sketch in template_sketches(6, 0)]


def section(folder: Path) -> PolicySection:
    return PolicySection(model=str(folder), threads=1)


def settings(**changes: object) -> WarmStartSection:
    values: dict[str, object] = {"steps": 2, "batch_size": 2, "learning_rate": 1e-2, "max_tokens": 400}
    return WarmStartSection.model_validate(values | changes)


def test_it_trains_merges_and_caches(tiny_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    losses: list[tuple[int, int, float]] = []
    assert not warm_start_is_cached(section(tiny_folder), settings(), EXAMPLES, ask)
    folder = warm_start(section(tiny_folder), settings(), EXAMPLES, ask, lambda *step: losses.append(step))
    assert [(step, steps) for step, steps, _ in losses] == [(1, 2), (2, 2)]
    warm, cold = load_policy(section(folder)), load_policy(section(tiny_folder))
    assert warm.base_class == "LlamaForCausalLM"
    changed = {
        name
        for (name, new), old in zip(warm.model.named_parameters(), cold.model.parameters(), strict=True)
        if not torch.equal(new, old)
    }
    assert {name.split(".")[-2] for name in changed} == {
        "q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"
    }  # fmt: skip

    def refuse(*args: object) -> None:
        raise AssertionError("trained again")

    monkeypatch.setattr(warmstart, "fine_tune", refuse)
    assert warm_start_is_cached(section(tiny_folder), settings(), EXAMPLES, ask)
    assert warm_start(section(tiny_folder), settings(), EXAMPLES, ask) == folder


def test_other_inputs_are_another_checkpoint(tiny_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, object]] = []

    def record(name: str, inputs: dict[str, object], build: object) -> Path:
        made.append(inputs)
        return tiny_folder

    monkeypatch.setattr(warmstart, "cached_folder", record)
    warm_start(section(tiny_folder), settings(), EXAMPLES, ask)
    warm_start(section(tiny_folder), settings(), EXAMPLES, ask)
    assert made[0] == made[1]
    warm_start(section(tiny_folder), settings(seed=1), EXAMPLES, ask)
    warm_start(section(tiny_folder), settings(), EXAMPLES[:5], ask)
    warm_start(section(tiny_folder), settings(), EXAMPLES, lambda subject: ask(subject)[1:])
    monkeypatch.setattr(warmstart, "hash_folder", lambda folder: "another model")
    warm_start(section(tiny_folder), settings(), EXAMPLES, ask)
    assert len({str(inputs) for inputs in made}) == 5


def test_it_learns_the_replies_and_stops_after_them(tiny_folder: Path) -> None:
    losses: list[float] = []
    one = [("a peach hibiscus", "draw();\n")] * 4
    folder = warm_start(
        section(tiny_folder), settings(steps=60), one, ask, lambda step, steps, loss: losses.append(loss)
    )
    assert losses[-1] < 1 < losses[0]  # random output embeddings of 32 numbers allow no surer guess
    policy = load_policy(section(folder))
    ids = policy.tokenizer.apply_chat_template(
        ask("a peach hibiscus"), add_generation_prompt=True, return_dict=True, return_tensors="pt"
    )
    reply = policy.model.generate(**ids, max_new_tokens=40, do_sample=False)[0, ids["input_ids"].size(1) :]
    assert reply[-1] == policy.tokenizer.eos_token_id
    assert policy.tokenizer.decode(reply, skip_special_tokens=True) == as_reply("draw();\n")


def test_long_sketches_are_left_out(tiny_folder: Path) -> None:
    tokenizer = load_policy(section(tiny_folder)).tokenizer
    reply = tokenizer(as_reply("draw();"), add_special_tokens=False)["input_ids"]
    examples = [("a", "draw();"), ("b", "draw();" * 40)]
    assert select_examples(examples, settings(max_tokens=len(reply) + 1), tokenizer) == examples[:1]
    assert select_examples(examples, settings(max_tokens=16), tokenizer) == examples[: int(len(reply) + 1 <= 16)]
    assert select_examples([], settings(), tokenizer) == []


def test_nothing_short_enough_says_so(tiny_folder: Path, own_cache: Path) -> None:
    with pytest.raises(ConfigError, match=r"warm_start.max_tokens: none of the 6 sketches fits in 16 tokens"):
        warm_start(section(tiny_folder), settings(max_tokens=16), EXAMPLES, ask)
    assert list(own_cache.iterdir()) == []
