"""The reasons behind a score, as a person reads them."""

from __future__ import annotations

import io

from rich.console import Console

from watercolour.cli.score_tables import bar, print_one, reasons
from watercolour.painting import RenderOutcome
from watercolour.reward.base import Score
from watercolour.reward.mix import Reward
from watercolour.scoring import Candidate, Scored

DUELS = {
    "references": [
        {
            "name": "coral-front",
            "tier": "love",
            "value": 0.5,
            "as_first": {"won": True, "reason": "softer\nbleeds"},
            "as_second": {"won": False, "reason": "muddy"},
            "counted": True,
        },
        {
            "name": "plain",
            "tier": "okay",
            "value": None,
            "as_first": {"won": True, "reason": "livelier"},
            "as_second": {"won": None, "reason": "the server gave no JSON"},
            "counted": False,
        },
    ],
    "rivals": [
        {"picture": "ab" * 32, "value": 1.0, "as_first": {"won": True, "reason": ""}},
        {"picture": None, "value": 0.0},
    ],
}


def test_a_judges_duels_have_both_orders() -> None:
    assert reasons(Score(0.5, "", DUELS)) == [
        "coral-front (love): tied",
        "  shown first, won: softer bleeds",
        "  shown second, lost: muddy",
        "plain (okay): no verdict, not counted",
        "  shown first, won: livelier",
        "  shown second: the server gave no JSON",
        "rollout abababababab: won",
        "  shown first, won: -",
        "rollout without a picture: lost",
    ]


def test_findings_have_their_line_and_marks_their_question() -> None:
    found = {"violations": [{"code": "text_label", "line": 3, "message": "text()"}], "notes": [{"code": "unlisted"}]}
    assert reasons(Score(0, "", found)) == ["line 3: text_label: text()", "unlisted:"]
    assert reasons(Score(0.7, "", {"marks": {"depth": 7.5}, "reason": "flat"})) == ["depth: 7.5", "flat"]


def test_parts_of_any_other_shape_are_passed_over() -> None:
    for parts in ({}, {"mu": 3.0}, {"references": 3, "violations": "x", "marks": ["a"]}, {"rivals": [None, "a"]}):
        assert reasons(Score(1, "", parts)) == []
    assert reasons(Score(1, "", {"references": [{"value": "odd", "as_first": None}]})) == [
        "rollout without a picture: no verdict"
    ]


def test_one_candidate_is_shown_with_every_reason_and_no_markup_of_a_sketch() -> None:
    out = io.StringIO()
    reward = Reward(0.25, {"judge": Score(0.5, "beat 0 of 1 [bold]", DUELS)}, left_out=("gate",))
    scored = Scored(Candidate("[red]a.png"), RenderOutcome.OK, 0.1, None, ("[blue]\x1b[31m no",), reward)
    print_one(Console(file=out, width=100), scored, {"gate": 0.5, "judge": 0.5})
    text = out.getvalue()
    for expected in ("[red]a.png: ok", "beat 0 of 1 [bold]", "    coral-front (love): tied", "[blue]?[31m no"):
        assert expected in text
    assert "\x1b" not in text
    assert "left out: a picture alone has no source" in text


def test_bar() -> None:
    assert (bar(None), bar(0), bar(0.5, 4), bar(7, 3)) == ("", "", "██", "███")
