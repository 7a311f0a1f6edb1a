"""Replays: nothing is painted or scored twice, nothing scored is lost, and mixes do not run into each other."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.made_run import CONFIG, make_run
from watercolour import scoring
from watercolour.config import RunConfig, load_config_text
from watercolour.errors import ConfigError, PrerequisiteError, TermStopped
from watercolour.files import read_lines
from watercolour.painting import BLANK_COVERAGE, Painting
from watercolour.replay import Replay, mix_hash, own_settings, replay, replay_path
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.mix import Mix
from watercolour.runs import RunDir, take_lock

OTHER = CONFIG.replace("full_at: 0.5", "full_at: 0.2")


@pytest.fixture(autouse=True)
def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever would be painted again fails its test."""
    monkeypatch.setenv("WATERCOLOUR_CHROMIUM", "/no/such/browser")


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return make_run(tmp_path / "run")


def other(run: RunDir, text: str = OTHER) -> RunConfig:
    return load_config_text(text, own_settings(run), "other.yaml")


def replayed(run: RunDir, config: RunConfig | None = None) -> Replay:
    return asyncio.run(replay(run, config or other(run)))


def rewards(found: Replay) -> list[float | None]:
    return [second.reward for _, second in found.rollouts]


class Calls:
    """A term whose calls are counted, and which stops or fails where it is told to."""

    name = "judge"
    needs_source = False

    def __init__(self) -> None:
        self.contexts: list[ScoreContext] = []
        self.stops_at: int | None = None
        self.fails = False

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        if len(self.contexts) == self.stops_at:
            raise PrerequisiteError("the key is refused")
        self.contexts.append(context)
        value = None if self.fails else 0.5
        return [Score(value, "says so", {"asked": len(self.contexts)}) for _ in paintings]

    async def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    term = Calls()
    monkeypatch.setattr(scoring, "build_mix", lambda *given, **named: Mix([(term, 1.0)]))
    return term


def test_the_runs_own_mix_gives_the_runs_own_rewards_without_a_browser(run: RunDir) -> None:
    found = replayed(run, load_config_text(CONFIG, own_settings(run), "same.yaml"))
    assert len(found.rollouts) == 15
    assert (found.unscored_first, found.scored, found.painted) == (1, 15, 0)
    for first, second in found.rollouts:
        assert second.reward == first.reward
        assert {name: term.value for name, term in second.terms.items()} == {
            name: term.value for name, term in first.terms.items()
        }


def test_another_mix_is_written_down_and_not_scored_again(run: RunDir) -> None:
    found = replayed(run)
    assert found.path == run.replays / "other.jsonl"
    lines = read_lines(found.path)
    assert [(line["step"], line["index"]) for line in lines] == [
        (first.step, first.index) for first, _ in found.rollouts
    ]
    assert lines[0]["terms"]["coverage"]["value"] == pytest.approx((0.15 - BLANK_COVERAGE) / (0.2 - BLANK_COVERAGE))
    assert (run.replays / "other.config.json").is_file()
    again = replayed(run)
    assert (again.scored, rewards(again)) == (0, rewards(found))
    assert read_lines(found.path) == lines


def test_a_step_is_one_group_on_the_draw_of_the_run(run: RunDir, calls: Calls) -> None:
    replayed(run)
    assert calls.contexts == [ScoreContext(run_seed=3, step=step, subject="a peach hibiscus") for step in (1, 2, 3, 4)]


def test_a_changed_mix_has_a_file_of_its_own_and_both_are_kept(run: RunDir) -> None:
    first = replayed(run)
    changed = other(run, OTHER.replace("full_at: 0.2", "full_at: 0.9"))
    second = replayed(run, changed)
    assert second.path.name == "other-2.jsonl"
    assert rewards(first) != rewards(second)
    assert (replayed(run).scored, replayed(run, changed).scored) == (0, 0)
    assert sorted(path.name for path in run.replays.glob("*.jsonl")) == ["other-2.jsonl", "other.jsonl"]


