from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from tests.policy.tiny import ask
from watercolour.config import RunConfig
from watercolour.errors import ConfigError, InfraError, PrerequisiteError, TermStopped
from watercolour.policy import grpo
from watercolour.policy.grpo import StepMetrics, train_grpo
from watercolour.policy.load import Policy, load_policy
from watercolour.policy.scoring import Group

Rewards = list[float | None]


Values = dict[str, float] | None
WEIGHTS = {"gate": 1.0}


def values_of(reward: float | None) -> Values:
    return None if reward is None else {"gate": reward}


@dataclass
class Judge:
    """An evaluation whose rewards are given in advance, a list a step; None among them is an unscored rollout."""

    rewards: Callable[[int], Rewards]
    steps: list[int] = field(default_factory=list)
    completions: list[list[str]] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)

    async def __call__(self, group: Group, *, step: int) -> Sequence[Values]:
        await asyncio.sleep(0)
        self.steps.append(step)
        self.completions.append(group.completions)
        self.threads.add(threading.get_ident())
        return [values_of(reward) for reward in self.rewards(step)]


def config(folder: Path, **changes: Any) -> RunConfig:
    values = {
        "name": "test",
        "policy": {"model": str(folder), "threads": 1, "lora": {"r": 4}},
        "grpo": {
            "steps": 2,
            "generations": 4,
            "batch_size": 2,
            "max_completion_tokens": 16,
            "learning_rate": 1e-2,
            "schedule": "constant",
            "warmup_steps": 0,
            "top_k": 0,
            "save_every_steps": 100,
        }
        | changes.pop("grpo", {}),
        "reward": {
            "terms": [{"term": "gate", "weight": 1.0}],
            "max_unscored_share": changes.pop("max_unscored_share", 0.25),
        },
    }
    return RunConfig.model_validate(values | changes)


def train(
    policy: Policy,
    out: Path,
    judge: Any,
    resume_from: Path | None = None,
    weights: dict[str, float] = WEIGHTS,
    **changes: Any,
) -> list[StepMetrics]:
    metrics: list[StepMetrics] = []

    def on_step(step: int, numbers: StepMetrics) -> None:
        metrics.append(numbers | {"step": float(step)})

    train_grpo(
        policy,
        [ask("a flower")],
        config(policy.folder, **changes),
        weights,
        checkpoints=out,
        evaluate=judge,
        on_step=on_step,
        resume_from=resume_from,
    )
    return metrics


def adapter(out: Path, step: int) -> dict[str, torch.Tensor]:
    tensors: dict[str, torch.Tensor] = load_file(out / f"checkpoint-{step}" / "adapter_model.safetensors")
    return tensors


def fresh(folder: Path) -> Policy:
    return load_policy(config(folder).policy)


def moved(tensors: dict[str, torch.Tensor]) -> bool:
    """Whether the adapter does anything: its second factor begins at zero."""
    return any(bool(tensor.abs().max() > 0) for name, tensor in tensors.items() if "lora_B" in name)


def test_two_steps_train_and_report(tiny: Policy, tmp_path: Path) -> None:
    judge = Judge(lambda step: [0.0, 0.2, 0.4, 1.0])
    metrics = train(tiny, tmp_path, judge)
    assert judge.steps == [1, 2]
    assert all(len(set(group)) == 4 for group in judge.completions)
    assert judge.threads.isdisjoint({threading.get_ident()}) and len(judge.threads) == 1
    assert [numbers["step"] for numbers in metrics] == [1, 2]
    for numbers in metrics:
        assert numbers["reward"] == pytest.approx(0.4)
        assert numbers["learning_rate"] == pytest.approx(1e-2)
        assert numbers["zero_spread_share"] == 0 and numbers["unscored_share"] == 0
        assert 1 <= numbers["completion_tokens"] <= 16 and 0 <= numbers["clipped_share"] <= 1
        assert numbers["grad_norm"] > 0 and numbers["entropy"] > 0
        stages = [numbers["generate_s"], numbers["evaluate_s"], numbers["learn_s"]]
        assert min(stages) > 0 and sum(stages) == pytest.approx(numbers["step_s"])
    assert moved(adapter(tmp_path, 2))


