"""Warm start: a short supervised training on complete sketches, so that GRPO begins with a policy that can write them.

An adapter is trained and merged into the weights, so that GRPO starts with one of its own. The merged checkpoint is
cached under a hash of the model, the sketches, the prompts and the settings that it was made from.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watercolour.config import LoraSection, PolicySection, SftSection, WarmStartSection
from watercolour.errors import ConfigError
from watercolour.policy.cache import cache_path, cached_folder, hash_folder
from watercolour.policy.load import (
    Messages,
    Policy,
    chat_template_kwargs,
    device,
    load_policy,
    lora_config,
    policy_folder,
    use_threads,
)

if TYPE_CHECKING:
    from peft import PeftModel
    from transformers import PreTrainedTokenizerBase

ADAPTER = LoraSection(r=32, alpha=64)
"""With a rate of 1e-3, 45 steps of 6 template sketches took SmolLM2-135M from no sketch that parses to 30 of 32."""

WARMUP_STEPS = 4
_CODE = 3
"""Raise when a change here would make another checkpoint of the same inputs."""

Example = tuple[str, str]
"""(subject, source of a sketch)"""
OnStep = Callable[[int, int, float], None]
"""Called with the step, the number of steps, and the step's loss."""


def as_reply(source: str) -> str:
    """The reply that a sketch should be: its source in one fenced block."""
    return f"```javascript\n{source.rstrip()}\n```"


def select_examples(
    examples: Sequence[Example], settings: WarmStartSection, tokenizer: PreTrainedTokenizerBase
) -> list[Example]:
    """Those whose reply, its end-of-turn token included, is at most `settings.max_tokens` long."""
    return that_fit(examples, settings.max_tokens, tokenizer)


def that_fit(examples: Sequence[Example], max_tokens: int, tokenizer: PreTrainedTokenizerBase) -> list[Example]:
    """Those whose reply, its end-of-turn token included, is at most `max_tokens` long."""
    replies = [as_reply(source) for _, source in examples]
    lengths = [len(ids) + 1 for ids in tokenizer(replies, add_special_tokens=False)["input_ids"]] if replies else []
    return [example for example, length in zip(examples, lengths, strict=True) if length <= max_tokens]


def warm_start(
    section: PolicySection,
    settings: WarmStartSection,
    examples: Sequence[Example],
    prompt: Callable[[str], Messages],
    on_step: OnStep | None = None,
) -> Path:
    """The folder of the warm-started checkpoint, trained now unless the cache has it.

    `prompt` gives the conversation that asks for a subject; it must be the one that GRPO will use. Raises ConfigError
    when no example is short enough, PrerequisiteError when the policy cannot be had.
    """
    folder = policy_folder(section)
    inputs = _inputs(section, settings, examples, prompt, folder)
    return cached_folder(
        "warm-start", inputs, lambda out: _train(section, settings, examples, prompt, on_step, folder, out)
    )


def warm_start_is_cached(
    section: PolicySection,
    settings: WarmStartSection,
    examples: Sequence[Example],
    prompt: Callable[[str], Messages],
) -> bool:
    """Whether `warm_start` would return at once. Raises PrerequisiteError when the policy cannot be had."""
    folder = policy_folder(section)
    return cache_path("warm-start", _inputs(section, settings, examples, prompt, folder)).is_dir()


def _inputs(
    section: PolicySection,
    settings: WarmStartSection,
    examples: Sequence[Example],
    prompt: Callable[[str], Messages],
    folder: Path,
) -> dict[str, Any]:
    return {
        "code": _CODE,
        "adapter": _adapter(section).model_dump(mode="json"),
        "warmup_steps": WARMUP_STEPS,
        "model": hash_folder(folder),
        "dtype": section.dtype,
        "enable_thinking": section.enable_thinking,
        "settings": settings.model_dump(mode="json"),
        "rows": [[prompt(subject), source] for subject, source in examples],
    }


def _adapter(section: PolicySection) -> LoraSection:
    """The adapter of a warm start, which leaves out the modules that the policy's own leaves out."""
    return ADAPTER.model_copy(update={"exclude_modules": section.lora.exclude_modules})


