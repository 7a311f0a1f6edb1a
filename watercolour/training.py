"""A training run from end to end: warm start, then group after group, painted, scored, written down, learnt from."""

from __future__ import annotations

import contextlib
import logging
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watercolour.diversity import distinct_share, source_distance
from watercolour.doctor import missing_for
from watercolour.errors import InfraError, PrerequisiteError
from watercolour.medium import Medium, load_medium
from watercolour.mirror import Mirror
from watercolour.painting import RenderOutcome
from watercolour.policy.adapters import check_init_adapter, copy_adapter, find_adapter
from watercolour.policy.tokens import policy_count
from watercolour.progress import StepView, TrainingProgress
from watercolour.references import read_pool, require_backend, without_rejected
from watercolour.reward.build import build_mix, needs_tokens
from watercolour.reward.mix import Mix
from watercolour.reward.preflight import choose_painting
from watercolour.reward.settings import PairwiseSettings
from watercolour.rollout import GroupSeconds
from watercolour.runs import RolloutRecord, RunDir, Status, term_records
from watercolour.shipped import find_pool
from watercolour.sketch import extract
from watercolour.studio import Studio
from watercolour.subjects import run_subjects, subject_of

if TYPE_CHECKING:
    from watercolour.config import RunConfig, WarmStartSection
    from watercolour.drift import Change
    from watercolour.policy.grpo import StepMetrics
    from watercolour.policy.scoring import Group
    from watercolour.policy.warmstart import Example, OnStep
    from watercolour.references import Reference
    from watercolour.render.backend import Backend
    from watercolour.reward.mix import Reward
    from watercolour.rollout import Rollout
    from watercolour.run_facts import RunFacts

logger = logging.getLogger(__name__)


def run_training(
    config: RunConfig,
    given_yaml: str,
    *,
    name: Path | None = None,
    resume: str | None = None,
    changes: Sequence[Change] = (),
) -> RunDir:
    """Train as `config` says, in a new run directory or on with the run `resume`. Shows progress on stderr.

    `changes` are those that `config` makes to the settings of the run that is resumed.

    Raises PrerequisiteError and ConfigError before anything is written, InfraError when the run had to stop, and
    KeyboardInterrupt when a person stopped it; what was done by then is in the run, which can be resumed.
    """
    # Taken first: what a second process would do next costs judge calls and memory.
    resumed = RunDir.resume(resume) if resume else None
    with resumed or contextlib.nullcontext():
        from watercolour.evaluation import refuse_another_panel

        refuse_another_panel(changes)
        medium = load_medium(config.medium)
        mix = require_mix(config, medium)
        return _run(config, medium, mix, given_yaml, name, resumed, changes)


def _run(
    config: RunConfig,
    medium: Medium,
    mix: Mix,
    given_yaml: str,
    name: Path | None,
    resumed: RunDir | None,
    changes: Sequence[Change],
) -> RunDir:
    paints = config
    if resumed and not any(change.key == "render.backend" for change in changes):
        paints = painted_as_before(config, resumed.facts())
    init_adapter = None if resumed else check_init_adapter(config.policy, warm_start=config.warm_start is not None)
    with TrainingProgress(config.grpo.steps) as progress, Studio(paints, medium, mix) as studio:
        check_references(config, medium, studio.pool.backend)
        browser = None
        if config.render.paint:
            progress.phase("starting the browser")
            browser = studio.browser_version()
        progress.phase("trying the reward's terms on a painting of the pool")
        studio.preflight(choose_painting(read_pool(find_pool(config.pool or medium.pool))))
        facts = _facts(config, browser, studio.pool.backend, init_adapter)
        run = resumed or RunDir.create(name, config, given_yaml, facts)
        with run:
            if changes:
                run.change_config(config, changes, facts.renderer)
                last = run.last_checkpoint()
                run.drop_evals_after(int(last.name.rpartition("-")[2]) if last else 0)
                run.log(f"going on with {'; '.join(map(str, changes))}")
            progress.note(f"to look at it meanwhile: watercolour gallery --watch {shlex.quote(str(run.path))}")
            if config.render.paint:
                studio.keep_paintings(run)
            last = run.last_checkpoint()
            progress.done = int(last.name.rpartition("-")[2]) if last else 0
            _Session(config, medium, mix, studio, run, progress).work()
            return run