def test_a_rewarded_token_becomes_likelier(tiny: Policy, tmp_path: Path) -> None:
    async def count_digits(group: Group, *, step: int) -> Sequence[Values]:
        return [values_of(sum(letter.isdigit() for letter in text) / 16) for text in group.completions]

    # Smaller groups find the digits later or sooner as the machine's rounding has it.
    grpo_keys = {"steps": 30, "generations": 16, "batch_size": 16, "learning_rate": 3e-2}
    rewards = [numbers["reward"] or 0.0 for numbers in train(tiny, tmp_path, count_digits, grpo=grpo_keys)]
    assert sum(rewards[-3:]) > 3 * sum(rewards[:3])


class Scripted:
    """Stands in for sampling: the same completions every step, so that one row's can be exchanged."""

    def __init__(self, odd_row: list[int]) -> None:
        self.rows = [[10, 11, 12, 13, 2], [20, 21, 22, 23, 2], odd_row, [40, 41, 42, 2]]

    def merge(self, policy: object) -> None:
        pass

    def sample(self, prompt_ids: object, count: int, sampling: object, on_row: object) -> list[list[int]]:
        return self.rows


ODD_ROW = [30, 31, 32, 33, 2]
OTHER_ROW = [99, 300, 7]


@pytest.mark.parametrize("extra", [{}, {"entropy_coef": 0.5}])
@pytest.mark.parametrize("beta", [0.0, 0.3])
def test_an_unscored_row_leaves_no_trace_in_the_weights(
    tiny_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beta: float, extra: dict[str, float]
) -> None:
    def weights(row: list[int], rewards: Rewards, name: str) -> torch.Tensor:
        monkeypatch.setattr(grpo, "_decoder", lambda policy, args: Scripted(row))
        keys = {"beta": beta, "extra": extra, "batch_size": 4}
        train(fresh(tiny_folder), tmp_path / name, Judge(lambda step: rewards), grpo=keys, max_unscored_share=1.0)
        return torch.cat([tensor.flatten() for _, tensor in sorted(adapter(tmp_path / name, 2).items())])

    unscored: Rewards = [0.1, 0.9, None, 0.3]
    one, other = weights(ODD_ROW, unscored, "one"), weights(OTHER_ROW, unscored, "other")
    torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)
    scored: Rewards = [0.1, 0.9, 0.5, 0.3]
    assert (weights(ODD_ROW, scored, "a") - weights(OTHER_ROW, scored, "b")).abs().max() > 1e-3


def test_a_step_without_any_reward_changes_no_weight(tiny: Policy, tmp_path: Path) -> None:
    judge = Judge(lambda step: [0.0, 0.5, 0.5, 1.0] if step == 1 else [None] * 4)
    grpo_keys = {"steps": 3, "save_every_steps": 1}
    metrics = train(tiny, tmp_path, judge, grpo=grpo_keys, max_unscored_share=1.0)
    assert [numbers["unscored_share"] for numbers in metrics] == [0, 1, 1]
    assert metrics[1]["reward"] is None and metrics[1]["loss"] == 0
    first = adapter(tmp_path, 1)
    assert moved(first)
    for step in (2, 3):
        assert all(torch.equal(tensor, first[name]) for name, tensor in adapter(tmp_path, step).items())


def test_each_term_is_a_reward_function_of_its_own(tiny: Policy, tmp_path: Path) -> None:
    asked: list[int] = []

    async def two_terms(group: Group, *, step: int) -> Sequence[Values]:
        asked.append(step)
        await asyncio.sleep(0.01)
        return [{"gate": 1.0, "taste": 0.5}, {"gate": 0.0, "taste": 0.0}, None, {"gate": 1.0, "taste": 0.1}]

    metrics = train(tiny, tmp_path, two_terms, weights={"gate": 0.2, "taste": 0.8})
    assert asked == [1, 2], "all functions share one evaluation of a group"
    for numbers in metrics:
        assert numbers["rewards/gate/mean"] == pytest.approx(2 / 3)
        assert numbers["rewards/taste/mean"] == pytest.approx(0.2)
        assert numbers["reward"] == pytest.approx(0.2 * 2 / 3 + 0.8 * 0.2)
        assert numbers["unscored_share"] == 0.25


