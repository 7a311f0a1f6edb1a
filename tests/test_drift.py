"""Config drift: every changed setting is named with both values, and only what is allowed gets through."""

from __future__ import annotations

import pytest

from watercolour.config import load_config_text
from watercolour.drift import Change, allowed_changes, find_changes
from watercolour.errors import ConfigError

TEXT = """
policy: {model: a}
grpo: {steps: 4, extra: {epsilon: 0.2}}
reward: {terms: [{term: gate, weight: 0.1}, {term: coverage, name: paint, weight: 0.9}]}
"""


def resolved(*overrides: str) -> dict[str, object]:
    return load_config_text(TEXT, overrides).resolved()


def test_nothing_changed_is_no_change() -> None:
    assert find_changes(resolved(), resolved()) == []


def test_each_change_is_named_as_it_is_given_on_the_command_line() -> None:
    changes = find_changes(resolved(), resolved("seed=7", "reward.terms.paint.weight=0.5", "grpo.extra.epsilon=0.3"))
    assert sorted(map(str, changes)) == [
        "grpo.extra.epsilon 0.2 -> 0.3",
        "reward.terms.paint.weight 0.9 -> 0.5",
        "seed 0 -> 7",
    ]


def test_what_is_there_on_one_side_only_is_a_change() -> None:
    lost, found = find_changes({"grpo": {"extra": {"a": 1}}}, {"grpo": {"extra": {"b": None}}})
    assert (lost, found) == (Change("grpo.extra.a", 1, "nothing"), Change("grpo.extra.b", "nothing", None))


def test_changes_that_are_not_allowed_are_refused_with_both_values() -> None:
    new = resolved("seed=7", "grpo.steps=9", "render.timeout_s=3.0")
    with pytest.raises(ConfigError) as caught:
        allowed_changes(resolved(), new, ["grpo.steps"])
    message = str(caught.value)
    assert "seed 0 -> 7; render.timeout_s 20.0 -> 3.0" in message
    assert "--allow-change seed --allow-change render.timeout_s" in message
    assert "grpo.steps" not in message


@pytest.mark.parametrize("allowed", [["grpo.steps", "seed"], ["grpo", "seed"]])
def test_allowed_changes_are_returned(allowed: list[str]) -> None:
    changes = allowed_changes(resolved(), resolved("seed=7", "grpo.steps=9"), allowed)
    assert {change.key: (change.old, change.new) for change in changes} == {"seed": (0, 7), "grpo.steps": (4, 9)}


@pytest.mark.parametrize("key", ["grpo.step", "grp", "steps", ""])
def test_a_key_that_is_only_like_it_allows_nothing(key: str) -> None:
    with pytest.raises(ConfigError, match=r"grpo\.steps 4 -> 9"):
        allowed_changes(resolved(), resolved("grpo.steps=9"), [key])
