"""SFT on a pool: an adapter that has learnt the pool's sources, loved ones first, for `policy.init_adapter` to take.

It is trained on the policy that GRPO would begin with, so on the warm-started one where the configuration has a warm
start. Some sources are held out, whole families of variants at a time: the loss on them, and the share of replies that
the gate lets pass, are measured before and after.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watercolour.config import RewardSection
from watercolour.errors import ConfigError
from watercolour.files import cannot_write, plain, publish_folder
from watercolour.medium import load_medium
from watercolour.policy import adapters
from watercolour.policy.panel import Ask, seed_for
from watercolour.policy.warmstart import Example, OnStep, that_fit, train_adapter
from watercolour.references import Reference, Tier, read_pool, without_rejected
from watercolour.reward.settings import GateSettings
from watercolour.scoring import Candidate, CandidateGroup, Scorer
from watercolour.shipped import find_pool
from watercolour.subjects import run_subjects
from watercolour.taste.groups import group_by_source

if TYPE_CHECKING:
    from peft import PeftModel
    from transformers import PreTrainedTokenizerBase

    from watercolour.config import RunConfig, SftSection
    from watercolour.medium import Medium

RECORD = "sft.json"

Say = Callable[[str], None]


@dataclass(frozen=True)
class Split:
    """A pool's sources by what is done with them; `too_long` are those that would be cut."""

    loved: tuple[Reference, ...]
    okay: tuple[Reference, ...]
    held_out: tuple[Reference, ...]
    too_long: tuple[Reference, ...] = ()

    def counts(self) -> dict[str, int]:
        """How many sources there are of each kind."""
        return {name: len(members) for name, members in vars(self).items()}


@dataclass(frozen=True)
class GateRate:
    """Of `judged` replies, those that passed the gate; a reply that could not be painted here is not judged."""

    passed: int
    judged: int


@dataclass(frozen=True)
class SftReport:
    """What was learnt. Losses are in nats a token, those on held-out sources None where none is held out."""

    out: Path
    base: str
    sources: dict[str, int]
    losses: list[float]
    loss_before: float | None
    loss_after: float | None
    gate_before: GateRate | None
    gate_after: GateRate | None


def split_pool(pool: Sequence[Reference], settings: SftSection) -> Split:
    """A pool's accepted sources, split; families of variants are drawn by `settings.seed` until enough are held out.

    At least one family is held out, unless the share is 0, and at least one is learnt. Raises ConfigError where the
    pool is too small for that, or a source cannot be read.
    """
    members = without_rejected(pool)
    if not settings.okay_repeats:
        members = [reference for reference in members if reference.tier is Tier.LOVE]
    groups = group_by_source(members).tolist()
    order = sorted(set(groups))
    random.Random(f"held out of sft {settings.seed}").shuffle(order)
    wanted, held = settings.held_out_share * len(members), 0
    chosen: set[int] = set()
    for group in order[:-1]:
        if held >= wanted:
            break
        chosen.add(group)
        held += groups.count(group)
    if not members or (wanted and not chosen):
        raise ConfigError(
            f"sft: {len(order)} sources that are no variants of each other are too few; set sft.held_out_share to 0,"
            " or give a larger pool"
        )
    kept = [reference for reference, group in zip(members, groups, strict=True) if group not in chosen]
    return Split(
        loved=tuple(reference for reference in kept if reference.tier is Tier.LOVE),
        okay=tuple(reference for reference in kept if reference.tier is not Tier.LOVE),
        held_out=tuple(reference for reference, group in zip(members, groups, strict=True) if group in chosen),
    )


def without_long(split: Split, max_tokens: int, tokenizer: PreTrainedTokenizerBase) -> Split:
    """The split with all sources set aside whose reply has more than `max_tokens` tokens.

    Raises ConfigError when nothing is left to learn from.
    """

    def fit(members: Sequence[Reference]) -> tuple[Reference, ...]:
        return tuple(reference for reference in members if that_fit([example_of(reference)], max_tokens, tokenizer))

    kept = Split(fit(split.loved), fit(split.okay), fit(split.held_out))
    if not kept.loved and not kept.okay:
        raise ConfigError(f"sft.max_tokens: none of the sources to learn from fits in {max_tokens} tokens")
    there = {each.name for each in (*kept.loved, *kept.okay, *kept.held_out)}
    long = tuple(each for each in (*split.loved, *split.okay, *split.held_out) if each.name not in there)
    return Split(kept.loved, kept.okay, kept.held_out, long)


def example_of(reference: Reference) -> Example:
    """What the policy is asked for, and what it should write."""
    return reference.subject, reference.sketch()


def schedule(split: Split, settings: SftSection) -> list[Example]:
    """The examples of all steps in order: passes over the sources, in each of them the loved ones first.

    A pass holds each source as often as its tier's repeats say, and is shuffled within the tier. So a training that is
    shorter than a pass learns the loved ones.
    """
    chance = random.Random(f"order of sft {settings.seed}")

    def passes() -> Any:
        while True:
            for members, repeats in ((split.loved, settings.love_repeats), (split.okay, settings.okay_repeats)):
                tier = [example_of(reference) for reference in members] * repeats
                chance.shuffle(tier)
                yield from tier

    return list(islice(passes(), settings.steps * settings.batch_size))