def test_only_what_decides_a_score_makes_another_mix(run: RunDir, tmp_path: Path) -> None:
    judged = OTHER.replace("{term: gate,", "{term: judge, kind: pairwise, weight: 1},\n  {term: gate,")
    mix = mix_hash(other(run, judged))
    same = ("weight: 1, concurrency: 2, max_calls: 9, timeout_s: 1, key_env: OTHER_KEY",)
    different = ("weight: 0.9", "weight: 1, references: 2", "weight: 1, model: another", "weight: 1, image_px: 64")
    assert {mix_hash(other(run, judged.replace("weight: 1}", f"{text}}}"))) for text in same} == {mix}
    hashes = {mix_hash(other(run, judged.replace("weight: 1}", f"{text}}}"))) for text in different}
    assert len(hashes | {mix}) == len(different) + 1
    assert mix_hash(load_config_text(judged, [*own_settings(run), "seed=4"])) != mix


def test_a_crash_loses_at_most_the_group_it_was_in(run: RunDir, calls: Calls) -> None:
    found = replayed(run)
    whole = found.path.read_bytes()
    ends = [place + 1 for place, byte in enumerate(whole) if byte == ord("\n")]
    # Inside the third step: its first rollout is whole, its second is torn.
    os.truncate(found.path, ends[8] - 5)
    calls.contexts.clear()
    again = replayed(run)
    assert [context.step for context in calls.contexts] == [3, 4]
    assert rewards(again) == rewards(found)
    assert again.scored == 8
    assert replayed(run).scored == 0


def test_a_term_that_stops_the_replay_leaves_what_was_done(
    run: RunDir, calls: Calls, caplog: pytest.LogCaptureFixture
) -> None:
    calls.stops_at = 2
    with pytest.raises(TermStopped, match="the key is refused"):
        replayed(run)
    assert len(read_lines(run.replays / "other.jsonl")) == 4 + 3
    assert "the same command goes on from there" in caplog.text
    calls.stops_at = None
    found = replayed(run)
    assert (found.scored, len(found.rollouts)) == (8, 15)
    assert [context.step for context in calls.contexts] == [1, 2, 3, 4]


def test_the_unscored_are_tried_again_and_the_latest_line_counts(run: RunDir, calls: Calls) -> None:
    calls.fails = True
    assert set(rewards(replayed(run))) == {None}
    calls.fails = False
    found = replayed(run)
    assert (found.scored, set(rewards(found))) == (15, {0.5})
    assert replayed(run).scored == 0


def test_a_step_that_was_written_again_is_scored_again(run: RunDir, calls: Calls) -> None:
    replayed(run)
    records = run.rollouts(3)
    run.write_rollouts(3, [replace(records[0], completion="```js\nsetup()\n```"), *records[1:]])
    calls.contexts.clear()
    replayed(run)
    assert [context.step for context in calls.contexts] == [3]


def test_one_process_replays_a_run_at_a_time(run: RunDir) -> None:
    run.replays.mkdir()
    lock = take_lock(run.replays)
    try:
        with pytest.raises(ConfigError, match=r"another process is writing this run: wait until it ends$"):
            replayed(run)
    finally:
        os.close(lock)
    assert replayed(run).scored == 15


@pytest.mark.parametrize("line", ['{"mix": "MIX", "step": 1}\n{}\n', '{"mix": "MIX"}\n' * 2])
def test_a_file_that_is_no_replay_is_told_with_its_line(run: RunDir, line: str) -> None:
    run.replays.mkdir()
    (run.replays / "other.jsonl").write_text(line.replace("MIX", mix_hash(other(run))))
    with pytest.raises(ConfigError, match=r"not a replay's line: 'terms'; move the file away \(.*other\.jsonl:1\)"):
        replayed(run)


def test_a_run_without_rewards_has_nothing_to_replay(run: RunDir) -> None:
    for step in (1, 2, 3, 4):
        run.write_rollouts(step, [replace(record, reward=None) for record in run.rollouts(step)])
    with pytest.raises(ConfigError, match="run: holds no rollout with a reward"):
        replayed(run)
    assert not run.replays.exists()


def test_an_empty_file_is_taken(run: RunDir) -> None:
    run.replays.mkdir()
    (run.replays / "other.jsonl").touch()
    assert replay_path(run, "other", "m").name == "other.jsonl"
