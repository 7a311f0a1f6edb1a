"""Every shipped configuration either can start here, or says in one line all that it lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_config import SHIPPED
from watercolour.config import load_config
from watercolour.errors import PrerequisiteError
from watercolour.medium import load_medium
from watercolour.training import require_mix


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_config_builds_its_whole_mix_or_names_what_it_lacks(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_TOKEN", raising=False)
    config = load_config(path)
    try:
        mix = require_mix(config, load_medium(config.medium))
    except PrerequisiteError as error:
        message = str(error)
        assert message.startswith(f"{path.stem} cannot start here: ")
        assert "\n" not in message
        if config.policy.model.startswith("Qwen/"):
            assert f"policy: {config.policy.model} is not on this machine (hf download" in message
        if any(term.term == "judge" for term in config.reward.weighted):
            assert "HF_TOKEN" in message
    else:
        assert mix.weights == {term.called: term.weight for term in config.reward.weighted}
