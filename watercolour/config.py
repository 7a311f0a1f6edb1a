"""A run's configuration: one frozen tree, read from YAML, every mistake named with its file and line.

The defaults are the full-size recipe's; a file says what differs. Nothing here may hold a secret: keys and tokens are
named by their environment variable.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    JsonValue,
    ValidationInfo,
    field_validator,
    model_validator,
)

from watercolour.errors import ConfigError
from watercolour.render.backend import AskedBackend
from watercolour.reward.settings import AnyTermSettings
from watercolour.settings import (
    Count,
    FileName,
    LearningRate,
    Modules,
    Section,
    Seed,
    Share,
    Text,
    names,
    no_secrets,
)
from watercolour.shipped import DEFAULT_MEDIUM
from watercolour.yaml_lines import Document, apply_overrides, dotted, parse_yaml
from watercolour.yaml_model import read_yaml_text, validate


class LoraSection(Section):
    """The adapter that learns; the model under it stays as it is."""

    r: Annotated[int, Field(ge=1, le=1024)] = 16
    """Rank."""
    alpha: Annotated[float, Field(gt=0, le=4096)] = 32
    """Scale; the adapter's output is multiplied by alpha / r."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Share of the adapter's inputs dropped while learning."""
    target_modules: Modules = "all-linear"
    """`all-linear`, a regular expression, or a list of module names. A list misses layers that it does not name."""
    exclude_modules: Modules | None = None
    """A regular expression or a list of modules to leave out, such as a vision tower."""


class PolicySection(Section):
    """The model that writes the sketches."""

    model: Text
    """`smollm2-135m` (installed by the set-up), a model's folder, or a repository's name on the hub."""
    revision: Text | None = None
    """The repository's commit or tag; null takes the newest."""
    dtype: Literal["auto", "float32", "bfloat16"] = "auto"
    """The weights' type; auto takes the checkpoint's own, float32 for bfloat16 on a CPU without instructions for it."""
    lora: LoraSection = LoraSection()
    init_adapter: Text | None = None
    """Where the adapter starts: a run, whose last checkpoint it is, or an adapter's folder; null starts a new one."""
    gradient_checkpointing: bool = False
    """Recompute activations in the backward pass: less memory, more time."""
    enable_thinking: bool = False
    """Let the chat template open a thinking block, for models that have one."""
    threads: Annotated[int, Field(ge=1, le=1024)] | None = None
    """Torch's CPU threads; null takes the physical cores."""


class WarmStartSection(Section):
    """A short supervised training on the pool's sources and on template sketches, before GRPO."""

    sketches: Annotated[int, Field(ge=0, le=100_000)] = 240
    """How many template sketches to generate, for a medium that has them."""
    pool_repeats: Annotated[int, Field(ge=0, le=1000)] = 1
    """How often each of the pool's sources is put among them; those of tier `nope` never are."""
    steps: Count = 60
    """Optimiser steps."""
    batch_size: Annotated[int, Field(ge=1, le=1024)] = 6
    """Sketches a step."""
    learning_rate: LearningRate = 3e-4
    """Peak learning rate."""
    max_tokens: Annotated[int, Field(ge=16, le=131_072)] = 260
    """Sketches of more tokens are left out, so that the model learns to stop under its cap."""
    seed: Seed = 0
    """Seeds the templates and the order of the sketches."""

    @model_validator(mode="after")
    def _something_to_learn_from(self) -> WarmStartSection:
        if not self.sketches and not self.pool_repeats:
            raise ValueError("has nothing to learn from: raise sketches or pool_repeats, or set warm_start to null")
        return self


class SftSection(Section):
    """`watercolour sft`: supervised training of the adapter on the pool's sources, loved ones first."""

    steps: Count = 60
    """Optimiser steps."""
    batch_size: Annotated[int, Field(ge=1, le=1024)] = 6
    """Sources a step."""
    learning_rate: LearningRate = 2e-4
    """Peak learning rate."""
    max_tokens: Annotated[int, Field(ge=16, le=131_072)] | None = None
    """Sources of more tokens are left out; null takes grpo.max_completion_tokens, where replies will be cut."""
    love_repeats: Annotated[int, Field(ge=1, le=1000)] = 2
    """How often each source of the tier `love` is learnt in a pass over the pool, before the others' turn."""
    okay_repeats: Annotated[int, Field(ge=0, le=1000)] = 1
    """How often each of the tier `okay` is; those of tier `nope` never are."""
    held_out_share: Annotated[float, Field(ge=0, le=0.5)] = 0.1
    """Share of the sources that are only measured; variants of one source are all learnt, or all held out."""
    samples: Annotated[int, Field(ge=0, le=10_000)] = 16
    """Replies that the gate is asked about, before and after; 0 for none, and then no browser is needed."""
    seed: Seed = 0
    """Seeds the split, the order of the sources and the replies."""