def _train(
    section: PolicySection,
    settings: WarmStartSection,
    examples: Sequence[Example],
    prompt: Callable[[str], Messages],
    on_step: OnStep | None,
    folder: Path,
    out: Path,
) -> None:
    use_threads(section.threads)
    policy = load_policy(section, folder)
    chosen = select_examples(examples, settings, policy.tokenizer)
    if not chosen:
        raise ConfigError(
            f"warm_start.max_tokens: none of the {len(examples)} sketches fits in {settings.max_tokens} tokens"
        )
    merged = fine_tune(policy, chosen, prompt, settings, section, on_step)
    merged.model.save_pretrained(out)
    merged.tokenizer.save_pretrained(out)


def fine_tune(
    policy: Policy,
    examples: Sequence[Example],
    prompt: Callable[[str], Messages],
    settings: WarmStartSection,
    section: PolicySection,
    on_step: OnStep | None = None,
) -> Policy:
    """Train an adapter on the examples' replies alone (not on their prompts) and merge it into the weights."""
    trained = train_adapter(policy, examples, prompt, settings, section, _adapter(section), on_step=on_step)
    adapted: Any = trained.model
    return replace(policy, model=adapted.merge_and_unload())


@dataclass(frozen=True)
class Trained:
    """The policy with its adapter, and its mean loss on held-out replies before and after: None without any."""

    model: PeftModel
    loss_before: float | None = None
    loss_after: float | None = None


def train_adapter(
    policy: Policy,
    examples: Sequence[Example],
    prompt: Callable[[str], Messages],
    settings: WarmStartSection | SftSection,
    section: PolicySection,
    lora: LoraSection,
    *,
    held_out: Sequence[Example] = (),
    in_order: bool = False,
    on_step: OnStep | None = None,
) -> Trained:
    """Train an adapter on the examples' replies alone: shuffled, or one after the other where `in_order`.

    A loss is in nats a token; the held-out one is the mean over the replies of each one's mean.
    """
    import torch
    from datasets import Dataset  # type: ignore[import-untyped]
    from transformers import TrainerCallback
    from transformers.trainer_callback import PrinterCallback
    from trl.trainer.sft_config import SFTConfig
    from trl.trainer.sft_trainer import SFTTrainer

    from watercolour.policy.head import one_pass_head
    from watercolour.policy.prefix import share_prefix

    class Report(TrainerCallback):
        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **kwargs: Any) -> None:
            if on_step and logs and "loss" in logs:
                on_step(state.global_step, state.max_steps, float(logs["loss"]))

    extra = chat_template_kwargs(policy.tokenizer, section.enable_thinking)

    def dataset(examples: Sequence[Example]) -> Any:
        return Dataset.from_list(
            [
                {"prompt": prompt(subject), "completion": [{"role": "assistant", "content": as_reply(source)}]}
                | ({"chat_template_kwargs": extra} if extra else {})
                for subject, source in examples
            ]
        )

    with tempfile.TemporaryDirectory() as scratch:
        trainer = SFTTrainer(
            model=policy.model,
            args=SFTConfig(
                output_dir=scratch,
                max_steps=settings.steps,
                per_device_train_batch_size=settings.batch_size,
                per_device_eval_batch_size=1,
                train_sampling_strategy="sequential" if in_order else "random",
                learning_rate=settings.learning_rate,
                lr_scheduler_type="cosine",
                warmup_steps=min(WARMUP_STEPS, settings.steps // 2),
                max_length=None,
                completion_only_loss=True,
                activation_checkpointing=section.gradient_checkpointing,
                bf16=policy.model.dtype == torch.bfloat16,
                use_cpu=device().type == "cpu",
                seed=settings.seed,
                logging_steps=1,
                save_strategy="no",
                report_to="none",
                disable_tqdm=True,
            ),
            train_dataset=dataset(examples),
            processing_class=policy.tokenizer,
            peft_config=lora_config(lora),
            callbacks=[Report()],
        )
        trainer.remove_callback(PrinterCallback)
        adapted: Any = trainer.model
        if device().type == "cpu":
            base: Any = adapted.get_base_model()
            one_pass_head(base, temperature=1.0)
            share_prefix(base)
        checked = dataset(held_out) if held_out else None

        def loss() -> float | None:
            return float(trainer.evaluate(checked)["eval_loss"]) if checked else None

        before = loss()
        trainer.train()
        return Trained(adapted, before, loss())
