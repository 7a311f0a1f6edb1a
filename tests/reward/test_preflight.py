"""Preflight: every weighted term scores a real painting of the pool, or it is named with its reason."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.reward.test_mix import Broken, Fixed
from watercolour.config import load_config, load_config_text
from watercolour.errors import ConfigError, PrerequisiteError
from watercolour.medium import load_medium
from watercolour.painting import Painting
from watercolour.references import Tier, read_pool
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.build import TermBuilder
from watercolour.reward.preflight import TermCheck, check_settings, check_terms, choose_painting, require_all
from watercolour.shipped import find_config, find_pool

POOL = read_pool(find_pool("hibiscus"))


def test_terms_of_tiny_score_a_painting_of_the_pool_with_its_sketch_and_picture() -> None:
    config = load_config(find_config("tiny"))
    checks = asyncio.run(
        check_settings(TermBuilder(config, load_medium("hibiscus")), config.reward.weighted, run_seed=1)
    )
    values = {check.name: check.value for check in checks}
    assert values["gate"] == 1.0
    assert (values["taste"] or 0) > 0.6
    assert set(values) == {"gate", "length", "subject", "taste"}
    assert "weight 0.7, gave " in checks[-1].describe()
    require_all(checks)


def test_painting_is_the_same_each_time_and_loved_where_one_is() -> None:
    assert choose_painting(POOL) == choose_painting(POOL)
    assert choose_painting(POOL[::-1]).tier is Tier.LOVE
    plain = replace(POOL[0], tier=Tier.OKAY)
    assert choose_painting([plain]) == plain


def test_terms_that_cannot_score_are_all_named_and_nothing_gets_out() -> None:
    terms = [
        (Fixed("good", [0.5]), 0.1),
        (Fixed("lost", [None]), 0.2),
        (Broken("refused", [], error=ConfigError("the key was refused; export KEY=...")), 0.3),
        (Broken("broken", [], error=KeyError("x")), 0.4),
        (Fixed("short", []), 0.5),
    ]
    checks = asyncio.run(check_terms(terms, POOL[0]))
    assert [check.value for check in checks] == [0.5, None, None, None, None]
    with pytest.raises(PrerequisiteError) as caught:
        require_all(checks)
    said = str(caught.value)
    assert caught.value.exit_code == 3
    for part in (
        "lost: weight 0.2, but lost says so",
        "refused: weight 0.3, but the key was refused; export KEY=...",
        "broken: weight 0.4, but it failed with KeyError: 'x'",
        "short: weight 0.5, but it failed with ValueError",
    ):
        assert part in said
    assert "good" not in said


def test_term_is_asked_about_one_painting_with_the_pools_subject_and_the_runs_seed() -> None:
    class Nosy(Fixed):
        async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
            (painting,) = paintings
            assert painting.sketch is not None and painting.sketch.source == POOL[0].sketch()
            assert painting.sha256 == POOL[0].sha256
            assert context == ScoreContext(run_seed=7, step=0, subject=POOL[0].subject)
            return [Score(1.0, "seen")]

    (check,) = asyncio.run(check_terms([(Nosy("nosy", []), 1.0)], POOL[0], run_seed=7))
    assert (check.value, check.why) == (1.0, "seen")


def test_unreadable_pool_is_a_failed_check() -> None:
    text = "policy: {model: a}\ngrpo: {steps: 1}\nreward: {terms: [{term: gate, weight: 1}]}\npool: /no/such/pool"
    config = load_config_text(text)
    (check,) = asyncio.run(check_settings(TermBuilder(config, load_medium("hibiscus")), config.reward.weighted))
    assert check == TermCheck("gate", 1.0, None, check.why, 0.0)
    assert "no reference pool" in check.why
