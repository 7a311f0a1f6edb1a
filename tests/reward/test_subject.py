"""The colour that was asked for: paint of it pays, other paint and dots do not, and the pool agrees."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from watercolour.config import load_config, load_config_text
from watercolour.errors import PrerequisiteError
from watercolour.medium import load_medium
from watercolour.painting import Painting, RenderOutcome, measure_coverage
from watercolour.references import Tier, read_pool
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.build import build_mix
from watercolour.reward.preflight import check_terms, choose_painting
from watercolour.reward.settings import SubjectSettings
from watercolour.reward.subject import SubjectTerm
from watercolour.shipped import find_config, find_pool

PAPER = (251, 246, 238)
BLUE, GOLD, RED, GREEN = "#3a62c8", "#d8a420", "#c01c30", "#5d8a4a"
SHADE = "#c0b8b8"
POOL = read_pool(find_pool("hibiscus"))
SUBJECTS = load_medium("hibiscus").subjects
SIZE = 120


def term(**given: object) -> SubjectTerm:
    return SubjectTerm(
        SubjectSettings.model_validate({"term": "subject", "weight": 1, **given}), ["a blue hibiscus", "a hibiscus"]
    )


def painting(pixels: NDArray[np.uint8], paper: tuple[int, int, int] = PAPER) -> Painting:
    coverage = measure_coverage(pixels, paper)
    outcome = RenderOutcome.OK if coverage >= 0.005 else RenderOutcome.BLANK
    return Painting(None, outcome, pixels, paper, coverage)


def discs(*drawn: tuple[str, float]) -> Painting:
    """Discs of a colour and a radius as a share of the sheet's side, one upon the other."""
    image = Image.new("RGB", (SIZE, SIZE), PAPER)
    draw = ImageDraw.Draw(image)
    for colour, radius in drawn:
        reach = radius * SIZE
        draw.ellipse((SIZE / 2 - reach, SIZE / 2 - reach, SIZE / 2 + reach, SIZE / 2 + reach), fill=colour)
    return painting(np.asarray(image))


def stripes(**shares: float) -> Painting:
    """A half of the sheet painted in upright stripes, as many of a hundred as the shares say."""
    pixels = np.full((SIZE, 200, 3), PAPER, np.uint8)
    colours = {"blue": BLUE, "gold": GOLD, "green": GREEN}
    start = 0
    for name, share in shares.items():
        end = start + round(100 * share)
        pixels[:, start:end] = tuple(bytes.fromhex(colours[name][1:]))
        start = end
    return painting(pixels)


def score_all(paintings: Sequence[Painting], subject: str = "a blue hibiscus", **given: object) -> list[Score]:
    return asyncio.run(term(**given).score(paintings, ScoreContext(subject=subject)))


def value(one: Painting, subject: str = "a blue hibiscus", **given: object) -> float:
    (score,) = score_all([one], subject, **given)
    assert score.value is not None
    return score.value


def test_a_blue_flower_wins_and_a_gold_one_loses_where_blue_was_asked_for() -> None:
    blue, gold = score_all([discs((BLUE, 0.3), (GOLD, 0.06)), discs((GOLD, 0.3))])
    assert blue.value == 1
    assert gold.value == 0
    assert gold.why.startswith("0% of the flower's paint is blue; 60% is full marks; it is mostly gold (")
    assert blue.parts["asked"] == ["blue"]
    assert blue.parts["shares"]["blue"] > 0.9
    assert value(discs((GOLD, 0.3)), "a golden hibiscus") == 1


def test_a_third_in_the_right_colour_beats_none_and_all_of_it_beats_a_third() -> None:
    none, third, half, most = (value(stripes(gold=1 - share, blue=share)) for share in (0, 0.33, 0.5, 0.9))
    assert none == 0
    assert third == pytest.approx(0.33 / 0.6, abs=0.02)
    assert none < third < half < most == 1


def test_a_dot_wins_little_and_a_flood_no_more_than_a_flower() -> None:
    dot, flower, flood = discs((BLUE, 0.045)), discs((BLUE, 0.3)), discs((BLUE, 1))
    assert 0 < value(dot) < 0.2
    assert value(flood) <= value(flower) == 1
    assert "of the sheet" in score_all([dot])[0].why


def test_paper_in_the_asked_colour_is_no_paint() -> None:
    blue = (58, 98, 200)
    assert value(painting(np.full((60, 60, 3), blue, np.uint8), blue)) == 0
    pixels = np.full((60, 60, 3), blue, np.uint8)
    pixels[20:40, 20:40] = (216, 164, 32)
    assert value(painting(pixels, blue)) == 0


