"""GRPO with TRL: the one place that trains a policy on its rewards.

TRL generates a group of completions, asks for their rewards on an event loop that it keeps in a thread, and learns.
What is added here: a rollout that could not be scored is left out of the step altogether; a run whose rollouts mostly
cannot be scored stops; Ctrl-C leaves a checkpoint of the last whole step; decoding on a CPU is ours.

Import this module inside the command that trains: it loads torch and TRL.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import torch
from datasets import Dataset  # type: ignore[import-untyped]
from peft import PeftModel
from torch import Tensor
from transformers import PreTrainedModel, TrainerCallback
from transformers.trainer_callback import PrinterCallback
from transformers.trainer_utils import rotate_checkpoints
from trl.trainer.grpo_config import GRPOConfig
from trl.trainer.grpo_trainer import GRPOTrainer

from watercolour.config import RunConfig
from watercolour.errors import ConfigError, InfraError, TermStopped
from watercolour.policy import adapters
from watercolour.policy.checkpoints import remove_unfinished, whole_checkpoint
from watercolour.policy.decode import Decoder, Sampling
from watercolour.policy.divergence import Divergence
from watercolour.policy.head import one_pass_head
from watercolour.policy.hush import hush_libraries
from watercolour.policy.interrupts import HeldInterrupts
from watercolour.policy.load import (
    Messages,
    Policy,
    chat_template_kwargs,
    device,
    lora_config,
    use_threads,
)
from watercolour.policy.merge import merged_adapter
from watercolour.policy.panel import Ask, Panel
from watercolour.policy.prefix import share_prefix
from watercolour.policy.randomness import own_randomness, random_states, set_random_states
from watercolour.policy.scoring import Evaluate, Group, Scoring, finite

logger = logging.getLogger(__name__)

CLOSE_TIMEOUT_S = 30.0


StepMetrics = dict[str, float | None]
"""loss, grad_norm, learning_rate, entropy, kl_to_start, reward, reward_std, completion_tokens (mean), clipped_share,
zero_spread_share, unscored_share; generate_s, evaluate_s, learn_s, step_s; rewards/TERM/mean, over the scored rollouts,
0 for those that the gate rejected. None where a step has no such number."""

_LOGGED = {
    "loss": "loss",
    "grad_norm": "grad_norm",
    "learning_rate": "learning_rate",
    "entropy": "entropy",
    "reward": "reward",
    "reward_std": "reward_std",
    "completion_tokens": "completions/mean_length",
    "clipped_share": "completions/clipped_ratio",
    "zero_spread_share": "frac_reward_zero_std",
}


def train_grpo(
    policy: Policy,
    prompts: Sequence[Messages],
    config: RunConfig,
    weights: Mapping[str, float],
    *,
    checkpoints: Path,
    evaluate: Evaluate,
    close: Callable[[], Awaitable[None]] | None = None,
    on_step: Callable[[int, StepMetrics], None] | None = None,
    on_completion: Callable[[str, int], None] | None = None,
    panel: Panel | None = None,
    resume_from: Path | None = None,
    init_adapter: Path | None = None,
) -> Path:
    """Train an adapter for `config.grpo.steps` steps, the prompts taking turns; returns the last checkpoint's folder.

    `checkpoints` receives `checkpoint-N` folders, each a PEFT adapter and what is needed to go on from step N.
    The adapter is a new one, or starts as the one saved in the folder `init_adapter`. `weights` are those of the
    reward's terms by name: each is a reward function of its own to TRL, so that its metrics name them. `evaluate` and,
    at the end, `close` run on the same event loop. `on_step` is called after every step, 1 first; `on_completion`,
    where decoding is ours, with each completion as soon as it has ended, its group still being written, and its step.

    Raises ConfigError for a setting that TRL refuses or an adapter that does not fit, InfraError when too many rollouts
    went unscored (see `reward.max_unscored_share`) or the disk takes no more, TermStopped when a term of the reward can
    go no further, KeyboardInterrupt on Ctrl-C; the latter three once a checkpoint is saved, unless no step was
    finished.
    """
    hush_libraries()
    use_threads(config.policy.threads)
    scoring = Scoring(evaluate, list(weights), policy.end_ids, config.reward.max_unscored_share)
    args = _arguments(policy, config, list(weights.values()), checkpoints)
    grpo = config.grpo
    remove_unfinished(checkpoints)
    rows = [{"prompt": prompt} for prompt in itertools.islice(itertools.cycle(prompts), grpo.steps)]
    decoder = _decoder(policy, args)  # copies the bare model
    model = adapters.init_adapter(policy.model, config.policy, init_adapter) if init_adapter else policy.model
    trainer = _Trainer(
        scoring=scoring,
        decoder=decoder,
        on_completion=on_completion,
        divergence=Divergence(grpo.kl_every_steps, init_adapter),
        sampling=Sampling(grpo.max_completion_tokens, grpo.temperature, grpo.top_p, grpo.top_k),
        model=model,
        args=args,
        reward_funcs=scoring.reward_functions(),
        train_dataset=Dataset.from_list(rows),
        processing_class=policy.tokenizer,
        peft_config=None if init_adapter else lora_config(config.policy.lora),
    )
    steps = _Steps(trainer, on_step, panel)
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(steps)
    if device().type == "cpu":
        base = cast(PreTrainedModel, trainer.adapted.get_base_model())
        if not trainer._entropy_bonus_enabled:
            one_pass_head(base, grpo.temperature)
        share_prefix(base)
    if resume_from:
        adapters.require_fit(trainer.adapted, resume_from)
    try:
        trainer.train(resume_from_checkpoint=str(resume_from) if resume_from else None)
    except (KeyboardInterrupt, InfraError, TermStopped):
        with HeldInterrupts():
            scoring.cancel()
            steps.save_last_whole_step()
        raise
    finally:
        steps.interrupts.drop()
        if close is not None:
            _close_on(trainer.async_loop, close)
    return checkpoints / f"checkpoint-{trainer.state.global_step}"


def _arguments(policy: Policy, config: RunConfig, weights: list[float], checkpoints: Path) -> GRPOConfig:
    grpo = config.grpo
    accumulation = grpo.generations // grpo.batch_size
    ours: dict[str, Any] = {
        "output_dir": str(checkpoints),
        "seed": config.seed,
        "max_steps": grpo.steps,
        "per_device_train_batch_size": grpo.batch_size,
        "gradient_accumulation_steps": accumulation,
        "steps_per_generation": accumulation,
        "generation_batch_size": None,
        "num_generations": grpo.generations,
        "max_completion_length": grpo.max_completion_tokens,
        "learning_rate": grpo.learning_rate,
        "lr_scheduler_type": grpo.schedule,
        "warmup_steps": grpo.warmup_steps,
        "temperature": grpo.temperature,
        "top_p": grpo.top_p,
        "top_k": grpo.top_k,
        "reward_weights": weights,
        # Terms that are normalised one by one would pay for what the gate rejected.
        "multi_objective_aggregation": "sum_then_normalize",
        "scale_rewards": grpo.scale_rewards,
        "beta": grpo.beta,
        "loss_type": grpo.loss_type,
        "mask_truncated_completions": grpo.mask_truncated,
        "chat_template_kwargs": chat_template_kwargs(policy.tokenizer, config.policy.enable_thinking) or None,
        "activation_checkpointing": config.policy.gradient_checkpointing,
        "bf16": policy.model.dtype == torch.bfloat16,
        "use_cpu": device().type == "cpu",
        "shuffle_dataset": False,
        "save_strategy": "steps",
        "save_steps": grpo.save_every_steps,
        "logging_strategy": "steps",
        "logging_steps": 1,
        "report_to": "none",
        "disable_tqdm": True,
    }
    if hasattr(policy.model.config.get_text_config(), "output_router_logits"):
        ours["router_aux_loss_coef"] = 0.0
    try:
        return GRPOConfig(**{**ours, **grpo.extra})
    except (TypeError, ValueError) as error:
        raise ConfigError(f"grpo: TRL refuses these settings: {' '.join(str(error).split())}") from error


def _decoder(policy: Policy, args: GRPOConfig) -> Decoder | None:
    """Our own decoder where it does all that the settings ask for, else None: TRL's generation."""
    beyond = args.use_vllm or args.use_transformers_continuous_batching or args.min_p or args.repetition_penalty != 1.0
    if beyond or args.generation_kwargs or args.cache_implementation or not Decoder.suits(policy.model):
        return None
    return Decoder(policy.model, policy.end_ids)


