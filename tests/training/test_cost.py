"""What a run will cost, from its configuration alone."""

from __future__ import annotations

import pytest

from watercolour.config import load_config_text
from watercolour.cost import estimate_cost


def calls(*terms: str) -> int:
    listed = ", ".join(f"{{term: judge, weight: 1, {term}}}" for term in terms)
    text = f"policy: {{model: a}}\ngrpo: {{steps: 10, generations: 4}}\nreward: {{terms: [{listed}]}}"
    return estimate_cost(load_config_text(text)).judge_calls


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("kind: pairwise, references: 3", 40 * 3 * 2),
        ("kind: pairwise, references: 3, max_calls: 50", 50),
        ("kind: pairwise, rivals: group, group_rivals: 2", 40 * 2),
        ("kind: pairwise, rivals: group, group_rivals: 9", 40 * 3),
        ("kind: pairwise, references: 3, rivals: both, group_rivals: 1", 40 * (6 + 1)),
        ("kind: absolute, questions: [{name: a, ask: b}, {name: c, ask: d}]", 40),
    ],
)
def test_judge_calls_count_both_orders_and_stop_at_the_budget(term: str, expected: int) -> None:
    assert calls(term) == expected


def test_a_term_of_weight_0_and_one_that_is_no_judge_cost_no_calls() -> None:
    text = "policy: {model: a}\ngrpo: {steps: 2, generations: 4}\nreward: {terms: [{term: gate, weight: 1}%s]}"
    for more in ("", ", {term: judge, kind: pairwise, weight: 0}"):
        cost = estimate_cost(load_config_text(text % more))
        assert (cost.renders, cost.judge_calls) == (8, 0)


def test_evaluations_are_counted() -> None:
    text = """
policy: {model: a}
grpo: {steps: 10, generations: 4, max_completion_tokens: 100}
eval: {every_steps: 4, samples: 3, subjects: [a rose, a lily], references: 2}
reward: {terms: [{term: gate, weight: 1}, {term: judge, kind: pairwise, weight: 1, rivals: group, group_rivals: 2},
                 {term: judge, name: rated, kind: absolute, weight: 1, questions: [{name: a, ask: b}]}]}
"""
    cost = estimate_cost(load_config_text(text))
    held_out = 4 * 2 * 3  # after steps 0, 4, 8 and 10
    assert (cost.renders, cost.tokens) == (40 + held_out, 100 * (40 + held_out))
    assert cost.judge_calls == (40 * 2 + held_out * 2 * 2) + (40 + held_out)
