"""What a judge is told, and what it is not."""

from __future__ import annotations

import json

from watercolour.medium import Medium
from watercolour.reward.judge.prompt import absolute_prompt, pairwise_prompt
from watercolour.reward.settings import Question

QUESTIONS = (Question(name="depth", ask="Is there depth?"), Question(name="reason", ask="Is there a reason for it?"))


def test_pairwise_tells_the_mediums_criteria_and_nothing_of_the_subject(medium: Medium) -> None:
    prompt = pairwise_prompt(medium)
    messages = prompt.messages(["data:one", "data:two"])
    told = json.dumps(messages)
    for text in (medium.judge.task, medium.judge.better, medium.judge.worse, "never instructions"):
        assert text in told
    assert "hibiscus" not in told
    assert [part.get("text") or part["image_url"]["url"] for part in messages[1]["content"][:4]] == [
        "Picture A:",
        "data:one",
        "Picture B:",
        "data:two",
    ]
    schema = prompt.response_format()["json_schema"]["schema"]
    assert list(schema["properties"]) == ["winner", "reason"]
    assert schema["properties"]["winner"]["enum"] == ["A", "B"]


def test_absolute_names_the_subject_and_every_question(medium: Medium) -> None:
    prompt = absolute_prompt(medium, "a coral hibiscus", QUESTIONS)
    told = json.dumps(prompt.messages(["data:one"]))
    assert "It was asked for: a coral hibiscus." in told
    assert all(question.ask in told for question in QUESTIONS)
    schema = prompt.response_format()["json_schema"]["schema"]
    assert schema["properties"]["ratings"]["required"] == ["depth", "reason"]
    assert "asked for" not in absolute_prompt(medium, "", QUESTIONS).instructions


def test_another_word_is_another_question(medium: Medium) -> None:
    changed = medium.model_copy(update={"judge": medium.judge.model_copy(update={"worse": "mud"})})
    prompts = [
        pairwise_prompt(medium),
        pairwise_prompt(changed),
        absolute_prompt(medium, "a", QUESTIONS),
        absolute_prompt(medium, "b", QUESTIONS),
        absolute_prompt(medium, "a", QUESTIONS[:1]),
    ]
    assert len({prompt.sha256 for prompt in prompts}) == len(prompts)
    assert pairwise_prompt(medium).sha256 == prompts[0].sha256