class _Trainer(GRPOTrainer):
    """TRL's trainer with unscored rollouts left out and, on a CPU, our decoder."""

    def __init__(
        self,
        scoring: Scoring,
        decoder: Decoder | None,
        sampling: Sampling,
        on_completion: Callable[[str, int], None] | None,
        divergence: Divergence,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.on_completion = on_completion
        self.divergence = divergence
        self.sampling = sampling
        self.scoring = scoring
        self.decoder = decoder
        self.generate_s = 0.0
        self._saving_in: Path | None = None

    @property
    def adapted(self) -> PeftModel:
        """The policy with its adapter."""
        return cast(PeftModel, self.model)

    def _generate_single_turn(self, prompt_ids: list[list[int]], *args: Any, **kwargs: Any) -> Any:
        started = time.perf_counter()
        if self.decoder is None:
            with merged_adapter(self.adapted):
                completions = super()._generate_single_turn(prompt_ids, *args, **kwargs)  # type: ignore[no-untyped-call]
        else:
            self.decoder.merge(self.adapted)
            groups = [(ids, len(list(rows))) for ids, rows in itertools.groupby(prompt_ids)]
            ids = [
                row
                for prompt, count in groups
                for row in self.decoder.sample(prompt, count, self.sampling, self._on_row)
            ]
            completions = ids, None
        self.generate_s = time.perf_counter() - started
        return completions

    def _on_row(self, ids: list[int]) -> None:
        if self.on_completion is not None:
            text = self._tokenizer.decode(ids, skip_special_tokens=True)  # as the whole group is, later
            self.on_completion(str(text), self.state.global_step + 1)

    def answer(self, ask: Ask) -> Group:
        """Replies to a prompt that nothing is learnt from, at most `num_generations` at a time."""
        seconds, at_once = self.generate_s, self.num_generations or ask.count
        rows: list[list[int]] = []
        on_completion, self.on_completion = self.on_completion, None
        try:
            with own_randomness(ask.seed):
                while len(rows) < ask.count:
                    size = min(at_once, ask.count - len(rows))
                    prompt_ids, images, fields = self._tokenize_prompts([ask.prompt] * size)
                    rows += self._generate_single_turn(prompt_ids, images, fields, size)[0]
        finally:
            self.on_completion, self.generate_s = on_completion, seconds
        return self.scoring.group(
            [str(text) for text in self._tokenizer.batch_decode(rows, skip_special_tokens=True)], rows
        )

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        batch: dict[str, Any] = super()._generate_and_score_completions(inputs)
        keep = ~torch.tensor(self.scoring.unscored, device=batch["completion_mask"].device)
        batch["completion_mask"] = batch["completion_mask"] * keep[:, None]
        batch["num_items_in_batch"] = self.accelerator.gather(batch["completion_mask"].sum()).sum()
        return batch

    def _get_per_token_logps_and_entropies(
        self, model: Any, input_ids: Tensor, attention_mask: Tensor, logits_to_keep: int, **kwargs: Any
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:
        score = super()._get_per_token_logps_and_entropies
        found: tuple[Tensor, Tensor | None, Tensor | None] = score(
            model, input_ids, attention_mask, logits_to_keep, **kwargs
        )
        # The loss, and nothing else, is worked out with a gradient.
        if torch.is_grad_enabled() and self.divergence.is_due(self.state.global_step + 1):
            with torch.no_grad(), adapters.as_it_started(self.adapted, self.divergence.folder):
                begun, *_ = score(
                    model, input_ids, attention_mask, logits_to_keep, **{**kwargs, "compute_entropy": False}
                )
            self.divergence.add(found[0].detach(), begun, attention_mask[:, -logits_to_keep:])
        return found

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        folder = Path(self._get_output_dir(trial))
        with whole_checkpoint(folder, self.state.global_step) as scratch:
            if scratch is not None:
                self._saving_in = scratch
                try:
                    super()._save_checkpoint(model, trial)  # type: ignore[no-untyped-call]
                finally:
                    self._saving_in = None
        rotate_checkpoints(str(folder), self.args.save_total_limit)

    def _get_output_dir(self, trial: Any) -> str:
        return str(self._saving_in or self.args.output_dir)

    def create_model_card(self, *args: Any, **kwargs: Any) -> None:
        """None: what a run is, its run.json says."""


class _Steps(TrainerCallback):
    """Reports each step, keeps what a checkpoint of it needs, and keeps Ctrl-C out of the moment between two steps."""

    def __init__(
        self, trainer: _Trainer, on_step: Callable[[int, StepMetrics], None] | None, panel: Panel | None
    ) -> None:
        self.trainer = trainer
        self.on_step = on_step
        self.panel = panel
        self.interrupts = HeldInterrupts()
        self._started = 0.0
        self._random = random_states()

    def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._ask_panel(state.global_step)  # after the checkpoint of the step before: a crash costs no step
        self._started = time.perf_counter()

    def on_pre_optimizer_step(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        # From here to the report, weights, optimiser and step counter belong to different steps.
        self.interrupts.hold()
        if all(self.trainer.scoring.unscored):
            # Without a gradient AdamW leaves a weight alone; with a zero one its momentum would still move it.
            for parameter in self.trainer.adapted.parameters():
                parameter.grad = None

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._random = random_states()

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **kwargs: Any) -> None:
        if "loss" not in logs:
            return
        scoring, step_s = self.trainer.scoring, time.perf_counter() - self._started
        metrics: StepMetrics = {name: finite(logs.get(key)) for name, key in _LOGGED.items()}
        metrics |= {key: finite(logs.get(key)) for key in (f"rewards/{term}/mean" for term in scoring.terms)}
        metrics["kl_to_start"] = self.trainer.divergence.take()
        metrics["unscored_share"] = sum(scoring.unscored) / len(scoring.unscored)
        metrics["generate_s"], metrics["evaluate_s"] = self.trainer.generate_s, scoring.seconds
        metrics["learn_s"] = step_s - self.trainer.generate_s - scoring.seconds
        metrics["step_s"] = step_s
        if self.on_step:
            self.on_step(state.global_step, metrics)
        self.interrupts.release()

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._ask_panel(state.global_step)

    def _ask_panel(self, step: int) -> None:
        if self.panel is None or not self.panel.due(step):
            return
        groups = []
        for number, ask in enumerate(self.panel.asks):
            self.panel.on_ask(step, number)
            groups.append(self.trainer.answer(ask))
        self.panel.evaluate(step, groups)

    def save_last_whole_step(self) -> None:
        """A checkpoint as it would have been saved at the end of the last whole step; nothing before the first."""
        if self.trainer.state.global_step > 0:
            set_random_states(self._random)
            try:
                self.trainer._save_checkpoint(self.trainer.model, trial=None)
            except InfraError as error:
                logger.debug("%s", error)  # what ended the run is what is to be told


def _close_on(loop: asyncio.AbstractEventLoop, close: Callable[[], Awaitable[None]]) -> None:
    async def call() -> None:
        await asyncio.wait_for(close(), CLOSE_TIMEOUT_S)

    try:
        asyncio.run_coroutine_threadsafe(call(), loop).result()
    except Exception as error:
        # What was trained is safe by now; what did not close ends with the process.
        logger.warning("the evaluation did not close: %s: %s", type(error).__name__, error)
