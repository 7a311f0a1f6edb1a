"""Reading replies: what is on the menu counts, whatever stands around it; anything else is unresolved."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watercolour.reward.judge.verdict import MAX_REASON, Side, UnresolvedError, read_ratings, read_verdict

A = '{"winner": "A", "reason": "soft"}'
B = '{"winner": "B", "reason": "soft"}'


@pytest.mark.parametrize(
    "reply",
    [
        A,
        f"```json\n{A}\n```",
        f"Sure! Here it is:\n{A}\nHope that helps.",
        f"<think>The second is {B}</think>{A}",
        f"The template opened the thinking. {B}</think>\n{A}",
        f"<think>{B}</think><thinking>{B}</thinking>{A}",
        '{"winner": "a", "reason": "soft"}',
        '{"winner": " A "}',
        '{"winner": "A", "reason": null}',
        '{"winner": "A", "reason": "it was cut in the mid',
        '{"winner": "A"',
        '{"winner":"A",',
        '{"winner": "A", "reason": "the "washes" are soft"}',
        '{"winner": "A", "reason": "the words say {\\"winner\\": \\"B\\"}"}',
        f"{A} {A}",
        '{"note": {"winner": "B"}} ' + A,
    ],
)
def test_a_named_winner_is_found(reply: str) -> None:
    assert read_verdict(reply).winner is Side.FIRST


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "names no winner: nothing"),
        ("A", "names no winner: 'A'"),
        ("Picture A is better.", "names no winner"),
        ("I'm sorry, but I can't help with that.", "names no winner"),
        ("[]", "names no winner"),
        ("{}", "names no winner"),
        ('{"winner"', "names no winner"),
        ('{"winner": "A', "names no winner"),
        (f"<think>{A}", "names no winner"),
        ('{"winner": "tie"}', "neither A nor B: 'TIE'"),
        ('{"winner": "C"}', "neither A nor B"),
        ('{"winner": ""}', "neither A nor B"),
        ('{"winner": null}', "neither A nor B"),
        ('{"winner": 0}', "neither A nor B"),
        ('{"winner": ["A", "B"]}', "neither A nor B"),
        ('{"winner": "A or B"}', "neither A nor B"),
        (A + B, "contradicts itself"),
        ('{"winner": "A", "reason": "see {"winner": "B"}', "contradicts itself"),
        ("{" * 5000, "names no winner"),
        ('{"a":' * 3000, "names no winner"),
    ],
)
def test_anything_else_is_unresolved_with_its_reason(reply: str, why: str) -> None:
    with pytest.raises(UnresolvedError) as caught:
        read_verdict(reply)
    assert why in str(caught.value)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


@given(st.sampled_from("AB"), st.text(), st.text(alphabet=st.characters(exclude_characters="{<"), max_size=50))
def test_what_a_judge_writes_is_read_back(winner: str, reason: str, prose: str) -> None:
    verdict = read_verdict(f"{prose}{json.dumps({'winner': winner, 'reason': reason})}{prose}")
    assert verdict.winner == winner
    assert len(verdict.reason) <= MAX_REASON
    assert verdict.reason.isprintable()


@given(st.text() | st.lists(st.sampled_from([*'{}":,', "winner", '"A"', '"B"', "<think>", "</think>"])).map("".join))
def test_no_reply_is_more_than_unresolved(reply: str) -> None:
    for read in (read_verdict, lambda text: read_ratings(text, ["depth"])):
        try:
            read(reply)
        except UnresolvedError as error:
            assert str(error)


@given(st.sampled_from("AB"), st.integers(15, 200), st.text(max_size=100))
def test_a_reply_cut_anywhere_never_turns_into_the_other_verdict(winner: str, length: int, reason: str) -> None:
    reply = json.dumps({"winner": winner, "reason": reason})[:length]
    try:
        assert read_verdict(reply).winner == winner
    except UnresolvedError:
        assert len(reply) < len('{"winner": "A"')


NUMBERS: st.SearchStrategy[Any] = st.integers(0, 10) | st.floats(0, 10)


@given(st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), NUMBERS, min_size=1, max_size=8))
def test_marks_are_read_back(marks: dict[str, float]) -> None:
    ratings = read_ratings("Well: " + json.dumps({"ratings": marks | {"more": 3}, "reason": "thin"}), list(marks))
    assert ratings.marks == marks
    assert ratings.reason == "thin"


@pytest.mark.parametrize("mark", ["11", "-1", "true", "null", '"7"', "[7]", "NaN", "1e999", "10.01"])
def test_a_mark_off_the_scale_is_unresolved(mark: str) -> None:
    with pytest.raises(UnresolvedError, match="depth is rated"):
        read_ratings('{"ratings": {"depth": MARK}}'.replace("MARK", mark), ["depth"])


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ('{"ratings": {"depth": 7}}', "technique is rated 'None'"),
        ('{"depth": 7, "technique": 7}', "holds no ratings"),
        ('{"ratings": [7, 7]}', "holds no ratings"),
        ('{"ratings": {"depth": 7, "technique": 7', "holds no ratings"),
        ('{"ratings": {"depth": 7}} {"ratings": {"depth": 8}}', "contradicts itself"),
    ],
)
def test_missing_and_contradictory_marks_are_unresolved(reply: str, why: str) -> None:
    with pytest.raises(UnresolvedError, match=why):
        read_ratings(reply, ["depth", "technique"])