@pytest.mark.parametrize("lacking", [{"gate": 1.0}, {"gate": 1.0, "taste": float("nan")}, None])
def test_a_rollout_that_one_term_leaves_unscored_has_no_reward_in_any(
    tiny_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacking: Values
) -> None:
    def weights(row: list[int], values: Values, name: str) -> tuple[torch.Tensor, StepMetrics]:
        async def evaluate(group: Group, *, step: int) -> Sequence[Values]:
            return [{"gate": 1.0, "taste": 0.1}, {"gate": 1.0, "taste": 0.9}, values, {"gate": 0.0, "taste": 0.0}]

        monkeypatch.setattr(grpo, "_decoder", lambda policy, args: Scripted(row))
        keys = {"batch_size": 4, "steps": 1}
        mix = {"gate": 0.5, "taste": 0.5}
        (metrics,) = train(
            fresh(tiny_folder), tmp_path / name, evaluate, weights=mix, grpo=keys, max_unscored_share=1.0
        )
        return torch.cat([each.flatten() for _, each in sorted(adapter(tmp_path / name, 1).items())]), metrics

    (one, first), (other, second) = weights(ODD_ROW, lacking, "one"), weights(OTHER_ROW, lacking, "other")
    assert first["rewards/gate/mean"] == pytest.approx(2 / 3)
    assert first["grad_norm"] == pytest.approx(second["grad_norm"], rel=1e-4) and first["grad_norm"] > 0
    torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)
    known = {"gate": 1.0, "taste": 0.5}
    assert (weights(ODD_ROW, known, "a")[0] - weights(OTHER_ROW, known, "b")[0]).abs().max() > 1e-3


@pytest.mark.parametrize("reward", [float("nan"), float("inf"), None])
def test_a_reward_that_is_no_number_is_unscored(tiny: Policy, tmp_path: Path, reward: float | None) -> None:
    metrics = train(tiny, tmp_path, Judge(lambda step: [0.0, reward, 0.5, 1.0]))
    assert [numbers["unscored_share"] for numbers in metrics] == [0.25, 0.25]
    assert metrics[0]["reward"] == pytest.approx(0.5)


def test_an_exception_in_the_evaluation_is_unscored(tiny: Policy, tmp_path: Path) -> None:
    judge = Judge(lambda step: [0.0, 0.5, 0.5, 1.0] if step == 2 else 1 / 0)  # type: ignore[arg-type,return-value]
    metrics = train(tiny, tmp_path, judge, max_unscored_share=0.9)
    assert [numbers["unscored_share"] for numbers in metrics] == [1, 0]


def test_too_few_results_are_unscored(tiny: Policy, tmp_path: Path) -> None:
    metrics = train(tiny, tmp_path, Judge(lambda step: [0.5]), max_unscored_share=1.0)
    assert [numbers["unscored_share"] for numbers in metrics] == [1, 1]


def test_a_run_that_goes_blind_stops_with_a_checkpoint(tiny: Policy, tmp_path: Path) -> None:
    judge = Judge(lambda step: [0.0, 0.2, 0.4, 1.0] if step == 1 else 1 / 0)  # type: ignore[arg-type,return-value]
    with pytest.raises(InfraError, match=r"8 of the last 12 rollouts could not be scored.*ZeroDivisionError"):
        train(tiny, tmp_path, judge, grpo={"steps": 9})
    assert judge.steps == [1, 2, 3]
    assert [path.name for path in tmp_path.glob("checkpoint-*")] == ["checkpoint-2"]


def test_a_term_that_can_go_no_further_stops_the_run_at_once_with_a_checkpoint(tiny: Policy, tmp_path: Path) -> None:
    def values(step: int) -> list[float | None]:
        if step == 2:
            raise TermStopped(PrerequisiteError("the judge's budget is used up"))
        return [0.0, 0.2, 0.4, 1.0]

    judge = Judge(values)
    with pytest.raises(TermStopped, match="the judge's budget is used up") as caught:
        train(tiny, tmp_path, judge, max_unscored_share=1.0, grpo={"steps": 9})
    assert caught.value.exit_code == 3
    assert judge.steps == [1, 2]
    assert [path.name for path in tmp_path.glob("checkpoint-*")] == ["checkpoint-1"]


