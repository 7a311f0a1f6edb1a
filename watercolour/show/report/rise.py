"""The parts of the page that say how well it went: reward, terms, failing, a fixed panel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from watercolour.show.report.layout import (
    ORDINALS,
    Part,
    Table,
    Told,
    curve,
    curves,
    facts_of,
    labelled,
    lack,
    number,
    share,
    titled,
    trend_row,
    trends,
)
from watercolour.show.report.plot import Chart, Line, Pin
from watercolour.statistics import BAD_REWARD

BAD = f"under {BAD_REWARD:g}"


def reward_part(told: Sequence[Told], pins: Mapping[str, Sequence[Pin]]) -> Part:
    """Reward by step, with paintings pinned along it; thirds and slope."""
    have = [run for run in told if run.sections["reward"].facts]
    wide = []
    if len(have) > 1:
        lines = curves(have, "reward", "mean")
        look = "Look for curves that keep apart by more than they wiggle; thin lines are the steps themselves."
        wide.append(Chart("Mean reward by step, all runs", look, lines, (0.0, 1.0), height=300))
    wide += [_one_reward(run, pins.get(run.name, ())) for run in have if len(have) == 1 or run.evidence.rollouts]
    return Part(
        "reward",
        "Reward by step",
        "The curve itself, and whether it rises by more than its noise.",
        wide=wide,
        tables=[trends("Mean reward: thirds of the run and slope", [trend_row(r.name, _trend(r)) for r in have])]
        if have
        else [],
        notes=_partial(have),
        left_out=lack(told, "reward"),
    )


def terms_part(told: Sequence[Told]) -> Part:
    """Each term by step, all runs on the same axes."""
    have = [run for run in told if run.sections["terms"].facts]
    names = list(dict.fromkeys(name for run in have for name in facts_of(run, "terms")))
    charts = []
    for name in names:
        with_it = [run for run in have if name in facts_of(run, "terms")]
        lines = curves(with_it, "terms", name, "mean")
        look = f"Look whether {name} rises with the reward, or stands still while another term pays for the rise."
        charts.append(Chart(f"Term {name}", look, lines, (0.0, 1.0)))
    rows = [
        trend_row(labelled(have, run, _weighted(name, fact["weight"])), fact["trend"])
        for run in have
        for name, fact in facts_of(run, "terms").items()
    ]
    return Part(
        "terms",
        "Each term",
        "What the reward is made of: the mean of each term over the rollouts that it was asked about.",
        charts=charts,
        tables=[trends("Terms: thirds and slope", rows)] if rows else [],
        left_out=lack(told, "terms"),
    )


def failing_part(told: Sequence[Told]) -> Part:
    """Failing less or painting better; the ceiling."""
    have = [run for run in told if run.sections["failing"].facts]
    charts, rows, notes = [], [], []
    if have:
        lines = curves(have, "failing", "bad_share")
        look = "Look for a share that falls to nothing: from then on the reward can only rise by better painting."
        charts.append(Chart(f"Share of paintings {BAD}", look, lines, (0.0, 1.0)))
    for run in have:
        facts = facts_of(run, "failing")
        rows += [
            (
                labelled(have, run, ORDINALS[place]),
                str(third["rollouts"]),
                str(third["bad"]),
                share(third["bad_share"]),
                number(third["mean"]),
                number(third["good_mean"]),
                number(third["best_of_step"]),
            )
            for place, third in enumerate(facts["thirds"])
        ]
        if rise := facts["rise"]:
            bars = [
                ("the whole rise", rise["total"]),
                ("failing less", rise["failing_less"]),
                ("painting better", rise["painting_better"]),
                ("failing less badly", rise["failing_better"]),
            ]
            look = "Look which bar carries the rise; the three lower ones add up to the first exactly."
            charts.append(Chart(labelled(have, run, "Where the rise comes from"), look, [], bars=bars))
        if (ceiling := facts["ceiling"]) is not None:
            left = ceiling - facts["thirds"][2]["mean"]
            notes.append(
                f"{titled(have, run, 'the ceiling')} is {ceiling:.3f}: the last third's mean had every rollout"
                f" been as"
                f" good as those that did not fail; {left:.3f} is left to be had by failing less."
            )
    head = ("third", "rollouts", BAD, "share", "mean", "mean of the others", "best of a step")
    return Part(
        "failing",
        "Failing less, or painting better?",
        f"A painting with a reward {BAD} has failed, by the gate or by its looks. The change of the mean from the"
        " first to the last third splits exactly into fewer failures, better good ones, and better failures.",
        charts=charts,
        tables=[Table("Failures by third", head, rows)] if rows else [],
        notes=notes,
        left_out=lack(told, "failing"),
    )


def eval_part(told: Sequence[Told]) -> Part:
    """What a fixed panel says, where there was one."""
    have = [run for run in told if run.sections["eval"].facts]
    names = list(dict.fromkeys(name for run in have for name in facts_of(run, "eval")["series"]))
    charts = []
    for name in names:
        lines = [
            Line(run.name, list(zip(facts["steps"], facts["series"][name], strict=True)), run.tone)
            for run in have
            if name in (facts := facts_of(run, "eval"))["series"]
        ]
        look = "Look for the same rise as in training: these subjects, seeds and references never change."
        charts.append(Chart(f"Fixed panel: {name}", look, lines))
    return Part(
        "eval",
        "On a fixed panel",
        "Held-out subjects and seeds against the same references every time, so that steps and runs can be compared.",
        charts=charts,
        left_out=lack(told, "eval"),
    )


def _trend(run: Told) -> Mapping[str, Any]:
    found: Mapping[str, Any] = facts_of(run, "reward")["trend"]
    return found


def _one_reward(run: Told, pins: Sequence[Pin]) -> Chart:
    facts = facts_of(run, "reward")
    dots = [(rollout.step, rollout.reward) for rollout in run.evidence.scored]
    lines = [Line("a rollout", dots, 7, "dots")] if dots else []
    if any(value is not None for value in facts["best"]):
        lines.append(Line("best of the step", list(zip(facts["steps"], facts["best"], strict=True)), 3, "thin"))
    if any(value is not None for value in facts["median"]):
        lines.append(Line("median", list(zip(facts["steps"], facts["median"], strict=True)), 2, "dashed"))
    lines += curve("mean", facts["steps"], facts["mean"], run.tone)
    look = "Look whether the paintings change as the curve does: each is the median one of its step."
    if not pins:
        look = "Look whether the median follows the mean: where it lies above, a few failures pull the mean down."
    if not run.evidence.rollouts:
        look = "Look whether the rise is steady or comes in jumps; the thin line is the steps themselves."
    return Chart(f"Reward by step: {run.name}", look, lines, (0.0, 1.0), pins=pins, height=300)


def _partial(have: Sequence[Told]) -> list[str]:
    notes = []
    for run in have:
        if left := _trend(run)["left_out"] if _trend(run)["thirds"] else 0:
            notes.append(
                f"{run.name}: the last {'step is' if left == 1 else '2 steps are'} in none of the equal thirds."
            )
        if run.evidence.status == "running":
            notes.append(f"{run.name} is still going, or was stopped without a word: this is what there is so far.")
    return notes


def _weighted(name: str, weight: float | None) -> str:
    return name if weight is None else f"{name} (weight {weight:g})"
