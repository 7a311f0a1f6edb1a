"""A server of killed runs: loads the libraries once, then forks a process for every `watercolour` command it is given.

A line on stdin is a JSON object: `argv` (the command's), `moment` and `step` (where it happens; or null), `fault` (what
happens), `log` (a file for what it says). The answer is the exit status as `os.waitstatus_to_exitcode` gives it. The
command is the real one; a moment is a wrapper around a function of the libraries or of ours. The faults: `kill`, signal
9 from within; the name of an errno, such as ENOSPC, with which the disk then refuses every write; `blind`, an
evaluation that fails from then on.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from watercolour import render_cache, runs
from watercolour.cli import app
from watercolour.errors import InfraError
from watercolour.policy import checkpoints, decode, grpo
from watercolour.render import pool
from watercolour.reward import mix


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fill_disk(error: int) -> None:
    """Every file of ours ends with fsync, so this refuses them all; what torch makes of a full disk is its own."""

    def refuse(*args: Any) -> None:
        raise OSError(error, os.strerror(error))

    def refuse_torch(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("[enforce fail at inline_container.cc:668] . unexpected pos 64 vs 0")

    import torch

    os.fsync = refuse
    torch.save = refuse_torch


class Killer:
    """Kills at a moment of a step. What counts the steps is the trainer's own counter."""

    def __init__(self, step: int, fault: str) -> None:
        self.step = step
        self.trainer: Any = None
        self.happen = die if fault == "kill" else lambda: fill_disk(getattr(errno, fault))

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
                self.happen()
            return function(*args, **kwargs)

        setattr(owner, name, wrapper)

    def after(self, owner: Any, name: str, when: Callable[[], bool]) -> None:
        function = getattr(owner, name)

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            if when():
                self.happen()
            return result

        setattr(owner, name, wrapper)


def blind(step: int) -> None:
    score = mix.Mix.score

    async def fails(self: Any, paintings: Any, context: Any) -> Any:
        if context.step >= step:
            raise InfraError("the judge is away")
        return await score(self, paintings, context)

    mix.Mix.score = fails  # type: ignore[method-assign]


def arm(moment: str, step: int, fault: str) -> None:
    import torch

    killer = Killer(step, fault)
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
        case "render":  # a picture is in the run, its line in the index is not
            killer.before(render_cache, "append_line", killer.now)
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
        case "evaluation":  # its rollouts are written, its line is not
            killer.before(runs, "append_line", lambda: evaluating(killer, step))
        case _:
            raise ValueError(moment)


def evaluating(killer: Killer, step: int) -> bool:
    run = Path(sys.argv[sys.argv.index("--resume" if "--resume" in sys.argv else "--name") + 1])
    return killer.saved() and (run / "eval" / f"step-{step:05d}.jsonl").exists()


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
            if job["fault"] == "blind":
                blind(job["step"])
            elif job["moment"]:
                arm(job["moment"], job["step"], job["fault"])
            count_paintings(Path(job["log"]).with_suffix(".painted"))
            sys.argv = ["watercolour", *job["argv"]]
            app.main()
            sys.stdout.flush()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
