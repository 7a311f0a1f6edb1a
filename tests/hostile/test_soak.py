"""The soak at a tenth of its length, and that it sees what it is there to see."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scripts.soak import Soak, judge, sketches, thirds, verdict
from watercolour.painting import RenderOutcome

pytestmark = pytest.mark.alone  # a verdict is also about the processes that are there


@pytest.mark.browser
@pytest.mark.timeout(600)
def test_two_hundred_renders_leave_nothing() -> None:
    command = [sys.executable, "-m", "scripts.soak", "--renders", "200"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed, 200 renders" in done.stdout


def test_wrong_outcome_and_other_bytes_are_noticed() -> None:
    seen = Soak(tree_bytes=[100] * 30, own_bytes=[100] * 30)
    judge(seen, "a", RenderOutcome.OK, RenderOutcome.OK, "1", "")
    assert verdict(seen) == []
    judge(seen, "a", RenderOutcome.OK, RenderOutcome.OK, "2", "")
    judge(seen, "b", RenderOutcome.OK, RenderOutcome.CRASHED, None, "the browser died")
    assert len(verdict(seen)) == 2


def test_growth_is_noticed_and_noise_is_not() -> None:
    noise = [100 + 40 * (i % 5 == 0) for i in range(100)]
    assert verdict(Soak(tree_bytes=noise, own_bytes=noise)) == []
    growing = [100 + i for i in range(100)]
    assert len(verdict(Soak(tree_bytes=growing, own_bytes=noise))) == 1
    first, last = thirds(growing)
    assert last > first


def test_hostile_sketches_are_among_them() -> None:
    outcomes = [outcome for _, outcome in sketches(200)]
    assert outcomes.count(RenderOutcome.OK) == 200 - 1 - 10
    assert RenderOutcome.TIMED_OUT in outcomes