def run_sft(config: RunConfig, out: Path, *, say: Say, on_step: OnStep | None = None) -> SftReport:
    """Train an adapter as `config.sft` says and put it into the new folder `out`, whole or not at all.

    Raises ConfigError for a folder that is there, PrerequisiteError for what is missing, InfraError where it cannot be
    written.
    """
    from watercolour.policy.decode import Sampling
    from watercolour.policy.hush import hush_libraries
    from watercolour.policy.load import load_policy, use_threads
    from watercolour.policy.sampling import Sampler
    from watercolour.training import require_mix, warm_started

    refuse_existing(out)
    hush_libraries()
    medium, settings, grpo = load_medium(config.medium), config.sft, config.grpo
    gate = gate_alone(config)
    if settings.samples:
        require_mix(gate, medium)  # or it is found after the training that there is no browser
    split = split_pool(read_pool(find_pool(config.pool or medium.pool)), settings)
    folder = None
    if config.warm_start:
        say("warm start")
        folder = warm_started(config, medium, lambda step, steps, loss: None)
    say("loading the policy")
    use_threads(config.policy.threads)
    policy = load_policy(config.policy, folder)
    split = without_long(split, settings.max_tokens or grpo.max_completion_tokens, policy.tokenizer)
    asks = asks_of(settings, run_subjects(config, medium), medium)
    sampling = Sampling(grpo.max_completion_tokens, grpo.temperature, grpo.top_p, grpo.top_k)
    sampler = Sampler(policy, sampling, enable_thinking=config.policy.enable_thinking, at_once=grpo.generations)

    def gate_rate(adapted: PeftModel | None = None) -> GateRate | None:
        if not asks:
            return None
        say(f"asking the gate about {settings.samples} replies, {'after' if adapted else 'before'}")
        return asyncio.run(_gate_rate(gate, list(asks), sampler.replies(list(asks.values()), adapted)))

    before = gate_rate()
    say("training")
    losses: list[float] = []

    def note(step: int, steps: int, loss: float) -> None:
        losses.append(loss)
        if on_step:
            on_step(step, steps, loss)

    trained = train_adapter(
        policy,
        schedule(split, settings),
        medium.prompt,
        settings,
        config.policy,
        config.policy.lora,
        held_out=[example_of(reference) for reference in split.held_out],
        in_order=True,
        on_step=note,
    )
    report = SftReport(
        out=out,
        base=str(policy.folder),
        sources=split.counts(),
        losses=losses,
        loss_before=trained.loss_before,
        loss_after=trained.loss_after,
        gate_before=before,
        gate_after=gate_rate(trained.model),
    )
    _publish(config, report, trained.model)
    return report


def refuse_existing(out: Path) -> None:
    """Raise ConfigError for an output folder, or file, that is there."""
    if os.path.lexists(out):
        raise ConfigError(f"{out}: is there already; give another --out, or move it away")


def gate_alone(config: RunConfig) -> RunConfig:
    """The configuration with its gate as the whole reward."""
    gates = [term for term in config.reward.terms if isinstance(term, GateSettings)]
    gate = (gates[0] if gates else GateSettings(term="gate", weight=1)).model_copy(update={"weight": 1.0})
    return config.model_copy(update={"reward": RewardSection(terms=(gate,))})


def asks_of(settings: SftSection, subjects: Sequence[str], medium: Medium) -> dict[str, Ask]:
    """What the policy is asked for by subject: `samples` replies in all, as even as may be."""
    each, more = divmod(settings.samples, len(subjects))
    counts = {subject: each + (place < more) for place, subject in enumerate(subjects)}
    return {
        subject: Ask(medium.prompt(subject), count, seed_for(settings.seed, subject))
        for subject, count in counts.items()
        if count
    }


async def _gate_rate(config: RunConfig, subjects: Sequence[str], replies: Sequence[Sequence[str]]) -> GateRate:
    rewards: list[float | None] = []
    async with Scorer(config) as scorer:
        for subject, texts in zip(subjects, replies, strict=True):
            candidates = tuple(Candidate(f"{subject} {place}", reply=text) for place, text in enumerate(texts))
            scored = await scorer.score(CandidateGroup(candidates, subject=subject))
            rewards += [each.reward.total for each in scored]
    judged = [reward for reward in rewards if reward is not None]
    return GateRate(sum(reward > 0 for reward in judged), len(judged))


def _publish(config: RunConfig, report: SftReport, adapted: PeftModel) -> None:
    """Write the adapter and its record aside, check the adapter as `policy.init_adapter` does, and give it its name."""
    from watercolour.policy.load import lora_config

    out = report.out
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
        try:
            adapted.save_pretrained(str(scratch))
            (scratch / "README.md").unlink(missing_ok=True)  # PEFT's empty form of a model card
            adapters.check_adapter(scratch, Path(report.base), lora_config(config.policy.lora))
            record = {**asdict(report), "config": config.resolved()}
            (scratch / RECORD).write_text(json.dumps(plain(record), indent=2) + "\n", "utf-8")
            scratch.chmod(0o755)  # mkdtemp lets nobody else in
            refuse_existing(out)
            publish_folder(scratch, out)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        cannot_write(out, error)
