"""The doctor tells what is there, what is missing, and ends with 3 when something needed is."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, in_an_empty_folder, run  # noqa: F401 - fixtures
from watercolour import doctor
from watercolour.config import load_config_text
from watercolour.doctor import State
from watercolour.render import backend

TINY = "policy: {model: smollm2-135m}\ngrpo: {steps: 1}\nreward: {terms: [{term: gate, weight: 1}]}"


@pytest.mark.browser
def test_report_on_this_machine(run: Run) -> None:  # noqa: F811
    result = run("doctor", "--json")
    checks = {check["name"]: check for check in map(json.loads, result.out.splitlines())}
    assert set(checks) >= {
        "python",
        "p5",
        "chromium",
        "webgl2",
        "backend",
        "render",
        "sandbox",
        "network",
        "torch",
        "policy",
        "pool",
    }
    assert {checks[name]["state"] for name in ("p5", "chromium", "webgl2", "render", "network", "pool")} == {"ok"}
    assert "2.3.4" in checks["p5"]["detail"]
    assert checks["backend"]["detail"].startswith("wasm, on the CPU")
    assert "SwiftShader" in checks["webgl2"]["detail"]
    assert "% paint" in checks["render"]["detail"]
    assert checks["judge"]["state"] == "note"
    missing = [check for check in checks.values() if check["state"] == "missing"]
    assert result.code == (3 if missing else 0)
    assert all(check["fix"] for check in missing)


def test_a_configuration_is_judged_by_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_TOKEN", raising=False)
    names = {check.name for check in doctor.missing_for(load_config_text(TINY))}
    assert not names & {"judge", "hpsv3", "pool", "p5", "chromium"}


@pytest.mark.browser
@pytest.mark.parametrize("name", ["judge-led", "hps-led", "hps-only"])
def test_full_configs_pass_up_to_what_needs_keys_or_weights_and_that_is_named(
    run: Run,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    result = run("doctor", "--config", name, "--json")
    assert result.code == 3
    checks = {check["name"]: check for check in map(json.loads, result.out.splitlines())}
    missing = {check for check in checks if checks[check]["state"] == "missing"}
    assert missing == {"policy", "hpsv3"} | ({"judge"} if name != "hps-only" else set())
    assert checks["gate"]["detail"].startswith("weight 0.05, gave 1.000 in ")
    assert checks["length"]["state"] == "ok"
    assert all("weight 0." in checks[term]["detail"] for term in missing - {"policy"})


@pytest.mark.browser
def test_backend_that_cannot_be_had_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "gpus_here", list)
    config = load_config_text(TINY + "\nrender: {backend: gl}")
    (check,) = (check for check in asyncio.run(doctor.examine(config)) if check.name == "backend")
    assert check.state is State.MISSING
    assert "needs a GPU: this machine shows none" in check.detail
    assert check.fix == "set render.backend to wasm"


def test_absent_policy_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    config = load_config_text(TINY.replace("smollm2-135m", "nobody/nothing-7b"))
    (policy,) = (check for check in doctor.missing_for(config) if check.name == "policy")
    assert (policy.detail, policy.fix) == ("nobody/nothing-7b is not on this machine", "hf download nobody/nothing-7b")


def test_policy_larger_than_the_device_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "model.safetensors").open("wb") as file:
        file.truncate(10 * 2**40)
    config = load_config_text(TINY.replace("smollm2-135m", str(tmp_path)))
    (memory,) = (check for check in doctor.missing_for(config) if check.name == "memory")
    assert "is 10240 GiB" in memory.detail
    assert memory.state is State.MISSING


def test_pool_that_is_not_there_is_missing(tmp_path: Path) -> None:
    config = load_config_text(f"pool: {tmp_path}\n" + TINY)
    (pool,) = (check for check in doctor.missing_for(config) if check.name == "pool")
    assert "pool.jsonl" in pool.detail
