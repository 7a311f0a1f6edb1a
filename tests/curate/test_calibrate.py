"""`watercolour pool calibrate` against a real server: win rates, rungs, the draw, and what was not answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Run
from tests.judge_server import MODEL, JudgeServer, hash_of, serving, text
from tests.made_candidates import make_candidates, rate
from tests.made_run import make_run
from watercolour.curate.calibration import Rival, Standing, suggest
from watercolour.curate.candidates import read_candidates
from watercolour.painting import read_picture
from watercolour.references import Tier
from watercolour.reward.judge.pictures import Picture, encode
from watercolour.runs import RunDir

CONFIG = """\
policy: {model: smollm2-135m}
grpo: {steps: 1}
reward:
  terms:
    - {term: judge, kind: pairwise, weight: 1, model: MODEL, base_url: URL, key_env: null, image_px: 64}
"""
CANDIDATES = Path("candidates")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, in_an_empty_folder: None) -> Iterator[JudgeServer]:
    """Six rated candidates, a run whose eight paintings are liked from 1 to 8, and judged.yaml."""
    monkeypatch.setenv("WATERCOLOUR_CACHE", str(tmp_path))
    with serving(JudgeServer()) as server:
        Path("judged.yaml").write_text(CONFIG.replace("MODEL", MODEL).replace("URL", server.url))
        rate(CANDIDATES, make_candidates(CANDIDATES))
        run = make_run(Path("runs/mine"))
        painted = sorted({rollout.painting for rollout in run.rollouts() if rollout.painting})
        for number, name in enumerate(painted, 1):
            server.taste[look(run.image_path(name))] = float(number)
        yield server


def look(path: Path) -> str:
    """The hash that the server knows a picture by, as it is sent at 64 pixels."""
    pixels = read_picture(path).pixels
    assert pixels is not None
    return hash_of(encode(pixels, 64, "png"))


def like(server: JudgeServer, likes: dict[str, float]) -> None:
    for candidate in read_candidates(CANDIDATES):
        server.taste[look(CANDIDATES / candidate.image)] = likes.get(candidate.id, 100.0)


def calibrate(run: Run, *more: object) -> tuple[dict[str, dict[str, object]], dict[str, object], str]:
    asked = ("pool", "calibrate", "mine", "--candidates", "candidates", "-c", "judged", "--last-steps", "0", "--json")
    result = run(*asked, *more)
    assert result.code == 0, result.err
    *lines, last = [json.loads(line) for line in result.out.splitlines()]
    return {line["id"]: line for line in lines}, last["suggestion"], result.err


def test_rungs_are_what_a_run_neither_always_beats_nor_never(run: Run, server: JudgeServer) -> None:
    paintings = len(RunDir.open("mine").rollouts())
    count = len({rollout.painting for rollout in RunDir.open("mine").rollouts()})
    assert count <= paintings
    like(server, {"c00": count * 0.6, "c02": 0.5, "c03": count * 0.4})
    lines, suggestion, err = calibrate(run, "--paintings", "100")
    assert (lines["c00"]["kind"], lines["c00"]["tier"]) == ("rung", "love")
    assert (lines["c01"]["kind"], lines["c01"]["win_rate"]) == ("too hard", 0.0)
    assert (lines["c02"]["kind"], lines["c02"]["win_rate"]) == ("too easy", 1.0)
    assert lines["c03"]["kind"] == "rung"
    assert suggestion["rungs"] == {"love": ["c00"], "okay": ["c03"]}
    share = suggestion["love_share"]
    assert isinstance(share, float) and 0 <= share <= 1
    asked = server.calls
    again, _, err = calibrate(run, "--paintings", "100")
    assert again == lines
    assert server.calls == asked
    assert "0 calls" in err
    table = run("pool", "calibrate", "mine", "--candidates", "candidates", "-c", "judged", "--last-steps", "0")
    assert table.code == 0
    assert "love: 1 rungs (a draw wants 4): c00" in table.out and "draw with love_share" in table.out


def test_what_is_not_answered_is_left_out_and_counted(run: Run, server: JudgeServer) -> None:
    like(server, {})
    for name in read_candidates(CANDIDATES)[1:]:
        server.taste[look(CANDIDATES / name.image)] = 0.1
    hard = look(CANDIDATES / "images/c00.png")
    server.reply = lambda asked: "no idea" if hard in asked.pictures else None
    lines, _, err = calibrate(run, "--paintings", "3")
    assert (lines["c00"]["win_rate"], lines["c00"]["unresolved"], lines["c00"]["kind"]) == (None, 3, "unresolved")
    assert (lines["c01"]["win_rate"], lines["c01"]["unresolved"]) == (1.0, 0)
    assert "left out 3 duels without an answer; the first: the reply names no winner" in err
    server.reply = None
    lines, _, _ = calibrate(run, "--paintings", "3")  # what was not answered was not kept, and is asked again
    assert (lines["c00"]["win_rate"], lines["c00"]["unresolved"]) == (0.0, 0)


def test_a_pool_is_calibrated_too_and_a_dry_run_asks_nothing(run: Run, server: JudgeServer) -> None:
    run("pool", "pack", "candidates", "-o", "pool")
    asked = ("pool", "calibrate", "mine", "--candidates", "pool", "-c", "judged", "--paintings", "2", "--dry-run")
    result = run(*asked)
    assert (result.code, result.out, server.calls) == (0, "", 0)
    assert "2 paintings against 6 candidates in both orders: 24 calls at most" in result.err
    assert run("pool", "calibrate", "mine", "--candidates", "nowhere", "-c", "judged").code == 2
    assert run("pool", "calibrate", "yours", "--candidates", "pool", "-c", "judged").code == 2
    assert "0 pairwise judges" in run("pool", "calibrate", "mine", "--candidates", "pool", "-c", "tiny").err
    server.faults = [text("nothing", "text/plain")] * 24
    failed = run(*asked[:-1])
    assert failed.code == 1 and "left out 12 duels" in failed.err


def test_the_share_that_makes_a_draw_even() -> None:
    pixels = np.zeros((2, 2, 3), np.uint8)

    def standing(name: str, tier: Tier, *values: float) -> Standing:
        return Standing(Rival(name, tier, Picture(name, lambda: pixels)), list(values))

    love, okay = standing("l", Tier.LOVE, 0, 0, 1, 0.5), standing("o", Tier.OKAY, 1, 1, 0.5, 0)
    assert (love.win_rate, okay.win_rate) == (0.375, 0.625)
    assert suggest([love, okay]).love_share == 0.5
    assert suggest([standing("l", Tier.LOVE, 0.5, 0), standing("o", Tier.OKAY, 0.5, 0.5)]).love_share == 0
    assert suggest([love]).love_share is None
    assert suggest([love, standing("o", Tier.OKAY, 1, 1)]).rungs == {Tier.LOVE: ("l",), Tier.OKAY: ()}
