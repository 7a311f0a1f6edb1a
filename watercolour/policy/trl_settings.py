"""TRL's own settings, as `grpo.extra` may give them: known to TRL, and not already ours to set.

TRL's names come from TRL, which takes seconds to import: that is done only for a configuration that has any.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable

OURS = {
    "output_dir": "--name",
    "seed": "seed",
    "max_steps": "grpo.steps",
    "per_device_train_batch_size": "grpo.batch_size",
    "gradient_accumulation_steps": "grpo.generations and grpo.batch_size",
    "steps_per_generation": "grpo.generations and grpo.batch_size",
    "generation_batch_size": "grpo.generations and grpo.batch_size",
    "num_generations": "grpo.generations",
    "max_completion_length": "grpo.max_completion_tokens",
    "learning_rate": "grpo.learning_rate",
    "lr_scheduler_type": "grpo.schedule",
    "warmup_steps": "grpo.warmup_steps",
    "temperature": "grpo.temperature",
    "top_p": "grpo.top_p",
    "top_k": "grpo.top_k",
    "scale_rewards": "grpo.scale_rewards",
    "beta": "grpo.beta",
    "loss_type": "grpo.loss_type",
    "mask_truncated_completions": "grpo.mask_truncated",
    "chat_template_kwargs": "policy.enable_thinking",
    "activation_checkpointing": "policy.gradient_checkpointing",
    "gradient_checkpointing": "policy.gradient_checkpointing",
    "bf16": "policy.dtype",
    "fp16": "policy.dtype",
    "model_init_kwargs": "policy.dtype and policy.revision",
    "num_train_epochs": "grpo.steps",
    "save_steps": "grpo.save_every_steps",
    "save_strategy": "grpo.save_every_steps",
    "resume_from_checkpoint": "--resume",
    "reward_weights": "the weights of reward.terms",
    "multi_objective_aggregation": None,
    "use_cpu": None,
    "shuffle_dataset": None,
    "logging_strategy": None,
    "logging_steps": None,
    "report_to": None,
    "disable_tqdm": None,
}
"""TRL's settings that the program gives, each with the key it comes from; None where nothing else would work."""


def refusal(name: str, known: Iterable[str]) -> str | None:
    """Why `grpo.extra` may not hold the setting `name`, with what to write instead; None where it may.

    `known` are TRL's settings.
    """
    if name in OURS:
        key = OURS[name]
        return f"is set by {key}; change that" if key else "is set by the program and cannot be changed"
    known = sorted(known)
    if name in known:
        return None
    near = difflib.get_close_matches(name, known, n=1)
    if near and near[0] in OURS:
        return f"TRL has no such setting; {near[0]} is set by {OURS[near[0]] or 'the program'}"
    return "TRL has no such setting" + (f", did you mean {near[0]!r}?" if near else "")


def trl_settings() -> frozenset[str]:
    """The names of all settings of TRL's GRPO. Imports TRL, which takes seconds."""
    from trl.trainer.grpo_config import GRPOConfig

    return frozenset(field.name for field in dataclasses.fields(GRPOConfig) if field.init)
