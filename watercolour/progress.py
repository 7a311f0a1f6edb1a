"""What a person sees while a run works: a live view on a terminal, a heartbeat line every 30 s elsewhere.

Everything here goes to stderr; stdout stays free for data.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

HEARTBEAT_S = 30.0
SPARKS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class StepView:
    """What is shown of one step. Rewards and terms are means over the group's scored rollouts; None when none was."""

    step: int
    reward_mean: float | None
    reward_best: float | None
    terms: Mapping[str, float | None]
    gate_passed: int
    rollouts: int
    unscored: int
    seconds: Mapping[str, float]


@dataclass(frozen=True)
class EvalView:
    """What is shown of an evaluation. Rewards and shares are over its scored rollouts; None when none was, and the
    valid share where there is no gate."""

    step: int
    reward_mean: float | None
    reward_median: float | None
    valid_share: float | None
    bad_share: float | None
    rollouts: int
    unscored: int


def sparkline(values: list[float | None]) -> str:
    """One character a value, from 0 (lowest) to 1 (highest); a dot where there is none."""
    top = len(SPARKS) - 1
    return "".join("·" if value is None else SPARKS[max(0, min(top, round(value * top)))] for value in values)


def duration(seconds: float) -> str:
    """Such as "48 s", "12 min" or "3.4 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


@dataclass
class TrainingProgress:
    """`with TrainingProgress(steps) as progress:` then `phase(...)` and `step(...)`."""

    steps: int
    done: int = 0
    console: Console = field(default_factory=lambda: Console(stderr=True))

    def __post_init__(self) -> None:
        self._history: list[StepView] = []
        self._evaluations: list[EvalView] = []
        self._phase = "starting"
        self._began = time.monotonic()
        self._phase_began = self._began
        self._live: Live | None = None
        self._stopped = threading.Event()
        self._heart = threading.Thread(target=self._beat, name="heartbeat", daemon=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self.console,
        )
        self._task: TaskID = self._bar.add_task("steps", total=self.steps, completed=self.done)

    def __enter__(self) -> Self:
        if self.console.is_terminal:
            self._live = Live(self._view(), console=self.console, refresh_per_second=2, transient=False)
            self._live.start()
        else:
            self._heart.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        if self._live is not None:
            self._live.update(self._view())
            self._live.stop()
        else:
            self._heart.join(timeout=1)

    def phase(self, name: str) -> None:
        """Say what is being done now, such as "warm start"."""
        self._phase = name
        self._phase_began = time.monotonic()
        if self._live is None:
            self._say(name)
        else:
            self._live.update(self._view())

    def note(self, line: str) -> None:
        """Say something once, above what is being shown."""
        self._say(line)

    def step(self, view: StepView) -> None:
        """Show a finished step."""
        self._history.append(view)
        self.done = view.step
        self._bar.update(self._task, completed=view.step)
        if self._live is None:
            self._say(describe(view, self.steps) + f"  {self._time_left()}")
        else:
            self._live.update(self._view())

    def evaluation(self, view: EvalView, *, said: bool = False) -> None:
        """Show an evaluation; `said` is one that a run had before it was resumed."""
        self._evaluations.append(view)
        if self._live is None:
            if not said:
                self._say(describe_evaluation(view))
        else:
            self._live.update(self._view())

    def _time_left(self) -> str:
        recent = [sum(view.seconds.values()) for view in self._history[-5:]]
        left = self.steps - self.done
        return f"{duration(left * sum(recent) / len(recent))} left" if recent and left > 0 else ""

    def _view(self) -> Group:
        head = Text(f"{self._phase}  {self._time_left()}", style="bold")
        table = Table.grid(padding=(0, 2))
        if self._evaluations:
            held_out = [view.reward_mean for view in self._evaluations]
            at = f"held out, steps {', '.join(str(view.step) for view in self._evaluations[-8:])}"
            table.add_row("panel", number(held_out[-1]), f"{sparkline(held_out[-60:])}  {at}")
        if not self._history:
            return Group(head, self._bar, table)
        last = self._history[-1]
        rewards = [view.reward_mean for view in self._history]
        table.add_row("reward", number(last.reward_mean), sparkline(rewards[-60:]))
        table.add_row("best", number(last.reward_best), sparkline([view.reward_best for view in self._history[-60:]]))
        for name in last.terms:
            values = [view.terms.get(name) for view in self._history[-60:]]
            table.add_row(name, number(last.terms[name]), sparkline(values))
        unscored = f", {last.unscored} unscored" if last.unscored else ""
        table.add_row("passed", f"{last.gate_passed}/{last.rollouts}", f"through the gate{unscored}")
        stages = "  ".join(f"{stage} {seconds:.1f}" for stage, seconds in last.seconds.items())
        table.add_row("seconds", f"{sum(last.seconds.values()):.1f}", stages)
        return Group(head, self._bar, table)

    def _say(self, line: str) -> None:
        self.console.print(line, highlight=False, markup=False, soft_wrap=True)

    def _beat(self) -> None:
        while not self._stopped.wait(HEARTBEAT_S):
            now = time.monotonic()
            self._say(
                f"... {self._phase}: {duration(now - self._phase_began)}, step {self.done}/{self.steps}, "
                f"{duration(now - self._began)} in all"
            )


class CountProgress:
    """`with CountProgress("scoring", 24) as progress: progress.advance(8)`. Says nothing of a single one."""

    def __init__(self, doing: str, total: int, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True)
        self._doing = doing
        self._total = total
        self._done = 0
        self._began = time.monotonic()
        self._stopped = threading.Event()
        self._heart = threading.Thread(target=self._beat, name="heartbeat", daemon=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self.console,
            transient=True,
        )
        self._task = self._bar.add_task(doing, total=total)

    def __enter__(self) -> Self:
        if self._total > 1:
            if self.console.is_terminal:
                self._bar.start()
            else:
                self._heart.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        if self._heart.is_alive():
            self._heart.join(timeout=1)
        elif self._total > 1:
            self._bar.stop()

    def advance(self, count: int = 1) -> None:
        """Note that so many more are done."""
        self._done += count
        self._bar.advance(self._task, count)

    def _beat(self) -> None:
        while not self._stopped.wait(HEARTBEAT_S):
            spent = duration(time.monotonic() - self._began)
            line = f"... {self._doing}: {self._done}/{self._total}, {spent}"
            self.console.print(line, highlight=False, markup=False, soft_wrap=True)


def number(value: float | None) -> str:
    """Three decimals, or a dash for None."""
    return "-" if value is None else f"{value:.3f}"


def describe(view: StepView, steps: int) -> str:
    """One line for one step."""
    terms = " ".join(f"{name} {number(value)}" for name, value in view.terms.items())
    stages = " ".join(f"{stage} {seconds:.1f}" for stage, seconds in view.seconds.items())
    unscored = f" unscored {view.unscored}" if view.unscored else ""
    return (
        f"step {view.step}/{steps}  reward {number(view.reward_mean)} best {number(view.reward_best)}  {terms}  "
        f"gate {view.gate_passed}/{view.rollouts}{unscored}  s: {stages}"
    )


def describe_evaluation(view: EvalView) -> str:
    """One line for one evaluation."""
    unscored = f" unscored {view.unscored}" if view.unscored else ""
    return (
        f"held out after step {view.step}  reward {number(view.reward_mean)} median {number(view.reward_median)}  "
        f"valid {percent(view.valid_share)} bad {percent(view.bad_share)} of {view.rollouts}{unscored}"
    )


def percent(share: float | None) -> str:
    """A share as a whole percentage, or a dash for None."""
    return "-" if share is None else f"{share:.0%}"