class GrpoSection(Section):
    """Group relative policy optimisation: one prompt and one group of rollouts a step."""

    steps: Count
    """Optimiser steps."""
    generations: Annotated[int, Field(ge=2, le=1024)] = 8
    """Rollouts in a group."""
    batch_size: Annotated[int, Field(ge=1, le=1024)] = 1
    """Rollouts in one forward and backward pass; the gradient is accumulated over the group."""
    max_completion_tokens: Annotated[int, Field(ge=16, le=131_072)] = 8192
    """Where a reply is cut."""
    learning_rate: LearningRate = 5e-5
    """Peak learning rate: 5e-5 moved a 35B model, a 135M one needs about 1e-3."""
    schedule: Literal["linear", "constant_with_warmup", "cosine", "constant"] = "constant_with_warmup"
    """How the learning rate moves over the run."""
    warmup_steps: Annotated[int, Field(ge=0, le=1_000_000)] = 5
    """Steps over which the rate rises from 0; with any, the first step has rate 0."""
    temperature: Annotated[float, Field(gt=0, le=10)] = 1.0
    """Sampling temperature."""
    top_p: Annotated[float, Field(gt=0, le=1)] = 0.95
    """Sample from the likeliest tokens that hold this share of the probability."""
    top_k: Annotated[int, Field(ge=0, le=1_000_000)] = 20
    """Sample from this many likeliest tokens; 0 for all."""
    scale_rewards: Literal["none", "group", "batch"] = "none"
    """What advantages are divided by. With group, one rejected rollout shrinks every other advantage."""
    beta: Annotated[float, Field(ge=0, le=100)] = 0.0
    """Weight of the divergence from the starting model."""
    loss_type: Literal["grpo", "dr_grpo", "dapo", "bnpo", "cispo", "sapo", "luspo", "vespo"] = "dapo"
    """TRL's loss."""
    save_every_steps: Count = 10
    """Steps between checkpoints."""
    kl_every_steps: Annotated[int, Field(ge=0, le=1_000_000)] = 5
    """Every so many steps the policy's divergence from its start is measured, at a forward pass's cost; 0 for never."""
    mask_truncated: bool = False
    """Leave replies that were cut at the limit out of the loss."""
    extra: Annotated[dict[str, JsonValue], AfterValidator(no_secrets)] = Field(default_factory=dict)
    """Further settings of TRL's GRPOConfig, under its own names."""

    @model_validator(mode="after")
    def _whole_batches(self) -> GrpoSection:
        if self.generations % self.batch_size:
            raise ValueError(f"batch_size ({self.batch_size}) must divide generations ({self.generations})")
        return self


class EvalSection(Section):
    """A fixed panel of prompts and seeds, painted now and then, so that steps and runs can be compared.

    It is evaluated before the first step of GRPO and after the last one, and teaches nothing.
    """

    every_steps: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """Steps between two evaluations; 0 for the first and the last alone."""
    subjects: Annotated[tuple[str, ...], BeforeValidator(names)] | None = None
    """What is asked for: one, or several; null takes the run's own subjects."""
    samples: Annotated[int, Field(ge=1, le=1024)] = 4
    """Replies to each subject."""
    seed: Seed = 0
    """Seeds the sampling and the draw of the references: the same in every evaluation, and in every run that has it."""
    references: Annotated[int, Field(ge=1, le=64)] = 4
    """Paintings of the pool that a pairwise judge compares each with: always the same ones, half of them loved."""


class RenderSection(Section):
    """How sketches become paintings."""

    paint: bool = True
    """Whether sketches are painted at all: without, no browser is needed, and no term may look at a picture."""
    workers: Annotated[int, Field(ge=1, le=256)] | None = None
    """Sketches painted at once; null goes by the cores."""
    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 20.0
    """Seconds after which a sketch is cut."""
    cpu_limit_s: Annotated[float, Field(gt=0, le=36_000)] | None = 30.0
    """CPU seconds of its browser after which a sketch is cut; null for any amount."""
    seed: Seed = 1
    """Seeds the brush and p5, the same for every rollout."""
    backend: AskedBackend = "wasm"
    """What paints: `wasm`, the CPU, the same bytes everywhere; `gl`, a GPU; `auto`, whichever is faster here."""
    recheck_every_steps: Annotated[int, Field(ge=0, le=1_000_000)] = 10
    """Every so many steps some paintings are painted again in a fresh browser, and must be the same; 0 for never."""
    recheck_paintings: Annotated[int, Field(ge=1, le=1024)] = 2
    """How many paintings are painted again."""


