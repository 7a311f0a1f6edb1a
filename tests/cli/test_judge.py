"""`watercolour judge check` against a real server."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.judge_server import MODEL, JudgeServer, serving
from watercolour.references import Tier, read_pool
from watercolour.reward.judge.check import plan_check
from watercolour.shipped import find_pool

CONFIG = """\
policy: {model: smollm2-135m}
grpo: {steps: 1}
reward:
  terms:
    - {term: gate, weight: 0.5}
    - {term: judge, kind: pairwise, weight: 0.5, model: MODEL, base_url: URL, key_env: null, image_px: 64,
       max_calls: 54}
"""

LIKED = {Tier.LOVE: 9.0, Tier.OKAY: 5.0, Tier.NOPE: 1.0}


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    """A judge without a taste yet, and judged.yaml, a configuration that asks it."""
    with serving(JudgeServer()) as server:
        Path("judged.yaml").write_text(CONFIG.replace("MODEL", MODEL).replace("URL", server.url))
        yield server


def like_the_pool(server: JudgeServer) -> None:
    """Pictures are sent at 64 pixels, so the server knows them by the hash of that."""
    from tests.judge_server import hash_of
    from watercolour.painting import read_picture
    from watercolour.reward.judge.pictures import encode

    plan = plan_check(read_pool(find_pool("hibiscus")), 6)
    for reference in {reference.name: reference for pair in plan.pairs for reference in pair}.values():
        pixels = read_picture(reference.picture).pixels
        assert pixels is not None
        server.taste[hash_of(encode(pixels, 64, "png"))] = LIKED[reference.tier]


def test_a_dry_run_says_the_calls_and_makes_none(run: Run, server: JudgeServer) -> None:
    result = run("judge", "check", "--config", "judged", "--pairs", "6", "--dry-run")
    assert (result.code, result.out) == (0, "")
    assert f"54 calls to {MODEL} at {server.url} (max_calls is 54)" in result.err
    assert server.calls == 0


def test_a_usable_judge(run: Run, server: JudgeServer) -> None:
    like_the_pool(server)
    result = run("judge", "check", "--config", "judged", "--pairs", "6")
    assert result.code == 0
    assert (
        "usable: love beat okay in 6 of 6, okay beat nope in 6 of 6 decided pairs; 0 of 12 pairs were ties"
        in result.out
    )
    assert "54 calls, no price given" in result.out
    assert server.calls == 54


def test_an_unusable_judge_is_exit_1_and_data(run: Run, server: JudgeServer) -> None:
    result = run("judge", "check", "-c", "judged", "--pairs", "2", "--json")
    assert result.code == 1
    report = json.loads(result.out)
    assert report["usable"] is False
    assert report["split"]["share"] == 1
    assert report["calls"] == server.calls == 18


def test_more_calls_than_max_calls_are_asked_about(
    run: Run, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    result = run("judge", "check", "-c", "judged", "--pairs", "7")
    assert result.code == 2
    assert "63 calls are more than max_calls 54: pass --yes, or fewer --pairs" in result.err
    assert server.calls == 0
    assert run("judge", "check", "-c", "judged", "--pairs", "7", "--yes").code == 1
    assert server.calls == 63


def test_what_stops_a_check_is_one_line(run: Run, server: JudgeServer) -> None:
    server.key = "sk-other"
    result = run("judge", "check", "-c", "judged", "--pairs", "2")
    assert result.code == 3
    assert "refuses a call without a key" in result.err
    result = run("judge", "check", "-c", "tiny")
    assert result.code == 2
    assert "tiny: reward.terms has no pairwise judge" in result.err
