"""What is shown while a run works."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import watercolour.progress as progress_module
from watercolour.progress import CountProgress, EvalView, StepView, TrainingProgress, duration, sparkline

VIEW = StepView(
    step=3,
    reward_mean=0.5,
    reward_best=0.75,
    terms={"gate": 1.0, "coverage": None},
    gate_passed=7,
    rollouts=8,
    unscored=1,
    seconds={"generate": 4.0, "render": 1.0, "score": 0.1, "learn": 2.0},
)


@pytest.mark.parametrize(("values", "expected"), [([0, 0.5, 1], "▁▅█"), ([None, -3, 7], "·▁█"), ([], "")])
def test_sparkline(values: list[float | None], expected: str) -> None:
    assert sparkline(values) == expected


@pytest.mark.parametrize(("seconds", "text"), [(4.4, "4 s"), (99, "99 s"), (720, "12 min"), (12240, "3.4 h")])
def test_duration(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_off_a_terminal_each_step_is_a_line_and_silence_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "HEARTBEAT_S", 0.05)
    out = io.StringIO()
    with TrainingProgress(6, console=Console(file=out, width=200)) as progress:
        progress.phase("warm start")
        progress_module.time.sleep(0.2)
        progress.step(VIEW)
    text = out.getvalue()
    assert "step 3/6  reward 0.500 best 0.750  gate 1.000 coverage -  gate 7/8 unscored 1" in text
    assert "generate 4.0 render 1.0 score 0.1 learn 2.0  21 s left" in text
    assert "... warm start: 0 s, step 0/6" in text
    assert "\x1b" not in text


def test_on_a_terminal_the_view_shows_terms_and_stages() -> None:
    out = io.StringIO()
    console = Console(file=out, width=120, force_terminal=True, color_system=None)
    with TrainingProgress(6, console=console) as progress:
        progress.phase("painting")
        progress.step(VIEW)
    text = out.getvalue()
    for expected in ("painting", "21 s left", "0.500", "coverage", "7/8", "1 unscored", "learn 2.0", "3/6"):
        assert expected in text


def test_an_evaluation_is_a_line_or_a_row_and_one_of_before_a_resume_is_not_said_again() -> None:
    held_out = EvalView(0, 0.34, 0.3, 0.75, None, 8, 1)
    for is_terminal in (False, True):
        out = io.StringIO()
        console = Console(file=out, width=160, force_terminal=is_terminal, color_system=None)
        with TrainingProgress(6, console=console) as progress:
            progress.evaluation(EvalView(0, 0.1, 0.1, 0.5, 0.5, 8, 0), said=True)
            progress.evaluation(held_out)
        text = out.getvalue()
        if is_terminal:
            assert "panel  0.340  ▂▃  held out, steps 0, 0" in text
        else:
            assert text == "held out after step 0  reward 0.340 median 0.300  valid 75% bad - of 8 unscored 1\n"


def test_counting_off_a_terminal_breaks_the_silence_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "HEARTBEAT_S", 0.05)
    out = io.StringIO()
    with CountProgress("scoring", 24, Console(file=out, width=200)) as progress:
        progress.advance(8)
        progress_module.time.sleep(0.2)
    text = out.getvalue()
    assert text.startswith("... scoring: 8/24, 0 s\n")
    assert set(text.splitlines()) == {"... scoring: 8/24, 0 s"}


def test_counting_says_nothing_of_a_single_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "HEARTBEAT_S", 0.01)
    for is_terminal in (False, True):
        out = io.StringIO()
        with CountProgress("scoring", 1, Console(file=out, force_terminal=is_terminal)) as progress:
            progress_module.time.sleep(0.05)
            progress.advance()
        assert out.getvalue() == ""


def test_counting_on_a_terminal_is_a_bar() -> None:
    out = io.StringIO()
    with CountProgress("scoring", 24, Console(file=out, width=80, force_terminal=True, color_system=None)) as progress:
        progress.advance(8)
    assert "scoring" in out.getvalue()
    assert "8/24" in out.getvalue()
