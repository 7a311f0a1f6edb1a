"""Held-out evaluation: one panel of subjects and seeds, painted and scored at fixed steps, so that curves compare.

Every evaluation of every run with the same panel asks the same prompts under the same seeds and is judged against the
same references. It takes nothing from the training's random numbers and gives nothing to what is learnt.
"""

from __future__ import annotations

import io
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING, Any

from watercolour.drift import ABSENT
from watercolour.errors import ConfigError, FatalInfraError, TermStopped
from watercolour.files import write_whole
from watercolour.policy.panel import Ask, Panel, seed_for
from watercolour.progress import EvalView
from watercolour.show.before_after import Block, before_after_sheet
from watercolour.statistics import BAD_REWARD
from watercolour.subjects import panel_subjects
from watercolour.training import lost_records, mean, passed_gates, record_of

if TYPE_CHECKING:
    from watercolour.config import EvalSection, RunConfig
    from watercolour.drift import Change
    from watercolour.medium import Medium
    from watercolour.policy.scoring import Group
    from watercolour.progress import TrainingProgress
    from watercolour.reward.mix import Mix
    from watercolour.runs import RolloutRecord, RunDir
    from watercolour.studio import Studio

logger = logging.getLogger(__name__)


def refuse_another_panel(changes: Sequence[Change]) -> None:
    """Raise ConfigError where a resumed run would ask another panel than it did: its curve would be two."""
    for change in changes:
        there_before = change.key.startswith("eval.") and ABSENT not in (change.old, change.new)
        if there_before and change.key != "eval.every_steps":
            raise ConfigError(f"{change.key}: cannot change within a run, or its evaluations would not compare")


@dataclass(frozen=True)
class Evaluator:
    """A run's evaluations. `settings` is its `eval:`."""

    settings: EvalSection
    config: RunConfig
    medium: Medium
    mix: Mix
    studio: Studio
    run: RunDir
    progress: TrainingProgress

    @property
    def subjects(self) -> tuple[str, ...]:
        """What the panel asks for."""
        return panel_subjects(self.config, self.medium)

    def panel(self) -> Panel:
        """What the trainer is to ask the policy, and when."""
        for summary in self.run.evals():
            self.progress.evaluation(eval_view(summary), said=True)
        asks = [
            Ask(self.medium.prompt(subject), self.settings.samples, seed_for(self.settings.seed, subject))
            for subject in self.subjects
        ]
        return Panel(asks, self._due, self._evaluate, self._on_ask)

    def write_sheet(self) -> None:
        """Put the first evaluation's paintings beside the last one's, once there are two. Raises InfraError."""
        steps = [summary["step"] for summary in self.run.evals()]
        if len(steps) < 2:
            return
        blocks = [self._block(step) for step in (steps[0], steps[-1])]
        sheet = before_after_sheet(self.run.path.name, blocks[0], blocks[1])
        data = io.BytesIO()
        sheet.save(data, "PNG", optimize=True)
        write_whole(self.run.before_after, data.getvalue())

    def _due(self, step: int) -> bool:
        steps, every = self.config.grpo.steps, self.settings.every_steps
        asked = step in (0, steps) or bool(every and step % every == 0)
        return asked and all(summary["step"] != step for summary in self.run.evals())

    def _on_ask(self, step: int, number: int) -> None:
        place = f"{number + 1}/{len(self.subjects)}"
        self.progress.phase(f"evaluating after step {step}, sampling {place}: {self.subjects[number]}")

    def _evaluate(self, step: int, groups: list[Group]) -> None:
        started = time.perf_counter()
        self.progress.phase(f"evaluating after step {step}, painting and scoring")
        records: list[RolloutRecord] = []
        for subject, group in zip(self.subjects, groups, strict=True):
            records += self._score(step, subject, group, len(records))
        summary = summary_of(records, self.mix) | {"seconds": time.perf_counter() - started}
        self.run.write_eval(step, records, summary)
        self.progress.evaluation(eval_view({**summary, "step": step}))
        self.progress.phase("training")

    def _score(self, step: int, subject: str, group: Group, first: int) -> list[RolloutRecord]:
        """One subject's records, numbered from `first`; unscored, with the reason, where they could not be had."""
        try:
            result = self.studio.evaluate_panel(
                group.completions, seed=self.settings.seed, subject=subject, references=self.settings.references
            )
        except (TermStopped, FatalInfraError):
            raise
        except Exception as error:
            logger.warning("%s after step %d could not be evaluated (%s)", subject, step, error)
            lost = lost_records(step, subject, group, str(error))
            return [_numbered(record, first + record.index) for record in lost]
        return [
            _numbered(record_of(step, index, subject, group, rollout, self.mix.weights), first + index)
            for index, rollout in enumerate(result.rollouts)
        ]

    def _block(self, step: int) -> Block:
        heading = "Before training" if step == 0 else f"After {step} step{'s' if step > 1 else ''}"
        return Block(heading, self.run.eval_rollouts(step), self.mix.gates, self.run.image_path)


def summary_of(records: Sequence[RolloutRecord], mix: Mix) -> dict[str, Any]:
    """An evaluation's numbers. Means are over its scored rollouts, a term's over those that it was asked about.

    `valid_share` is the share that passed the gate, None without one; `bad_share` that of rewards under .3;
    `distinct_share` is distinct sources for each rollout.
    """
    rewards = [record.reward for record in records if record.reward is not None]
    by_subject: dict[str, list[float]] = {record.subject: [] for record in records}
    for record in records:
        by_subject[record.subject] += [] if record.reward is None else [record.reward]
    terms = {
        name: mean([term.value for record in records if (term := record.terms.get(name)) and term.value is not None])
        for name in mix.weights
    }
    valid = [float(passed_gates(record, mix.gates)) for record in records if record.reward is not None]
    return {
        "reward": mean(rewards),
        "reward_median": median(rewards) if rewards else None,
        "valid_share": mean(valid) if mix.gates else None,
        "bad_share": mean([float(reward < BAD_REWARD) for reward in rewards]),
        "terms": terms,
        "subjects": {subject: mean(values) for subject, values in by_subject.items()},
        "coverage": mean([record.coverage for record in records if record.coverage is not None]),
        "distinct_share": len({record.source for record in records}) / len(records),
        "rollouts": len(records),
        "unscored": len(records) - len(rewards),
        "tokens": mean([float(record.tokens) for record in records]),
        "clipped_share": mean([float(record.truncated) for record in records]),
    }


def eval_view(summary: dict[str, Any]) -> EvalView:
    """What is shown of an evaluation, from its line."""
    return EvalView(
        step=summary["step"],
        reward_mean=summary["reward"],
        reward_median=summary["reward_median"],
        valid_share=summary["valid_share"],
        bad_share=summary["bad_share"],
        rollouts=summary["rollouts"],
        unscored=summary["unscored"],
    )


def _numbered(record: RolloutRecord, index: int) -> RolloutRecord:
    return replace(record, index=index)