def require_mix(config: RunConfig, medium: Medium) -> Mix:
    """The run's reward. Raises PrerequisiteError with all that the configuration needs and this machine lacks."""
    lacks = [
        f"{check.name}: {check.detail}" + (f" ({check.fix})" if check.fix else "") for check in missing_for(config)
    ]
    count = None
    if needs_tokens(config) and not lacks:
        count = policy_count(config.policy)
    try:
        mix = build_mix(config, medium, count=count)
    except PrerequisiteError as error:
        lacks.append(str(error))
    if lacks:
        raise PrerequisiteError(f"{config.name} cannot start here: {'; '.join(lacks)}")
    return mix


def painted_as_before(config: RunConfig, facts: Mapping[str, Any]) -> RunConfig:
    """A resumed run's configuration: what painted it before paints it on, whatever would be faster on this machine."""
    backend = (facts.get("renderer") or {}).get("backend", "wasm")
    return config.model_copy(update={"render": config.render.model_copy(update={"backend": backend})})


def check_references(config: RunConfig, medium: Medium, backend: Backend) -> None:
    """Paintings and the references they face must come from one backend, and be enough for `eval:`.

    Raises ConfigError.
    """
    pairwise = [term for term in config.reward.weighted if isinstance(term, PairwiseSettings)]
    if any(term.rivals != "group" or config.eval for term in pairwise):
        folder = find_pool(config.pool or medium.pool)
        pool = read_pool(folder)
        require_backend(pool, backend.name, folder)
        if config.eval:
            from watercolour.reward.judge.draw import draw_panel

            draw_panel(pool, config.eval.references, seed=config.eval.seed)


def _facts(config: RunConfig, browser: str | None, backend: Backend, init_adapter: Path | None) -> RunFacts:
    from watercolour.render.libraries import LIBRARY_VERSIONS
    from watercolour.run_facts import collect_facts

    seeds = {"run": config.seed, "render": config.render.seed}
    return collect_facts(
        sys.argv,
        seeds=seeds,
        browser=browser,
        libraries=LIBRARY_VERSIONS,
        backend=backend,
        init_adapter=init_adapter,
    )


class _Session:
    """One process's work on one run."""

    def __init__(
        self, config: RunConfig, medium: Medium, mix: Mix, studio: Studio, run: RunDir, progress: TrainingProgress
    ) -> None:
        self.config = config
        self.medium = medium
        self.mix = mix
        self.studio = studio
        self.run = run
        self.progress = progress
        self.subjects = run_subjects(config, medium)
        self.rollouts: list[RolloutRecord] = []
        self.group_seconds = GroupSeconds(0.0, 0.0)
        self.cached_renders = 0
        self.mirror = Mirror(run, wanted=config.mirror)

    def work(self) -> None:
        """Warm start, then GRPO from the last checkpoint on; the run's status is kept true whatever happens."""
        try:
            self.run.set_status("running")
            self._train()
        except KeyboardInterrupt:
            self._end("interrupted")
            raise
        except BaseException as error:
            self._end("failed", f": {error}")
            raise
        self._end("finished")

    def _end(self, status: Status, why: str = "") -> None:
        self.mirror.close()
        try:
            self.run.set_status(status)
            self.run.log(f"{status} after step {self.progress.done}{why}")
        except InfraError as error:
            if status == "finished":
                raise
            logger.debug("%s", error)  # what ended the run is what is to be told
        if status != "finished":
            logger.warning("%s; go on with: watercolour train --resume %s", status, self.run.path)

    def _train(self) -> None:
        from watercolour.evaluation import Evaluator
        from watercolour.policy.grpo import train_grpo
        from watercolour.policy.hush import hush_libraries
        from watercolour.policy.load import load_policy

        hush_libraries()
        folder = self._warm_start() if self.config.warm_start else None
        self.progress.phase("loading the policy")
        policy = load_policy(self.config.policy, folder)
        self.run.set_policy_class(policy.base_class)
        evaluator = None
        if settings := self.config.eval:
            evaluator = Evaluator(settings, self.config, self.medium, self.mix, self.studio, self.run, self.progress)
        self.progress.phase("training")
        train_grpo(
            policy,
            [self.medium.prompt(self._subject(step)) for step in range(1, self.config.grpo.steps + 1)],
            self.config,
            self.mix.weights,
            checkpoints=self.run.checkpoints,
            evaluate=self._evaluate,
            on_step=self._on_step,
            on_completion=self._paint_ahead,
            panel=evaluator.panel() if evaluator else None,
            resume_from=self.run.last_checkpoint(),
            init_adapter=self._init_adapter(),
        )
        if evaluator:
            evaluator.write_sheet()

    def _subject(self, step: int) -> str:
        return subject_of(self.config, self.subjects, step)

    def _init_adapter(self) -> Path | None:
        """The run's own copy of `policy.init_adapter`, so that it can be resumed when that is gone."""
        if self.config.policy.init_adapter is None:
            return None
        if not self.run.init_adapter.is_dir():
            copy_adapter(find_adapter(self.config.policy.init_adapter), self.run.init_adapter)
        return self.run.init_adapter

    def _warm_start(self) -> Path:
        self.progress.phase("warm start")

        def on_step(step: int, steps: int, loss: float) -> None:
            self.run.log(f"warm start {step}/{steps} loss {loss:.4f}")
            self.progress.phase(f"warm start {step}/{steps}, loss {loss:.3f}")

        folder = warm_started(self.config, self.medium, on_step)
        self.run.log(f"warm start at {folder}")
        return folder

    def _paint_ahead(self, completion: str, step: int) -> None:
        self.studio.paint_ahead(completion, step=step, subject=self._subject(step))

    async def _evaluate(self, group: Group, *, step: int) -> list[dict[str, float] | None]:
        """Paint and score a group and write it down; what the trainer gets back is the rewards alone."""
        subject = self._subject(step)
        self.group_seconds, self.cached_renders = GroupSeconds(0.0, 0.0), 0
        try:
            result = await self.studio.evaluate(group.completions, step=step, subject=subject)
            rollouts = result.rollouts
            self.group_seconds, self.cached_renders = result.seconds, result.cached_renders
            self.rollouts = [
                record_of(step, index, subject, group, rollout, self.mix.weights)
                for index, rollout in enumerate(rollouts)
            ]
            self.run.write_rollouts(step, self.rollouts)
        except Exception as error:
            # The trainer leaves such a group out; so must what is written of it.
            self.rollouts = lost_records(step, subject, group, str(error))
            with contextlib.suppress(InfraError):
                self.run.write_rollouts(step, self.rollouts)
            raise
        return [values_of(rollout.reward, self.mix) for rollout in rollouts]

    def _on_step(self, step: int, metrics: StepMetrics) -> None:
        seconds = stages_of(metrics, self.group_seconds)
        view = view_of(step, self.rollouts, self.mix, seconds)
        numbers = metrics_of(metrics, view, self.rollouts)
        painted_ahead_s = self.group_seconds.painted_ahead
        facts = {"painted_while_generating_s": painted_ahead_s, "cached_renders": self.cached_renders}
        self.run.write_step(step, {**numbers, **facts})
        self.mirror.step(step, numbers, self.rollouts)
        self.progress.step(view)


