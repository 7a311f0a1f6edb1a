"""A server of killed runs: loads the libraries once, then forks a process for every `watercolour` command it is given.

A line on stdin is a JSON object: `argv` (the command's), `moment` and `step` (where the process kills itself, from
within, with signal 9; or null), `log` (a file for what it says). The answer is the exit status as `os.waitstatus_to_
exitcode` gives it. The command is the real one; a moment is a wrapper around a function of the library or of ours.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from watercolour import render_cache, runs, studio
from watercolour.cli import app
from watercolour.policy import checkpoints, decode, grpo
from watercolour.render import pool
from watercolour.reward import mix


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Killer:
    """Kills at a moment of a step. What counts the steps is the trainer's own counter."""

    def __init__(self, step: int) -> None:
        self.step = step
        self.trainer: Any = None

    def now(self) -> bool:
        return self.trainer is not None and self.trainer.state.global_step + 1 == self.step

    def saved(self) -> bool:
        return self.trainer is not None and self.trainer.state.global_step == self.step

    def before(self, owner: Any, name: str, when: Callable[[], bool], calls: int = 1) -> None:
        """Die at the beginning of the `calls`-th call of a function from when on the moment has come."""
        function = getattr(owner, name)
        count = 0

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            nonlocal count
            count += when()
            if count == calls:
                die()
            return function(*args, **kwargs)

        setattr(owner, name, wrapper)

    def after(self, owner: Any, name: str, when: Callable[[], bool]) -> None:
        function = getattr(owner, name)

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            if when():
                die()
            return result

        setattr(owner, name, wrapper)


def arm(moment: str, step: int) -> None:
    import torch

    killer = Killer(step)
    init = grpo._Trainer.__init__

    def remember(self: Any, **kwargs: Any) -> None:
        init(self, **kwargs)
        killer.trainer = self

    grpo._Trainer.__init__ = remember  # type: ignore[method-assign]
    trainer: Any = grpo._Trainer

    def save_torn(data: Any, path: Any, *args: Any, **kwargs: Any) -> None:
        whole(data, path, *args, **kwargs)
        if killer.saved() and str(path).endswith("optimizer.pt"):
            os.truncate(path, Path(path).stat().st_size // 2)
            die()

    match moment:
        case "generation":
            killer.before(decode, "draw", killer.now, calls=5)
        case "render":  # one painting is in the run, the others are not
            killer.before(render_cache, "append_line", killer.now, calls=2)
        case "score":
            killer.before(mix.Mix, "score", killer.now)
        case "rollouts":
            killer.before(runs.RunDir, "write_rollouts", killer.now)
        case "optimiser":
            killer.before(torch.optim.AdamW, "step", killer.now)
        case "metrics":  # the rollouts are written, the weights moved
            killer.before(runs.RunDir, "write_step", killer.saved)
        case "checkpoint":  # half a file
            whole = torch.save
            torch.save = save_torn
        case "state":  # weights and optimiser are written
            killer.before(trainer, "_save_rng_state", killer.saved)
        case "rename":
            killer.before(checkpoints, "publish_folder", killer.saved)
        case "renamed":
            killer.after(trainer, "_save_checkpoint", killer.saved)
        case _:
            raise ValueError(moment)


def count_paintings(path: Path) -> None:
    """Add a byte to a file for every painting that a browser is asked for."""
    paint = pool.RendererPool.paint

    async def counted(*args: Any, **kwargs: Any) -> Any:
        with path.open("a") as file:
            file.write(".")
        return await paint(*args, **kwargs)

    pool.RendererPool.paint = counted  # type: ignore[method-assign]


def main() -> None:
    for line in sys.stdin:
        job = json.loads(line)
        child = os.fork()
        if child == 0:
            log = os.open(job["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            os.dup2(log, 1)
            os.dup2(log, 2)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            if job["moment"]:
                arm(job["moment"], job["step"])
            count_paintings(Path(job["log"]).with_suffix(".painted"))
            sys.argv = ["watercolour", *job["argv"]]
            app.main()
            sys.stdout.flush()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    assert studio.Studio
    main()