def test_an_interrupted_run_resumes_as_if_it_had_not_been(tiny_folder: Path, tmp_path: Path) -> None:
    def rewards(step: int) -> Rewards:
        return [0.0, 0.2 * step, None if step == 2 else 0.4, 1.0]

    whole, halted = tmp_path / "whole", tmp_path / "halted"
    calm = Judge(rewards)
    train(fresh(tiny_folder), whole, calm, grpo={"steps": 4})

    class Interrupted(Judge):
        async def __call__(self, group: Group, *, step: int) -> Sequence[Values]:
            if step == 3:
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(60)
            return await super().__call__(group, step=step)

    with pytest.raises(KeyboardInterrupt):
        train(fresh(tiny_folder), halted, Interrupted(rewards), grpo={"steps": 4})
    assert [path.name for path in halted.glob("checkpoint-*")] == ["checkpoint-2"]
    later = Judge(rewards)
    train(fresh(tiny_folder), halted, later, resume_from=halted / "checkpoint-2", grpo={"steps": 4})
    assert later.steps == [3, 4] and later.completions == calm.completions[2:]
    expected = adapter(whole, 4)
    assert all(torch.equal(tensor, expected[name]) for name, tensor in adapter(halted, 4).items())


def test_an_interrupt_during_the_update_waits_for_its_end(
    tiny: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = torch.optim.AdamW.step

    def interrupted(self: Any, *args: Any, **kwargs: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return step(self, *args, **kwargs)

    monkeypatch.setattr(torch.optim.AdamW, "step", interrupted)
    steps: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        train_grpo(
            tiny,
            [ask("a flower")],
            config(tiny.folder),
            WEIGHTS,
            checkpoints=tmp_path,
            evaluate=Judge(lambda step: [0.0, 0.2, 0.4, 1.0]),
            on_step=lambda number, metrics: steps.append(number),
        )
    assert steps == [1] and moved(adapter(tmp_path, 1))
    with pytest.raises(KeyboardInterrupt):  # the next one is let through at once
        os.kill(os.getpid(), signal.SIGINT)


def test_the_evaluation_is_closed_where_it_ran(tiny: Policy, tmp_path: Path) -> None:
    judge = Judge(lambda step: [0.0, 0.2, 0.4, 1.0])
    closed: list[int] = []

    async def close() -> None:
        closed.append(threading.get_ident())
        raise OSError("too late to matter")

    train_grpo(tiny, [ask("a")], config(tiny.folder), WEIGHTS, checkpoints=tmp_path, evaluate=judge, close=close)
    assert set(closed) == judge.threads


def test_prompts_take_turns(tiny: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    sample = grpo.Decoder.sample

    def spy(self: Any, prompt_ids: list[int], count: int, sampling: Any, on_row: Any) -> list[list[int]]:
        seen.append(tiny.tokenizer.decode(prompt_ids))
        assert count == 4
        return sample(self, prompt_ids, count, sampling, on_row)

    monkeypatch.setattr(grpo.Decoder, "sample", spy)
    judge = Judge(lambda step: [0.0, 0.2, 0.4, 1.0])
    prompts = [ask("a rose"), ask("a lily")]
    train_grpo(tiny, prompts, config(tiny.folder, grpo={"steps": 3}), WEIGHTS, checkpoints=tmp_path, evaluate=judge)
    assert [("rose" in text, "lily" in text) for text in seen] == [(True, False), (False, True), (True, False)]


def test_completions_are_handed_over_before_their_group(tiny: Policy, tmp_path: Path) -> None:
    judge = Judge(lambda step: [0.0, 0.2, 0.4, 1.0])
    handed: list[tuple[str, int, int]] = []
    train_grpo(
        tiny,
        [ask("a flower")],
        config(tiny.folder),
        WEIGHTS,
        checkpoints=tmp_path,
        evaluate=judge,
        on_completion=lambda text, step: handed.append((text, step, len(judge.steps))),
    )
    for step, group in enumerate(judge.completions, start=1):
        early = [text for text, its_step, judged in handed if its_step == step and judged == step - 1]
        assert sorted(early) == sorted(group)
    assert len(handed) == 8


def test_a_value_that_trl_would_not_take(tiny: Policy, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="TRL refuses these settings"):
        train(tiny, tmp_path, Judge(lambda step: [0.0] * 4), grpo={"extra": {"optim": "no_such"}})


def test_every_setting_reaches_trl(tiny: Policy, tmp_path: Path) -> None:
    keys = {
        "steps": 7, "generations": 6, "batch_size": 3, "max_completion_tokens": 99, "learning_rate": 2e-4,
        "schedule": "cosine", "warmup_steps": 3, "temperature": 0.7, "top_p": 0.8, "top_k": 9, "scale_rewards": "batch",
        "beta": 0.1, "loss_type": "dr_grpo", "save_every_steps": 4, "mask_truncated": True, "extra": {"epsilon": 0.3},
    }  # fmt: skip
    args = grpo._arguments(tiny, config(tiny.folder, grpo=keys, seed=5), [0.1, 0.9], tmp_path)
    assert (args.max_steps, args.num_generations, args.per_device_train_batch_size) == (7, 6, 3)
    assert (args.gradient_accumulation_steps, args.steps_per_generation, args.generation_batch_size) == (2, 2, 6)
    assert (args.max_completion_length, args.learning_rate, args.lr_scheduler_type) == (99, 2e-4, "cosine")
    assert (args.warmup_steps, args.temperature, args.top_p, args.top_k) == (3, 0.7, 0.8, 9)
    assert (args.scale_rewards, args.beta, args.loss_type, args.save_steps) == ("batch", 0.1, "dr_grpo", 4)
    assert args.reward_weights == [0.1, 0.9] and args.multi_objective_aggregation == "sum_then_normalize"
    assert (args.mask_truncated_completions, args.epsilon, args.seed, args.bf16) == (True, 0.3, 5, False)


def test_sampling_beyond_our_decoder_is_left_to_trl(tiny: Policy, tmp_path: Path) -> None:
    for extra, ours in (({}, True), ({"min_p": 0.1}, False), ({"repetition_penalty": 1.1}, False)):
        args = grpo._arguments(tiny, config(tiny.folder, grpo={"extra": extra}), [1.0], tmp_path)
        assert (grpo._decoder(tiny, args) is not None) is ours
    metrics = train(tiny, tmp_path, Judge(lambda step: [0.0, 0.2, 0.4, 1.0]), grpo={"extra": {"min_p": 0.01}})
    assert metrics[-1]["generate_s"] > 0


def test_divergence_from_the_start_is_measured_where_it_is_due(tiny: Policy, tmp_path: Path) -> None:
    metrics = train(
        tiny, tmp_path, Judge(lambda step: [0.0, 0.2, 0.4, 1.0]), grpo={"steps": 5, "kl_every_steps": 2, "beta": 0.2}
    )
    measured = [numbers["kl_to_start"] for numbers in metrics]
    assert [value is None for value in measured] == [True, False, True, False, True]
    assert measured[1] and measured[3] and 0 < measured[1] < measured[3]


def test_divergence_is_nothing_before_the_first_update_and_changes_no_weight(tiny_folder: Path, tmp_path: Path) -> None:
    judge = Judge(lambda step: [0.0, 0.2, 0.4, 1.0])
    first = train(fresh(tiny_folder), tmp_path / "on", judge, grpo={"kl_every_steps": 1})
    assert first[0]["kl_to_start"] == pytest.approx(0, abs=1e-6) and first[1]["kl_to_start"] > 1e-6  # type: ignore[operator]
    never = train(fresh(tiny_folder), tmp_path / "off", judge, grpo={"kl_every_steps": 0})
    assert [numbers["kl_to_start"] for numbers in never] == [None, None]
    expected = adapter(tmp_path / "off", 2)
    assert all(torch.equal(tensor, expected[name]) for name, tensor in adapter(tmp_path / "on", 2).items())


def test_divergence_is_from_the_adapter_that_training_began_with(tiny_folder: Path, tmp_path: Path) -> None:
    judge = Judge(lambda step: [0.0, 0.2, 0.4, 1.0])
    train(fresh(tiny_folder), tmp_path / "before", judge, grpo={"steps": 2})
    start = tmp_path / "before" / "checkpoint-2"
    metrics: list[StepMetrics] = []
    train_grpo(
        fresh(tiny_folder),
        [ask("a flower")],
        config(tiny_folder, grpo={"kl_every_steps": 1, "steps": 2}),
        WEIGHTS,
        checkpoints=tmp_path / "after",
        evaluate=judge,
        on_step=lambda step, numbers: metrics.append(numbers),
        init_adapter=start,
    )
    first, second = (numbers["kl_to_start"] for numbers in metrics)
    assert first == pytest.approx(0, abs=1e-6) and second is not None and second > 1e-6
    assert any(
        not torch.equal(tensor, load_file(start / "adapter_model.safetensors")[name])
        for name, tensor in adapter(tmp_path / "after", 2).items()
    )