def warm_started(config: RunConfig, medium: Medium, on_step: OnStep) -> Path:
    """The folder of the policy that `config.warm_start` asks for, trained now unless the cache has it.

    Raises what `warm_start` raises.
    """
    from watercolour.policy.warmstart import warm_start

    settings = config.warm_start
    assert settings is not None
    pool = read_pool(find_pool(config.pool or medium.pool)) if settings.pool_repeats else []
    subjects = run_subjects(config, medium)
    examples = warm_start_examples(settings, pool, subjects, templates=medium.templates)
    return warm_start(config.policy, settings, examples, medium.prompt, on_step)


def warm_start_examples(
    settings: WarmStartSection, pool: Sequence[Reference], subjects: Sequence[str], *, templates: bool = True
) -> list[Example]:
    """The pool's accepted sketches `pool_repeats` times over, then `templates`, whose subjects take turns.

    Raises ConfigError when a source cannot be read.
    """
    from watercolour.policy.templates import template_sketches

    examples = [(reference.subject, reference.sketch()) for reference in without_rejected(pool)]
    written = template_sketches(settings.sketches if templates else 0, settings.seed, subjects)
    asked = [(subjects[i % len(subjects)], sketch) for i, sketch in enumerate(written)]
    return examples * settings.pool_repeats + asked


def values_of(reward: Reward, mix: Mix) -> dict[str, float] | None:
    """A reward as the trainer sees it: each term's value, whose weighted sum is the total; None when unscored.

    So where a gate failed every value is 0, whatever a term said of the painting.
    """
    if reward.total is None:
        return None
    failed = any(name in mix.gates and score.value == 0 for name, score in reward.scores.items())
    given = {} if failed else {name: score.value or 0.0 for name, score in reward.scores.items()}
    return {name: given.get(name, 0.0) for name in mix.weights}


def stages_of(metrics: StepMetrics, group: GroupSeconds) -> dict[str, float]:
    """Seconds by stage; they add up to the step. `record` is writing the rollouts down.

    What overlaps counts once: `render` is what was waited for after the last completion (what was painted before is in
    painted_while_generating_s, a part of `generate`), `score` what was waited for after the last painting. `recheck` is
    there in the steps that paint some paintings again.
    """
    evaluate = metrics["evaluate_s"] or 0.0
    return {
        "generate": metrics["generate_s"] or 0.0,
        "render": group.render,
        "score": group.score,
        **({"recheck": group.recheck} if group.recheck else {}),
        "record": max(0.0, evaluate - group.render - group.score - group.recheck),
        "learn": metrics["learn_s"] or 0.0,
    }


