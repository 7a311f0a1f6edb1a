"""A run's metrics and a strip of its best, median and worst painting, mirrored to trackio where that is installed.

The run's own files are the truth. A mirror may be missing, fail or hang: then it is left behind, with one warning. It
works in a thread of its own, and what it prints does not reach our standard output.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import logging
import queue
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

    from watercolour.runs import RolloutRecord, RunDir

logger = logging.getLogger(__name__)

PROJECT = "watercolour"
CLOSING_S = 40.0
"""How long a run waits for its mirror at the end; trackio gives itself 30 s to write what is left."""
WAITING_STEPS = 64
"""Steps that a slow mirror may lie behind; later ones it misses."""
STRIP_PX = 300
NAMES = ("best", "median", "worst")


class Mirror:
    """`step` after each step, `close` at the end; neither ever raises or waits for long."""

    def __init__(self, run: RunDir, *, wanted: bool = True) -> None:
        self._run = run
        self._steps: queue.Queue[tuple[int, dict[str, float], list[RolloutRecord]] | None] = queue.Queue(WAITING_STEPS)
        self._stdout = sys.stdout
        self._thread: threading.Thread | None = None
        if wanted and _is_installed():
            self._thread = threading.Thread(target=self._work, name="mirror", daemon=True)
            self._thread.start()

    def step(self, step: int, numbers: Mapping[str, Any], rollouts: Sequence[RolloutRecord]) -> None:
        """Hand over a step's line of metrics and its rollouts."""
        if self._thread is not None and self._thread.is_alive():
            with contextlib.suppress(queue.Full):
                self._steps.put_nowait((step, flat(numbers), list(rollouts)))

    def close(self, timeout_s: float = CLOSING_S) -> None:
        """Let it finish, and go on without it when it does not."""
        if self._thread is None:
            return
        with contextlib.suppress(queue.Full):
            self._steps.put_nowait(None)
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            logger.warning("trackio did not finish within %.0f s; the run's own files have everything", timeout_s)
            sys.stdout = self._stdout
        self._thread = None

    def _work(self) -> None:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                trackio = importlib.import_module("trackio")
                mirror = trackio.init(
                    project=PROJECT,
                    name=self._run.path.resolve().name,
                    config=self._run.resolved_config(),
                    resume="allow",
                    embed=False,
                    auto_log_gpu=False,
                    auto_log_cpu=False,
                )
            while (item := self._steps.get()) is not None:
                step, numbers, rollouts = item
                strip = strip_of(self._run, rollouts)
                pictures = {} if strip is None else {"paintings": trackio.Image(strip[0], caption=strip[1])}
                mirror.log({**numbers, **pictures}, step=step)
            with contextlib.redirect_stdout(io.StringIO()):
                mirror.finish()
        except Exception as error:  # whatever it is, it is not the run's
            logger.warning("trackio is left out from here on: %s: %s", type(error).__name__, error)


def flat(numbers: Mapping[str, Any], prefix: str = "") -> dict[str, float]:
    """The numbers of a line of metrics, those within others as "terms/gate"."""
    found: dict[str, float] = {}
    for name, value in numbers.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{prefix}{name}/")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found[f"{prefix}{name}"] = float(value)
    return found


def strip_of(run: RunDir, rollouts: Sequence[RolloutRecord]) -> tuple[Image, str] | None:
    """The best, the median and the worst painting of a step side by side, with their rewards; None without any."""
    from PIL import Image

    shown: list[tuple[float, Path]] = []
    for rollout in rollouts:
        if rollout.reward is not None and rollout.painting is not None:
            path = run.image_path(rollout.painting)
            if path.is_file():
                shown.append((rollout.reward, path))
    if not shown:
        return None
    shown.sort(key=lambda each: -each[0])
    chosen = [shown[0], shown[len(shown) // 2], shown[-1]]
    strip = Image.new("RGB", (STRIP_PX * len(chosen), STRIP_PX), "white")
    for place, (_, path) in enumerate(chosen):
        with Image.open(path) as picture:
            small = picture.convert("RGB")
        small.thumbnail((STRIP_PX, STRIP_PX), Image.Resampling.LANCZOS)
        strip.paste(small, (place * STRIP_PX, 0))
    return strip, ", ".join(f"{name} {reward:.3f}" for name, (reward, _) in zip(NAMES, chosen, strict=True))


def _is_installed() -> bool:
    try:
        return "trackio" in sys.modules or importlib.util.find_spec("trackio") is not None
    except (ImportError, ValueError):
        return False