def test_leaves_are_no_fault_unless_green_was_asked_for() -> None:
    leafy = stripes(blue=0.3, green=0.7)
    assert value(leafy) == 1
    assert value(leafy, "a green hibiscus") == 1
    assert value(stripes(blue=0.3, gold=0.7)) == pytest.approx(0.5, abs=0.02)
    assert value(stripes(green=1.0)) == 0
    assert value(stripes(blue=1.0), "a green hibiscus") == 0


def test_further_colours_are_accents_of_the_first() -> None:
    subject = "a white hibiscus with a red eye"
    with_eye, without, reversed_, red = (
        value(discs(*drawn), subject)
        for drawn in ([(SHADE, 0.3), (RED, 0.08)], [(SHADE, 0.3)], [(RED, 0.3), (SHADE, 0.08)], [(RED, 0.3)])
    )
    assert with_eye == 1
    assert without == pytest.approx(0.75)
    assert red == 0
    assert reversed_ < 0.25
    assert "0.0% is red, 3% is enough" in score_all([discs((SHADE, 0.3))], subject)[0].why
    assert value(discs((SHADE, 0.3)), subject, accent_weight=0) == 1


def test_white_paper_has_nothing_of_any_colour_and_says_so() -> None:
    white, threw = score_all([painting(np.full((9, 9, 3), PAPER, np.uint8)), Painting(None, RenderOutcome.THREW)])
    assert (white.value, white.why) == (0.0, "blank: 0.00% of the paper carries paint")
    assert (threw.value, threw.why) == (0.0, "no picture to judge: threw")


def test_a_browser_that_could_not_be_had_is_no_score() -> None:
    (score,) = score_all([Painting(None, RenderOutcome.INFRA)])
    assert score.value is None


def test_a_prompt_without_a_colour_gives_all_the_same_and_a_run_of_such_prompts_is_refused() -> None:
    scores = score_all([discs((BLUE, 0.3)), Painting(None, RenderOutcome.THREW)], "a hibiscus")
    assert [score.value for score in scores] == [1, 1]
    assert "names no colour" in scores[0].why
    text = "policy: {model: m}\ngrpo: {steps: 1}\nreward: {terms: [{term: subject, weight: 1}]}\n"
    with pytest.raises(PrerequisiteError, match=r"subject \(weight 1\): none of the subjects names a colour \("):
        build_mix(load_config_text(text + "medium: animals"), load_medium("animals"))
    assert build_mix(load_config_text(text), load_medium("hibiscus")).weights == {"subject": 1}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([*SUBJECTS, "a violet hibiscus", "a black and gold hibiscus"]))
def test_value_lies_between_0_and_1_and_the_order_of_the_pixels_does_not_matter(seed: int, subject: str) -> None:
    rng = np.random.default_rng(seed)
    palette = rng.integers(0, 256, (rng.integers(1, 6), 3), np.uint8)
    pixels = palette[rng.integers(0, len(palette), (20, 20))]
    shuffled = rng.permutation(pixels.reshape(-1, 3)).reshape(20, 20, 3)
    first, second = score_all([painting(pixels), painting(shuffled)], subject)
    assert first.value is not None
    assert 0 <= first.value <= 1
    assert first.value == pytest.approx(second.value)


def test_accepted_paintings_have_their_own_colour_and_not_that_of_others() -> None:
    accepted = [reference for reference in POOL if reference.tier is not Tier.NOPE]
    paintings = [reference.painting() for reference in accepted]
    table = {
        subject: [score.value or 0.0 for score in score_all(paintings, subject)]
        for subject in (*SUBJECTS, "a blue hibiscus")
    }
    taken_for_another = []
    for row, reference in enumerate(accepted):
        own = table[reference.subject][row]
        others = [values[row] for subject, values in table.items() if subject != reference.subject]
        assert own > 0.5, reference.name
        taken_for_another += [reference.name] if own <= max(others) else []
    assert len(taken_for_another) <= 1, taken_for_another  # one peach flower's washes are nearer to coral
    for subject in SUBJECTS:
        mine = [table[subject][row] for row, each in enumerate(accepted) if each.subject == subject]
        rest = [table[subject][row] for row, each in enumerate(accepted) if each.subject != subject]
        assert sum(mine) / len(mine) > 0.9, subject
        assert sum(rest) / len(rest) < 0.25, subject
    assert max(table["a blue hibiscus"]) < 0.6


def test_preflight_has_it_score_a_painting_of_the_pool() -> None:
    mix = build_mix(
        load_config(find_config("tiny"), ["reward.terms=[{term: subject, weight: 1}]"]), load_medium("hibiscus")
    )
    (check,) = asyncio.run(check_terms(mix.terms, choose_painting(POOL)))
    assert check.value is not None
    assert check.value > 0.8
