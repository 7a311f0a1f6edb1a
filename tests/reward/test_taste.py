"""The term: a group in one batch, nothing for no paint, None for our faults, less for what is like nothing rated."""

from __future__ import annotations

import asyncio
import logging
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from watercolour.config import load_config_text
from watercolour.errors import PrerequisiteError
from watercolour.medium import load_medium
from watercolour.painting import Painting, RenderOutcome
from watercolour.references import Tier, read_pool
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.build import build_mix
from watercolour.reward.settings import TasteSettings
from watercolour.reward.taste import TasteTerm
from watercolour.shipped import find_pool
from watercolour.taste.probes import probe_pictures

POOL = find_pool("hibiscus")
LOVED = next(each for each in read_pool(POOL) if each.tier is Tier.LOVE)


def settings_of(**given: object) -> TasteSettings:
    return TasteSettings.model_validate({"term": "taste", "weight": 1.0, **given})


def score(term: TasteTerm, *paintings: Painting) -> list[Score]:
    return asyncio.run(term.score(paintings, ScoreContext()))


def test_group_is_scored_in_order_with_reasons_and_parts() -> None:
    term = TasteTerm(settings_of(name="eye"), POOL)
    blank = Painting(None, RenderOutcome.BLANK, probe_pictures()["white paper"], (255, 255, 255), 0.0)
    threw = Painting(None, RenderOutcome.THREW)
    ours = Painting(None, RenderOutcome.INFRA)
    loved = LOVED.painting()
    scores = score(term, blank, loved, threw, ours)
    assert term.name == "eye"
    assert not term.needs_source
    assert [each.value for each in (scores[0], *scores[2:])] == [0.0, 0.0, None]
    assert "blank" in scores[0].why
    assert "threw" in scores[2].why
    value = scores[1].value
    assert value is not None
    assert 0.6 < value <= 1
    assert scores[1].why.startswith(f"nearest: {LOVED.name} (love); beats ")
    assert set(scores[1].parts) == {"score", "calibrated", "beats", "distance", "nearest", "apart"}
    assert scores[1].parts["apart"] is None, "no other picture was looked at"
    assert scores[1].parts["nearest"][0]["tier"] == "love"
    assert score(term, loved)[0].value == pytest.approx(value, abs=1e-4)
    asyncio.run(term.close())


def test_pictures_know_how_far_apart_they_are() -> None:
    term = TasteTerm(settings_of(), POOL)
    loved = LOVED.painting()
    noise = Painting(None, RenderOutcome.OK, probe_pictures()["coarse noise"], (255, 255, 255), 1.0)
    assert [each.parts["apart"] for each in score(term, loved, loved)] == pytest.approx([0, 0], abs=1e-4)
    twin, other_twin, stranger = (each.parts["apart"] for each in score(term, loved, loved, noise))
    assert 0.05 < twin == other_twin < stranger == pytest.approx(2 * twin, abs=1e-3)


def test_what_is_unlike_all_rated_pays_only_where_the_settings_say_so() -> None:
    noise = Painting(None, RenderOutcome.OK, probe_pictures()["coarse noise"], (255, 255, 255), 1.0)
    (free,), (fined,) = (
        score(TasteTerm(settings_of(distance_penalty=penalty), POOL), noise) for penalty in (0.0, 10.0)
    )
    assert free.value == pytest.approx(free.parts["calibrated"], abs=1e-4)
    assert free.parts["distance"] > 1
    assert fined.value == 0
    assert fined.parts == free.parts


def test_pool_without_a_taste_says_how_to_fit_one_and_stops_the_mix(tmp_path: Path) -> None:
    shutil.copy(POOL / "pool.jsonl", tmp_path)
    with pytest.raises(PrerequisiteError, match=f"watercolour taste fit {tmp_path}"):
        TasteTerm(settings_of(), tmp_path)
    config = load_config_text(
        "policy: {model: a}\ngrpo: {steps: 1}\nreward: {terms: [{term: taste, weight: 1}]}\n" + f"pool: {tmp_path}\n"
    )
    with pytest.raises(PrerequisiteError, match=r"taste \(weight 1\): .*there is no taste model"):
        build_mix(config, load_medium("hibiscus"))


def test_taste_is_taken_from_the_folder_named_and_a_changed_pool_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copytree(POOL / "taste", tmp_path / "taste")
    for line in (POOL / "pool.jsonl").read_text().splitlines()[:2]:
        name = line.partition('"source": "')[2].partition('"')[0]
        for path in (POOL / name, (POOL / name).with_suffix(".png")):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            shutil.copy(path, (tmp_path / name).with_name(path.name))
    first = (POOL / "pool.jsonl").read_text().splitlines()[0]
    (tmp_path / "pool.jsonl").write_text(first.replace('"tier": "love"', '"tier": "okay"') + "\n")
    with caplog.at_level(logging.WARNING):
        TasteTerm(settings_of(), tmp_path)
    assert "1 rated differently" in caplog.text
    assert "gone" in caplog.text
    caplog.clear()
    term = TasteTerm(settings_of(model=str(tmp_path / "taste")), POOL)
    assert caplog.text == ""
    assert score(term, replace(LOVED.painting(), sketch=None))[0].value is not None
