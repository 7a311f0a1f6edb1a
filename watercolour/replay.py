"""A replay: a run's paintings scored again under another mix, without the policy, and without a browser.

    runs/NAME/replays/  judge-led.jsonl (one line a rollout)  judge-led.config.json (every setting)

A step's rollouts are scored as one group on the draws that the run's own seed gives, so that what a judge has once
answered costs nothing. Each line names the mix it was scored with: what is scored is not scored again, and a mix that
has changed gets a file of its own. A line of the same rollout further down replaces the earlier one.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watercolour.errors import ConfigError, WatercolourError
from watercolour.files import append_lines, cannot_write, cut_torn_tail, read_lines, write_whole
from watercolour.medium import load_medium
from watercolour.reward.build import needs_tokens
from watercolour.runs import RolloutRecord, RunDir, TermRecord, take_lock, term_records
from watercolour.scoring import Candidate, CandidateGroup, Scored, Scorer
from watercolour.shipped import find_pool

if TYPE_CHECKING:
    from watercolour.config import RunConfig

logger = logging.getLogger(__name__)

CHANGES_NO_SCORE = frozenset(
    "key_env concurrency timeout_s max_tries max_calls usd_per_million_input_tokens usd_per_million_output_tokens"
    " batch_size offload".split()
)
"""Settings of a term that decide how it works and not what it says: changing one starts no new file."""


@dataclass(frozen=True)
class ReplayRecord:
    """One rollout under another mix. `rollout` is the SHA-256 of its reply, `mix` that of all that decides a score."""

    mix: str
    step: int
    index: int
    rollout: str
    terms: dict[str, TermRecord]
    reward: float | None
    why: str
    skipped: tuple[str, ...] = ()

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> ReplayRecord:
        """A line of a replay. Raises TypeError, KeyError or AttributeError where something is missing or misshapen."""
        terms = {name: TermRecord(**term) for name, term in record["terms"].items()}
        return cls(**{**record, "terms": terms, "skipped": tuple(record["skipped"])})


@dataclass(frozen=True)
class Replay:
    """A replayed run: each rollout that the run could score, with its record; `scored` and `painted` count this time's.

    `unscored_first` counts the rollouts that the run itself could not score, and which are left out.
    """

    path: Path
    rollouts: tuple[tuple[RolloutRecord, ReplayRecord], ...]
    unscored_first: int
    scored: int
    painted: int


def own_settings(run: RunDir) -> list[str]:
    """The run's seeds and backend as overrides of another configuration, so that draws and paintings are the run's.

    Raises InfraError when the run's settings cannot be read.
    """
    own = run.resolved_config()
    given = {
        "seed": own.get("seed"),
        "render.seed": (own.get("render") or {}).get("seed"),
        "render.backend": (run.facts().get("renderer") or {}).get("backend"),
    }
    return [f"{key}={value}" for key, value in given.items() if value is not None]


def mix_hash(config: RunConfig) -> str:
    """SHA-256 of everything in a configuration that decides a score: terms, medium, pool, seeds, and who counts tokens.

    Raises ConfigError when the medium or the pool is not there.
    """
    medium = load_medium(config.medium)
    pool = find_pool(config.pool or medium.pool) / "pool.jsonl"
    terms = [
        {name: value for name, value in term.model_dump(mode="json").items() if name not in CHANGES_NO_SCORE}
        for term in config.reward.weighted
    ]
    facts = {
        "terms": terms,
        "medium": medium.model_dump(mode="json"),
        "pool": hashlib.sha256(pool.read_bytes()).hexdigest(),
        "seeds": [config.seed, config.render.seed],
        "policy": config.policy.model_dump(mode="json") if needs_tokens(config) else None,
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def replay_path(run: RunDir, name: str, mix: str) -> Path:
    """The mix's own file: NAME.jsonl, or NAME-2.jsonl and so on where those before it are of other mixes."""
    for number in count(1):
        path = run.replays / (f"{name}.jsonl" if number == 1 else f"{name}-{number}.jsonl")
        first = next(iter(read_lines(path)), None)
        if first is None or first.get("mix") == mix:
            return path
    raise AssertionError("counting has no end")


