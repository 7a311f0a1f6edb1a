from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.policy.qwen import build_tiny_qwen
from tests.test_config import SHIPPED, SMALLEST
from watercolour.config import PolicySection, RunConfig, load_config, load_config_text
from watercolour.errors import ConfigError
from watercolour.policy import grpo
from watercolour.policy.load import Policy, load_policy
from watercolour.policy.trl_settings import OURS, refusal, trl_settings
from watercolour.shipped import find_config


def given_to_trl(policy: Policy, config: RunConfig, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The settings that TRL is given."""
    given: dict[str, Any] = {}
    monkeypatch.setattr(grpo, "GRPOConfig", lambda **settings: given.update(settings))
    grpo._arguments(policy, config, [term.weight for term in config.reward.weighted], Path("checkpoints"))
    return given


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (
            "{epsilonn: 0.3}",
            "grpo.extra.epsilonn: TRL has no such setting, did you mean 'epsilon'? (command line: grpo",
        ),
        ("{zzzzzz: 1}", "grpo.extra.zzzzzz: TRL has no such setting (command line: grpo"),
        ("{learning_rate: 1e-3}", "grpo.extra.learning_rate: is set by grpo.learning_rate; change that (command"),
        ("{max_step: 3}", "grpo.extra.max_step: TRL has no such setting; max_steps is set by grpo.steps (command"),
        (
            "{gradient_checkpointing: true}",
            "grpo.extra.gradient_checkpointing: is set by policy.gradient_checkpointing",
        ),
        ("{report_to: wandb}", "grpo.extra.report_to: is set by the program and cannot be changed (command line"),
    ],
)
def test_a_setting_that_trl_does_not_have_or_we_set_is_refused_as_the_file_is_read(extra: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config_text(SMALLEST, [f"grpo.extra={extra}"])
    assert str(caught.value).startswith(message)


def test_each_refused_setting_has_its_line() -> None:
    text = SMALLEST.replace("  learning_rate", "  extra:\n    epsilon: 0.3\n    numm: 1\n    top_k: 3\n  learning_rate")
    with pytest.raises(ConfigError) as caught:
        load_config_text(text, label="mine.yaml")
    assert [line.rpartition(" ")[2] for line in str(caught.value).splitlines()] == ["(mine.yaml:7)", "(mine.yaml:8)"]


def test_a_setting_of_trls_own_is_taken() -> None:
    assert load_config_text(SMALLEST, ["grpo.extra.epsilon=0.3"]).grpo.extra == {"epsilon": 0.3}


def test_trl_is_not_loaded_for_a_configuration_without_extra() -> None:
    code = (
        "import sys; from watercolour.config import load_config; from pathlib import Path; "
        f"[load_config(Path(path)) for path in {[str(path) for path in SHIPPED]}]; "
        "print([name for name in ('trl', 'torch', 'transformers') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_table_has_all_that_we_give_to_trl_and_nothing_that_trl_does_not_have(
    tiny: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = given_to_trl(tiny, load_config_text(SMALLEST), monkeypatch)
    assert given.keys() <= OURS.keys()
    known = trl_settings()
    assert OURS.keys() - known == set()
    assert [name for name in known - OURS.keys() if refusal(name, known)] == []


@pytest.mark.parametrize(("name", "steps"), [("judge-led", 110), ("hps-led", 110), ("hps-only", 60)])
def test_the_recipes_numbers_reach_trl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, steps: int) -> None:
    config = load_config(find_config(name))
    section = PolicySection(model=str(build_tiny_qwen(tmp_path)), dtype=config.policy.dtype)
    given = given_to_trl(load_policy(section), config, monkeypatch)
    assert given == given | {
        "max_steps": steps,
        "num_generations": 8,
        "per_device_train_batch_size": 1,
        "gradient_accumulation_steps": 8,
        "steps_per_generation": 8,
        "max_completion_length": 8192,
        "learning_rate": 5e-5,
        "lr_scheduler_type": "constant_with_warmup",
        "warmup_steps": 5,
        "scale_rewards": "none",
        "temperature": 1.0,
        "top_p": 0.95,
        "top_k": 20,
        "beta": 0.0,
        "activation_checkpointing": True,
        "bf16": True,
        "chat_template_kwargs": {"enable_thinking": False},
        "router_aux_loss_coef": 0.0,
        "shuffle_dataset": False,
    }
