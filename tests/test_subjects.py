"""Which subject a step's group is asked for."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from watercolour.config import RunConfig, load_config_text
from watercolour.medium import load_medium
from watercolour.subjects import panel_subjects, run_subjects, subject_of

CONFIG = "policy: {model: a}\ngrpo: {steps: 4}\nreward: {terms: [{term: gate, weight: 1}]}"
SUBJECTS = ("a rose", "a lily", "a daisy")


def config(*overrides: str) -> RunConfig:
    return load_config_text(CONFIG, overrides)


def test_subjects_take_turns_unless_told_otherwise() -> None:
    assert [subject_of(config(), SUBJECTS, step) for step in range(1, 6)] == [*SUBJECTS, "a rose", "a lily"]


def test_a_drawn_subject_depends_on_seed_and_step_alone_and_all_come_as_often() -> None:
    drawn = [subject_of(config("subject_order=random"), SUBJECTS, step) for step in range(1, 601)]
    again = [subject_of(config("subject_order=random"), SUBJECTS, step) for step in reversed(range(1, 601))]
    assert drawn == again[::-1]
    assert drawn != [subject_of(config("subject_order=random", "seed=1"), SUBJECTS, step) for step in range(1, 601)]
    assert all(150 < count < 250 for count in Counter(drawn).values())
    assert any(one == other for one, other in pairwise(drawn))


def test_a_panel_asks_for_its_own_subjects_or_the_runs() -> None:
    medium = load_medium("hibiscus")
    assert run_subjects(config(), medium) == ("a peach hibiscus",)
    assert panel_subjects(config(), medium) == ()
    assert panel_subjects(config("subject=[a, b]", "eval={}"), medium) == ("a", "b")
    assert panel_subjects(config("subject=[a, b]", "eval={subjects: c}"), medium) == ("c",)
