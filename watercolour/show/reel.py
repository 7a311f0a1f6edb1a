"""A Reel: what a film shows of a run, step after step. Read from a run that may still be running."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from watercolour.errors import ConfigError
from watercolour.references import INDEX
from watercolour.runs import RolloutRecord, RunDir


@dataclass(frozen=True)
class Shot:
    """One painting: its file, or None; `why` there is none, or how it ended where that was not well."""

    picture: Path | None
    why: str = ""


@dataclass(frozen=True)
class Scene:
    """One step. `reward` is that of the painting shown, or the mean of those scored for several; None for unscored."""

    step: int
    shots: tuple[Shot, ...]
    reward: float | None


@dataclass(frozen=True)
class Reel:
    """A run's steps, by number, and what is shown of each in words."""

    name: str
    shows: str
    scenes: dict[int, Scene]

    @property
    def places(self) -> int:
        """Paintings side by side."""
        return max(len(scene.shots) for scene in self.scenes.values())


def open_run(name: str) -> RunDir:
    """The run to be filmed. Raises ConfigError, with a hint for a pool, which has no steps."""
    if (Path(name) / INDEX).is_file() and not (Path(name) / "run.json").is_file():
        raise ConfigError(
            f"{name}: is a pool, which has no steps to film; `watercolour pool show {name} sheet.png` shows it at a"
            " glance, `watercolour film --strokes SKETCH.js` how one of its sketches is painted"
        )
    return RunDir.open(name)


def read_reel(run: RunDir, *, best: bool = False, group: int | None = None) -> Reel:
    """The median painting by reward of each step, or the best, or the `group` best of it side by side.

    Raises ConfigError for a run without rollouts, InfraError for one that cannot be read.
    """
    scenes: dict[int, Scene] = {}
    most = 0
    for path in sorted(run.rollouts_dir.glob("step-*.jsonl")):
        rollouts = run.rollouts(int(path.stem.rpartition("-")[2]))
        if not rollouts:
            continue
        most = max(most, len(rollouts))
        ranked = rank(rollouts)
        shown = ranked[:group] if group else [pick(ranked, best=best)]
        scored = [rollout.reward for rollout in shown if rollout.reward is not None]
        reward = fmean(scored) if scored else None
        scenes[rollouts[0].step] = Scene(rollouts[0].step, tuple(_shot(run, each) for each in shown), reward)
    if not scenes:
        raise ConfigError(f"{run.path}: has no rollouts yet; film it once its first step is done")
    what = f"mean of the best {min(group, most)}" if group and group < most else "mean" if group else ""
    shows = f"{what or ('best' if best else 'median')} of {most}" if not group or group >= most else what
    return Reel(run.path.resolve().name, shows, scenes)


def find_rollout(run: RunDir, what: str) -> RolloutRecord:
    """The rollout STEP/INDEX of a run. Raises ConfigError when there is none."""
    step, slash, index = what.partition("/")
    if not (slash and step.isdecimal() and index.isdecimal()):
        raise ConfigError(f"--strokes {what}: with a run, name a rollout as STEP/INDEX, such as 12/0")
    for rollout in run.rollouts(int(step)):
        if rollout.index == int(index):
            return rollout
    raise ConfigError(f"--strokes {what}: {run.path} has no such rollout")


def rank(rollouts: Sequence[RolloutRecord]) -> list[RolloutRecord]:
    """The best first; those unscored come last, in their order, those with a picture before the others."""
    return sorted(
        rollouts,
        key=lambda rollout: (rollout.reward is None, -(rollout.reward or 0.0), rollout.painting is None, rollout.index),
    )


def pick(ranked: Sequence[RolloutRecord], *, best: bool) -> RolloutRecord:
    """The best, or the median by reward: of an even number the worse of the two in the middle, as it is one painting.

    Where none is scored, the first with a picture.
    """
    scored = [rollout for rollout in ranked if rollout.reward is not None]
    if not scored or best:
        return ranked[0]
    return scored[len(scored) // 2]


def all_steps(reels: Sequence[Reel]) -> list[int]:
    """Every step that any of them has."""
    return sorted({step for reel in reels for step in reel.scenes})


def scene_at(reel: Reel, step: int) -> Scene | None:
    """The step's scene, or the last before it, as a run that ended earlier keeps its last picture; None before any."""
    earlier = [number for number in reel.scenes if number <= step]
    return reel.scenes[max(earlier)] if earlier else None


def _shot(run: RunDir, rollout: RolloutRecord) -> Shot:
    outcome = "" if rollout.outcome == "ok" else rollout.outcome.replace("_", " ")
    if rollout.painting is None:
        return Shot(None, outcome or "no picture")
    try:
        path = run.image_path(rollout.painting)
    except ValueError:
        return Shot(None, "its picture has no name")
    return Shot(path, outcome) if path.is_file() else Shot(None, "its picture is gone")