class RewardSection(Section):
    """The terms of the reward, which is the sum of each one's weight times its value."""

    terms: Annotated[tuple[AnyTermSettings, ...], Field(max_length=64, strict=False)]
    """What counts, and how much; on the command line a term is addressed by its name or its place in the list."""
    max_unscored_share: Share = 0.25
    """The run stops when more than this share of the rollouts of three steps could not be scored."""

    @property
    def weighted(self) -> tuple[AnyTermSettings, ...]:
        """The terms that count."""
        return tuple(term for term in self.terms if term.weight > 0)

    @model_validator(mode="after")
    def _each_counts_once(self) -> RewardSection:
        called = [term.called for term in self.terms]
        if twice := next((name for name in called if called.count(name) > 1), None):
            raise ValueError(f"has two terms called {twice!r}: give each a name of its own, as in name: {twice}-2")
        if not self.weighted:
            raise ValueError("needs at least one term with a weight above 0")
        return self


class RunConfig(Section):
    """Everything that a run is told."""

    name: FileName
    """Names the run's folder; a file that leaves it out gives its own name."""
    seed: Seed = 0
    """Seeds sampling, the adapter and the draws of references."""
    medium: Text = DEFAULT_MEDIUM
    """What is painted and how: a shipped medium's name, or a YAML file."""
    subject: Annotated[tuple[str, ...], BeforeValidator(names)] | None = None
    """What the prompt asks for: one, or several; null takes the medium's first."""
    subject_order: Literal["turns", "random"] = "turns"
    """Which of several subjects a step's group is asked for: each in its turn, or one drawn by seed and step."""
    pool: Text | None = None
    """The reference pool: a folder or a shipped one's name; null takes the medium's."""
    policy: PolicySection
    warm_start: WarmStartSection | None = None
    sft: SftSection = SftSection()
    grpo: GrpoSection
    eval: EvalSection | None = None
    render: RenderSection = RenderSection()
    mirror: bool = True
    """Whether metrics and each step's best, median and worst painting go to trackio too, where that is installed."""
    reward: RewardSection

    @field_validator("reward")
    @classmethod
    def _paints_what_is_looked_at(cls, reward: RewardSection, info: ValidationInfo) -> RewardSection:
        render = info.data.get("render")
        paints = render is None or render.paint
        looking = [] if paints else [term.called for term in reward.weighted if term.looks_at_picture]
        if looking:
            raise ValueError(
                f"render.paint is false, and these terms look at the picture: {', '.join(looking)};"
                " give them weight 0, or let it paint"
            )
        return reward

    def resolved(self) -> dict[str, Any]:
        """Every setting with its value, as plain data; loading it gives this configuration again."""
        return self.model_dump(mode="json", by_alias=True)


def load_config(path: Path, overrides: Sequence[str] = ()) -> RunConfig:
    """The configuration in a YAML file with `key.sub=value` overrides laid over it.

    Raises ConfigError with one line a mistake, each naming its key and where it was written.
    """
    label = path.relative_to(Path.cwd()) if path.is_absolute() and path.is_relative_to(Path.cwd()) else path
    return load_config_text(read_yaml_text(path), overrides, str(label))


def load_config_text(text: str, overrides: Sequence[str] = (), label: str = "config.yaml") -> RunConfig:
    """`load_config` for a text; `label` is the file name that messages use and that names the run by default."""
    document = parse_yaml(text, label)
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", Path(label).stem).lstrip("-._")
    document.data.setdefault("name", stem[:64] or "run")
    document = apply_overrides(document, overrides)
    config = validate(RunConfig, document)
    _check_extra(config.grpo.extra, document)
    return config


def _check_extra(extra: Mapping[str, Any], document: Document) -> None:
    """Raise ConfigError, a line each, for what `grpo.extra` may not hold; without one, TRL is not asked."""
    if not extra:
        return
    from watercolour.policy.trl_settings import refusal, trl_settings

    known = trl_settings()
    lines = [
        f"{dotted(('grpo', 'extra', key))}: {why} ({document.origin(('grpo', 'extra', key))})"
        for key in extra
        if (why := refusal(key, known))
    ]
    if lines:
        raise ConfigError("\n".join(lines))
