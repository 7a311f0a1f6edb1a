"""`watercolour pool generate` before anything is asked or painted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

PLAN = """\
models:
  - {model: a/painter, base_url: "http://localhost:1/v1", key_env: null}
critic: {model: a/critic, base_url: "http://localhost:1/v1", key_env: null}
max_calls: 90
"""


def test_a_dry_run_says_what_it_takes(run: Run, in_an_empty_folder: None) -> None:
    Path("plan.yaml").write_text(PLAN)
    result = run("pool", "generate", "-o", "out", "--plan", "plan.yaml", "--samples", "2", "--dry-run")
    assert (result.code, result.out) == (0, "")
    told = "10 paintings by a/painter, criticised by a/critic (rounds: 3): 70 calls at most (max_calls 90)"
    assert told in result.err
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--plan", "plan.yaml", "--rounds", "-1"), 2, "rounds: must be at least 0, got -1 (command line: rounds=-1)"),
        (("--plan", "none.yaml"), 2, "none.yaml: cannot be read"),
        ((), 2, "models: is missing (command line"),
        (("--plan", "plan.yaml", "--price", "1,2"), 2, "--price speak of --model"),
        (("--model", "a/b", "--price", "cheap"), 2, "--price cheap: must be two numbers"),
        (("--plan", "plan.yaml", "--photos", "nowhere"), 2, "`watercolour pool photos TAXON -o nowhere`"),
        (("--model", "a/b", "--max-usd", "1"), 2, "max_usd: needs the price of a/b"),
        (("--model", "a/b", "--rounds", "0"), 3, "$HF_TOKEN is not set"),
    ],
)
def test_mistakes_are_told_before_anything_is_paid(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, told: str
) -> None:
    monkeypatch.delenv("HF_TOKEN", raising=False)
    Path("plan.yaml").write_text(PLAN)
    result = run("pool", "generate", "-o", "out", *arguments)
    assert (result.code, told in result.err) == (code, True), result.err
