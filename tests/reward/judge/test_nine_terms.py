"""The shipped rubric of nine terms."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from pydantic import TypeAdapter

from watercolour.medium import load_medium
from watercolour.reward.judge import build_judge
from watercolour.reward.judge.prompt import absolute_prompt
from watercolour.reward.settings import AbsoluteSettings, GateSettings, Hpsv3Settings, LengthSettings
from watercolour.shipped import find_config

TERMS = TypeAdapter[list[Any]](list[GateSettings | LengthSettings | Hpsv3Settings | AbsoluteSettings])


def test_the_nine_terms_are_scores_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "a key")
    text = find_config("nine-terms").read_text("utf-8")
    assert len(text.splitlines()) <= 25
    terms = TERMS.validate_python(yaml.safe_load(text)["reward"]["terms"])
    assert sum(term.weight for term in terms) == pytest.approx(1)
    assert [term.name or term.term for term in terms] == (
        "gate length hpsv3 adherence adherence-2 recognisability aesthetics technique depth".split()
    )
    judges = [term for term in terms if isinstance(term, AbsoluteSettings)]
    assert judges[0].model != judges[1].model
    medium = load_medium("hibiscus")
    assert [build_judge(judge, medium, []).name for judge in judges] == [judge.name for judge in judges]
    assert len({absolute_prompt(medium, "", judge.questions).sha256 for judge in judges}) == 5