def record_of(
    step: int, index: int, subject: str, group: Group, rollout: Rollout, weights: dict[str, float]
) -> RolloutRecord:
    """A rollout as it is written into the run."""
    painting = rollout.painting
    return RolloutRecord(
        step=step,
        index=index,
        subject=subject,
        completion=rollout.completion,
        source=rollout.sketch.source,
        outcome=painting.outcome.value,
        errors=painting.errors,
        coverage=None if painting.pixels is None else painting.coverage,
        painting=painting.sha256,
        seconds=painting.seconds,
        terms=term_records(rollout.reward.scores, weights),
        reward=rollout.reward.total,
        tokens=group.tokens[index],
        truncated=group.truncated[index],
        skipped=rollout.reward.skipped,
        measures=painting.measures(),
    )


def lost_records(step: int, subject: str, group: Group, why: str) -> list[RolloutRecord]:
    """A group that could not be evaluated, through no fault of its sketches: unscored, its replies kept."""
    return [
        RolloutRecord(
            step=step,
            index=index,
            subject=subject,
            completion=completion,
            source=extract(completion).source,
            outcome=RenderOutcome.INFRA.value,
            errors=(why,),
            coverage=None,
            painting=None,
            seconds=0.0,
            terms={},
            reward=None,
            tokens=group.tokens[index],
            truncated=group.truncated[index],
        )
        for index, completion in enumerate(group.completions)
    ]


def view_of(step: int, rollouts: list[RolloutRecord], mix: Mix, seconds: dict[str, float]) -> StepView:
    """A step's means over its scored rollouts; a term's is over those that were asked of it."""
    rewards = [rollout.reward for rollout in rollouts if rollout.reward is not None]
    terms = {
        name: mean([term.value for rollout in rollouts if (term := rollout.terms.get(name)) and term.value is not None])
        for name in mix.weights
    }
    return StepView(
        step=step,
        reward_mean=mean(rewards),
        reward_best=max(rewards, default=None),
        terms=terms,
        gate_passed=sum(passed_gates(rollout, mix.gates) for rollout in rollouts),
        rollouts=len(rollouts),
        unscored=len(rollouts) - len(rewards),
        seconds=seconds,
    )


def passed_gates(rollout: RolloutRecord, gates: frozenset[str]) -> bool:
    """Whether there is a gate, and the rollout passed it."""
    return bool(gates) and all(gate in rollout.terms and rollout.terms[gate].value == 1 for gate in gates)


def metrics_of(metrics: StepMetrics, view: StepView, rollouts: list[RolloutRecord]) -> dict[str, object]:
    """The line of metrics.jsonl: our numbers first, then the trainer's own."""
    outcomes = sorted({rollout.outcome for rollout in rollouts})
    return {
        "reward": view.reward_mean,
        "reward_best": view.reward_best,
        "terms": dict(view.terms),
        "gate_passed": view.gate_passed,
        "rollouts": view.rollouts,
        "unscored": view.unscored,
        "outcomes": {outcome: sum(rollout.outcome == outcome for rollout in rollouts) for outcome in outcomes},
        "coverage": mean([rollout.coverage for rollout in rollouts if rollout.coverage is not None]),
        "distinct_sources": len({rollout.source for rollout in rollouts}),
        "diversity": diversity_of(rollouts),
        "seconds": dict(view.seconds),
        "trainer": dict(metrics),
    }


def diversity_of(rollouts: list[RolloutRecord]) -> dict[str, float | None]:
    """How different a group's sources are, and its pictures, where a term looked at their features (`taste`)."""
    sources = [rollout.source for rollout in rollouts]
    apart = [parts["apart"] for rollout in rollouts if (parts := _parts(rollout)).get("apart") is not None]
    return {
        "distinct_share": distinct_share(sources),
        "source_distance": source_distance(sources),
        "picture_distance": mean(apart),
    }


def _parts(rollout: RolloutRecord) -> dict[str, Any]:
    """The parts of the first term that compared pictures; two encoders' distances mean different things."""
    return next((dict(term.parts) for term in rollout.terms.values() if "apart" in term.parts), {})


def mean(values: list[float]) -> float | None:
    """The mean, or None of nothing."""
    return sum(values) / len(values) if values else None