async def replay(
    run: RunDir,
    config: RunConfig,
    *,
    workers: int | None = None,
    on_plan: Callable[[int], None] = lambda count: None,
    on_group: Callable[[int], None] = lambda count: None,
) -> Replay:
    """Score a run's rollouts with the mix of `config`, which has `own_settings`, and write each group down when done.

    `on_plan` is told how many rollouts are to be scored, `on_group` how many were just done. Raises ConfigError and
    PrerequisiteError before anything is written, TermStopped when a term can go no further: what is done is kept.
    """
    rollouts = run.rollouts()
    known = [rollout for rollout in rollouts if rollout.reward is not None]
    if not known:
        raise ConfigError(f"{run.path}: holds no rollout with a reward")
    mix = mix_hash(config)
    async with Scorer(config, workers=workers) as scorer:
        lock = _take_folder(run.replays)
        try:
            path = replay_path(run, config.name, mix)
            cut_torn_tail(path)
            done = read_replay(path, mix)
            groups = _left(known, done)
            on_plan(sum(map(len, groups)))
            if groups:
                resolved = json.dumps(config.resolved(), indent=2, ensure_ascii=False, allow_nan=False)
                write_whole(path.with_suffix(".config.json"), resolved.encode() + b"\n")
            for group in groups:
                for record in await _score(scorer, run, group, mix, path):
                    done[record.step, record.index] = record
                on_group(len(group))
        except WatercolourError:
            logger.warning("what is scored is kept in %s; the same command goes on from there", run.replays)
            raise
        finally:
            os.close(lock)
    return Replay(
        path=path,
        rollouts=tuple((rollout, done[rollout.step, rollout.index]) for rollout in known),
        unscored_first=len(rollouts) - len(known),
        scored=sum(map(len, groups)),
        painted=scorer.painted,
    )


def read_replay(path: Path, mix: str) -> dict[tuple[int, int], ReplayRecord]:
    """A replay's records by step and index, the latest of each. Raises InfraError, naming the line.

    Raises ConfigError for a line that is of another mix, or no replay's.
    """
    found: dict[tuple[int, int], ReplayRecord] = {}
    for number, line in enumerate(read_lines(path), 1):
        try:
            record = ReplayRecord.from_record(line)
        except (TypeError, KeyError, AttributeError) as error:
            raise ConfigError(f"not a replay's line: {error}; move the file away ({path}:{number})") from None
        if record.mix != mix:
            raise ConfigError(f"of another mix than the first line; move the file away ({path}:{number})")
        found[record.step, record.index] = record
    return found


def candidate_of(run: RunDir | None, rollout: RolloutRecord, name: str) -> Candidate:
    """A rollout as something to be scored, with its image where the run names one."""
    try:
        picture = run.image_path(rollout.painting) if run and rollout.painting else None
    except ValueError:  # what is no hash names no image
        picture = None
    return Candidate(name, reply=rollout.completion, picture=picture, record=rollout)


def _left(known: Sequence[RolloutRecord], done: Mapping[tuple[int, int], ReplayRecord]) -> list[list[RolloutRecord]]:
    """The steps of which any rollout is not scored yet, whole, since the rollouts of a step share a draw."""
    steps: dict[int, list[RolloutRecord]] = {}
    for rollout in known:
        steps.setdefault(rollout.step, []).append(rollout)

    def is_done(rollout: RolloutRecord) -> bool:
        record = done.get((rollout.step, rollout.index))
        return record is not None and record.reward is not None and record.rollout == reply_hash(rollout)

    return [group for group in steps.values() if not all(map(is_done, group))]


async def _score(
    scorer: Scorer, run: RunDir, group: Sequence[RolloutRecord], mix: str, path: Path
) -> list[ReplayRecord]:
    candidates = tuple(candidate_of(run, rollout, f"{rollout.step}/{rollout.index}") for rollout in group)
    scored = await scorer.score(CandidateGroup(candidates, step=group[0].step, subject=group[0].subject))
    records = [_record(rollout, each, scorer, mix) for rollout, each in zip(group, scored, strict=True)]
    append_lines(path, [vars(record) for record in records])
    return records


def _record(rollout: RolloutRecord, scored: Scored, scorer: Scorer, mix: str) -> ReplayRecord:
    reward = scored.reward
    return ReplayRecord(
        mix=mix,
        step=rollout.step,
        index=rollout.index,
        rollout=reply_hash(rollout),
        terms=term_records(reward.scores, scorer.mix.weights),
        reward=reward.total,
        why=reward.why,
        skipped=reward.skipped,
    )


def reply_hash(rollout: RolloutRecord) -> str:
    """SHA-256 of a rollout's reply: a step that was written again after a resume holds others."""
    return hashlib.sha256(rollout.completion.encode("utf-8", "surrogatepass")).hexdigest()


def _take_folder(folder: Path) -> int:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        cannot_write(folder, error)
    return take_lock(folder, otherwise="")
