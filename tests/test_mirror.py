"""The mirror to trackio: what it is handed, and that nothing it does reaches the run."""

from __future__ import annotations

import logging
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.made_run import make_run
from watercolour.mirror import Mirror, flat, strip_of
from watercolour.runs import RunDir

NUMBERS = {"reward": 0.5, "terms": {"gate": 1, "length": None}, "outcomes": {"ok": 3}, "name": "x", "done": True}


class Trackio:
    """Stands in for the package: notes what it is told, or fails where it is told to."""

    def __init__(self, fails: str = "", hangs: threading.Event | None = None) -> None:
        self.fails = fails
        self.hangs = hangs
        self.told: list[Any] = []
        self.Image = lambda value, caption: SimpleNamespace(value=value, caption=caption)

    def init(self, **settings: Any) -> Trackio:
        print("* initialized")
        self._note("init", settings)
        return self

    def log(self, numbers: dict[str, Any], step: int) -> None:
        self._note("log", (step, numbers))

    def finish(self) -> None:
        print("* please wait")
        self._note("finish", None)

    def _note(self, what: str, told: Any) -> None:
        if self.hangs is not None:
            self.hangs.wait(20)
        if what == self.fails:
            raise RuntimeError("no space left on the mirror")
        self.told.append((what, told))


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return make_run(tmp_path / "loop-1", steps=2)


def use(monkeypatch: pytest.MonkeyPatch, trackio: Trackio) -> Trackio:
    monkeypatch.setitem(sys.modules, "trackio", trackio)
    return trackio


def test_metrics_and_the_strip_arrive_and_standard_output_stays_ours(
    run: RunDir, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trackio = use(monkeypatch, Trackio())
    mirror = Mirror(run)
    mirror.step(1, NUMBERS, run.rollouts(1))
    mirror.close()
    [(_, settings), (_, (step, numbers)), (last, _)] = trackio.told
    assert settings["name"] == "loop-1"
    assert settings["config"] == run.resolved_config()
    assert step == 1
    picture = numbers.pop("paintings")
    assert numbers == {"reward": 0.5, "terms/gate": 1.0, "outcomes/ok": 3.0}
    assert picture.value.size == (900, 300)
    best = max(rollout.reward for rollout in run.rollouts(1) if rollout.reward is not None)
    assert picture.caption.startswith(f"best {best:.3f}, median ")
    assert last == "finish"
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("fails", ["init", "log", "finish"])
def test_mirror_that_fails_is_left_behind_with_one_warning(
    fails: str, run: RunDir, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    use(monkeypatch, Trackio(fails))
    with caplog.at_level(logging.WARNING, "watercolour"):
        mirror = Mirror(run)
        for step in (1, 2):
            mirror.step(step, NUMBERS, run.rollouts(step))
        mirror.close()
        mirror.step(3, NUMBERS, [])
    assert [record.message for record in caplog.records] == [
        "trackio is left out from here on: RuntimeError: no space left on the mirror"
    ]


def test_mirror_that_hangs_keeps_nobody_waiting(
    run: RunDir, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    end = threading.Event()
    use(monkeypatch, Trackio(hangs=end))
    mirror = Mirror(run)
    for step in range(200):
        mirror.step(step, NUMBERS, [])
    mirror.close(timeout_s=0.1)
    print("the outcome")
    assert capsys.readouterr().out == "the outcome\n"
    end.set()


def test_without_trackio_nothing_happens(run: RunDir, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("watercolour.mirror._is_installed", lambda: False)
    before = threading.active_count()
    mirror = Mirror(run)
    mirror.step(1, NUMBERS, run.rollouts(1))
    mirror.close()
    assert threading.active_count() == before


def test_strip_of_nothing_painted_is_none(run: RunDir) -> None:
    assert strip_of(run, []) is None
    assert strip_of(run, [rollout for rollout in run.rollouts(1) if rollout.painting is None]) is None
    assert flat({}) == {}


def test_it_can_be_left_out(run: RunDir, monkeypatch: pytest.MonkeyPatch) -> None:
    trackio = use(monkeypatch, Trackio())
    mirror = Mirror(run, wanted=False)
    mirror.step(1, NUMBERS, run.rollouts(1))
    mirror.close()
    assert trackio.told == []
