"""`watercolour score` and `replay` with a judge at a real server: whom it sees, what it says, what it is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.judge_server import MODEL, JudgeServer, serving
from tests.made_run import make_run

CONFIG = """
policy: {model: nobody/nothing}
grpo: {steps: 1}
reward: {terms: [{term: gate, weight: 0.5}, {term: judge, kind: pairwise, weight: 0.5, model: MODEL, base_url: URL,
  key_env: null, image_px: 64}]}
"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, in_an_empty_folder: None) -> Iterator[JudgeServer]:
    monkeypatch.setenv("WATERCOLOUR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WATERCOLOUR_CHROMIUM", "/no/such/browser")
    with serving(JudgeServer()) as server:
        Path("judged.yaml").write_text(CONFIG.replace("MODEL", MODEL).replace("URL", server.url))
        make_run(Path("runs/first"), steps=1)
        yield server


def test_references_and_seed_of_the_draw_and_the_judges_reasons(run: Run, server: JudgeServer) -> None:
    picture = next(Path("runs/first/images").rglob("*.png"))
    faced = {}
    for seed in ("1", "2", "1"):
        given = ("--config", "judged", "--references", "2", "--seed", seed)
        found = json.loads(run("score", picture, *given, "--json").out)
        names = [each["name"] for each in found["terms"]["judge"]["parts"]["references"]]
        assert len(names) == 2
        assert faced.setdefault(seed, names) == names
    assert faced["1"] != faced["2"]
    calls = server.calls
    table = run("score", picture, "--config", "judged", "--references", "2", "--seed", "1").out
    assert server.calls == calls, "what was answered once is not asked again"
    for name in faced["1"]:
        assert f"    {name} (" in table
    assert table.count("      shown first, ") == table.count("      shown second, ") == 2


def test_a_replay_asks_only_once_and_only_of_what_passed_the_gate(run: Run, server: JudgeServer) -> None:
    first = run("replay", "first", "--config", "judged", "--json")
    assert first.code == 0, first.err
    # Three passed, each against four references in both orders.
    assert server.calls == 24
    Path("runs/first/replays/judged.jsonl").unlink()
    again = run("replay", "first", "--config", "judged", "--json")
    assert server.calls == 24
    assert again.out == first.out
