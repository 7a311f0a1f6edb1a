"""What is scored without being painted again, and in which company."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.made_run import CONFIG, make_run, painting, sketch
from watercolour.config import load_config_text
from watercolour.errors import ConfigError
from watercolour.files import plain
from watercolour.painting import Painting, RenderOutcome, restore
from watercolour.runs import RunDir
from watercolour.scoring import GROUP, Candidate, CandidateGroup, Scorer, in_groups, recorded_painting, with_draw
from watercolour.sketch import Sketch

JUDGED = CONFIG.replace("{term: gate,", "{term: judge, kind: pairwise, weight: 0.5},\n  {term: gate,")


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return make_run(tmp_path / "run", steps=2)


def test_files_are_taken_a_few_at_a_time_and_all_face_one_draw() -> None:
    groups = in_groups([Candidate(str(place), reply="x") for place in range(2 * GROUP + 1)])
    assert [len(group.candidates) for group in groups] == [GROUP, GROUP, 1]
    assert {group.step for group in groups} == {0}
    assert [each.name for group in groups for each in group.candidates] == [str(place) for place in range(17)]
    assert in_groups([]) == []


def test_references_and_seed_reach_the_judge_and_nothing_else() -> None:
    config = load_config_text(JUDGED)
    drawn = with_draw(config, 7, 11)
    assert drawn.seed == 11
    judge, *others = drawn.reward.terms
    assert judge.model_dump()["references"] == 7
    assert tuple(others) == config.reward.terms[1:]
    assert with_draw(config, None, None) == config


@pytest.mark.parametrize("text", [CONFIG, JUDGED.replace("weight: 0.5}", "weight: 0.5, rivals: group}")])
def test_references_without_a_judge_that_draws_is_an_error(text: str) -> None:
    with pytest.raises(ConfigError, match="--references: config has no weighted pairwise judge that faces the pool"):
        with_draw(load_config_text(text), 4, None)


def test_measures_survive_the_disk_and_unknown_ones_are_left_out() -> None:
    made = painting(sketch(3), 0.3)
    read = json.loads(json.dumps(plain(made.measures())))
    assert (
        restore(Painting(made.sketch, made.outcome), read | {"from_another_version": 1}).measures() == made.measures()
    )


def test_a_recorded_painting_is_what_was_first_scored(run: RunDir) -> None:
    first, *_, broken = run.rollouts(1)
    made = recorded_painting(first, run.image_path(first.painting or ""))
    assert made is not None
    assert (made.sha256, made.coverage, made.canvas, made.brush_fills) == (first.painting, 0.15, (600, 600), 7)
    assert made.sketch == Sketch(first.source)
    unpainted = recorded_painting(broken, None)
    assert unpainted is not None
    assert (unpainted.outcome, unpainted.pixels, unpainted.errors) == ("syntax_error", None, ("SyntaxError: no",))


def test_what_cannot_be_trusted_is_painted_again(run: RunDir) -> None:
    first, second, *_ = run.rollouts(1)
    image, other = run.image_path(first.painting or ""), run.image_path(second.painting or "")
    assert recorded_painting(replace(first, measures={}), image) is None
    assert recorded_painting(replace(first, outcome="infra"), image) is None
    assert recorded_painting(replace(first, outcome="of another version"), image) is None
    assert recorded_painting(first, None) is None
    assert recorded_painting(first, other) is None
    image.write_bytes(image.read_bytes()[:50])
    assert recorded_painting(first, image) is None
    image.unlink()
    assert recorded_painting(first, image) is None


def test_scoring_a_record_again_gives_its_reward(run: RunDir, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATERCOLOUR_CHROMIUM", "/no/such/browser")
    records = run.rollouts(1)

    async def score() -> list[float | None]:
        async with Scorer(load_config_text(CONFIG)) as scorer:
            candidates = tuple(
                Candidate("", record.completion, run.image_path(record.painting) if record.painting else None, record)
                for record in records
            )
            scored = await scorer.score(CandidateGroup(candidates, step=1))
            assert scorer.painted == 0
            assert scored[3].outcome is RenderOutcome.SYNTAX_ERROR
            return [each.reward.total for each in scored]

    assert asyncio.run(score()) == [record.reward for record in records]
