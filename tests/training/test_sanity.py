"""The sanity task: a whole run on a tiny policy without a browser, and what of it may not be left unpainted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, in_an_empty_folder, run  # noqa: F401 - fixtures
from watercolour.config import load_config_text
from watercolour.doctor import missing_for
from watercolour.errors import ConfigError
from watercolour.runs import RunDir
from watercolour.scoring import recorded_painting
from watercolour.shipped import find_config


@pytest.fixture
def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a Chromium: whatever is named as one does not exist."""
    monkeypatch.setenv("WATERCOLOUR_CHROMIUM", "/no/such/chromium")


@pytest.mark.usefixtures("no_browser")
def test_a_run_of_the_sanity_task_needs_no_browser_and_says_that_nothing_was_painted(
    run: Run,  # noqa: F811
    painter: Path,
) -> None:
    result = run(
        *("train", "--config", str(find_config("sanity")), "--json", "warm_start=null", "grpo.steps=3"),
        *(f"policy.model={painter}", "policy.dtype=float32", "policy.threads=1", "policy.lora.r=4"),
        *("grpo.generations=4", "grpo.max_completion_tokens=160", "reward.terms.fills.full_at=2"),
    )
    assert result.code == 0, result.err
    assert json.loads(result.out)["steps"] == 3
    directory = RunDir.open("sanity-1")
    facts = directory.facts()
    assert (facts["status"], facts["browser"]) == ("finished", None)
    assert [step["rollouts"] for step in directory.metrics()] == [4, 4, 4]
    rollouts = directory.rollouts()
    assert {rollout.outcome for rollout in rollouts} <= {"not_painted", "no_sketch"}
    assert any(rollout.outcome == "not_painted" for rollout in rollouts)
    for rollout in rollouts:
        assert (rollout.painting, rollout.coverage) == (None, None)
        assert rollout.reward == rollout.terms["fills"].value
    values = {rollout.reward for rollout in rollouts}
    assert values <= {0, 0.5, 1}
    assert len(values) > 1  # half of what it writes lays paint
    assert not list(directory.images.rglob("*.png"))
    # Under a mix that looks at pictures it is painted then, not taken for a sketch without a picture.
    assert all(recorded_painting(rollout, None) is None for rollout in rollouts if rollout.outcome == "not_painted")


@pytest.mark.usefixtures("no_browser")
def test_what_is_not_painted_needs_no_browser_on_the_machine() -> None:
    text = (
        "policy: {model: smollm2-135m}\ngrpo: {steps: 1}\nreward: {terms: [{term: fills, weight: 1}]}\n"
        "render: {paint: PAINT}"
    )
    painted, unpainted = (
        {check.name for check in missing_for(load_config_text(text.replace("PAINT", paint)))}
        for paint in ("true", "false")
    )
    assert "chromium" in painted
    assert not unpainted & {"chromium", "p5"}


def test_a_term_that_looks_at_the_picture_must_be_painted_for() -> None:
    text = "policy: {model: m}\ngrpo: {steps: 1}\nrender: {paint: false}\nreward:\n  terms:\n"
    with pytest.raises(ConfigError, match="these terms look at the picture: gate, subject; give them weight 0"):
        load_config_text(
            text + "".join(f"    - {{term: {term}, weight: 0.5}}\n" for term in ("gate", "subject", "fills"))
        )
    config = load_config_text(text + "    - {term: gate, weight: 0}\n    - {term: length, weight: 1}\n")
    assert not config.render.paint
