"""The parts of the page that say how well it went: reward, terms, failing, a fixed panel, the draw, independence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from watercolour.show.report.layout import Cell, Part, Table, Told, curve, lack, number, share, signed
from watercolour.show.report.plot import Chart, Line, Pin

ORDINALS = ("first third", "middle third", "last third")
TREND_HEAD = (*ORDINALS, "difference", "95 % interval", "slope a step", "t", "t (Newey-West)")
MOST_RIVALS = 8


def reward_part(told: Sequence[Told], pins: Mapping[str, Sequence[Pin]]) -> Part:
    """Reward by step, with paintings pinned along it; thirds and slope."""
    have = [run for run in told if run.sections["reward"].facts]
    wide = []
    if len(have) > 1:
        lines = [line for run in have for line in curve(run.name, run.steps, _mean(run), run.tone)]
        look = "Look for curves that keep apart by more than they wiggle; thin lines are the steps themselves."
        wide.append(Chart("Mean reward by step, all runs", look, lines, (0.0, 1.0), height=300))
    wide += [_one_reward(run, pins.get(run.name, ())) for run in have if len(have) == 1 or run.evidence.rollouts]
    return Part(
        "reward",
        "Reward by step",
        "The curve itself, and whether it rises by more than its noise.",
        wide=wide,
        tables=[_trends("Mean reward: thirds of the run and slope", [_trend_row(r.name, _trend(r)) for r in have])]
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
        lines = [
            line
            for run in with_it
            for line in curve(run.name, run.steps, facts_of(run, "terms")[name]["mean"], run.tone)
        ]
        look = f"Look whether {name} rises with the reward, or stands still while another term pays for the rise."
        charts.append(Chart(f"Term {name}", look, lines, (0.0, 1.0)))
    rows = [
        _trend_row(labelled(have, run, _weighted(name, fact["weight"])), fact["trend"])
        for run in have
        for name, fact in facts_of(run, "terms").items()
    ]
    return Part(
        "terms",
        "Each term",
        "What the reward is made of: the mean of each term over the rollouts that it was asked about.",
        charts=charts,
        tables=[_trends("Terms: thirds and slope", rows)] if rows else [],
        left_out=lack(told, "terms"),
    )


def failing_part(told: Sequence[Told]) -> Part:
    """Failing less or painting better; the ceiling."""
    have = [run for run in told if run.sections["failing"].facts]
    charts, rows, notes = [], [], []
    if have:
        lines = [
            line for run in have for line in curve(run.name, run.steps, facts_of(run, "failing")["bad_share"], run.tone)
        ]
        look = "Look for a share that falls to nothing: from then on the reward can only rise by better painting."
        charts.append(Chart("Share of paintings under .3", look, lines, (0.0, 1.0)))
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
    head = ("third", "rollouts", "under .3", "share", "mean", "mean of the others", "best of a step")
    return Part(
        "failing",
        "Failing less, or painting better?",
        "A painting with a reward under .3 has failed, by the gate or by its looks. The change of the mean from the"
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


def draws_part(told: Sequence[Told]) -> Part:
    """The judge's curve with the luck of the draw taken off."""
    have = [run for run in told if run.sections["draws"].facts]
    charts, tables, notes = [], [], []
    for run in have:
        for term, facts in facts_of(run, "draws").items():
            steps = [each["step"] for each in facts["steps"]]
            lines = [
                Line("as drawn", [(each["step"], each["raw"]) for each in facts["steps"]], 7, "dashed"),
                *curve("draw taken off", steps, [each["adjusted"] for each in facts["steps"]], run.tone),
            ]
            look = (
                "Look where the two part: there the step drew hard or easy references, and the policy had not changed."
            )
            charts.append(Chart(labelled(have, run, f"Term {term}, raw and adjusted"), look, lines, (0.0, 1.0)))
            hard = [Line("difficulty", [(each["step"], each["difficulty"]) for each in facts["steps"]], run.tone)]
            look = "Look for spikes: a step above 0 drew references stronger than the run's usual ones."
            charts.append(Chart(labelled(have, run, f"How hard the draws of {term} were"), look, hard))
            rows = [_trend_row("as drawn", facts["raw_trend"]), _trend_row("draw taken off", facts["adjusted_trend"])]
            tables += [
                _trends(titled(have, run, f"{term}, raw and adjusted"), rows),
                _rivals(titled(have, run, f"References of {term}, the strongest first"), facts["rivals"]),
            ]
    if have:
        notes.append(
            "Bradley and Terry's model, fitted over all answers of the run: a reference that comes up at several steps"
            " tells how much of a good step was luck."
        )
    return Part(
        "draws",
        "The luck of the draw",
        "Each step faces a few references of the pool. Some are hard to beat: a step that draws them looks worse than"
        " it is.",
        charts=charts,
        tables=tables,
        notes=notes,
        left_out=lack(told, "draws"),
    )


def independence_part(told: Sequence[Told], pairs: Sequence[Mapping[str, Any]]) -> Part:
    """Whether the terms say different things, and what two runs share at equal steps."""
    have = [run for run in told if run.sections["independence"].facts]
    kinds = {
        "raw": "curves as they are: two that rise go together whatever they measure",
        "detrended": "curves with their lines taken off",
        "differences": "changes from step to step",
        "within_groups": "single rollouts within their groups, which is what the policy learns from",
    }
    tables = [
        _matrix(titled(have, run, words), found)
        for run in have
        for kind, words in kinds.items()
        if (found := facts_of(run, "independence").get(kind)) and len(found["names"]) > 1
    ]
    notes = [
        f"{titled(have, run, kinds[kind].partition(':')[0])}: {warning}."
        for run in have
        for kind, found in facts_of(run, "independence").items()
        for warning in (found or {}).get("warnings", ())
        if kind == "within_groups" or (kind == "raw" and "nearly" in warning)
    ]
    rows = [
        (f"{' and '.join(pair['runs'])}: {term}", number(value, 2))
        for pair in pairs
        for term, value in pair["detrended_correlation"].items()
    ]
    if rows:
        caption = "Two runs at equal steps, lines taken off: what goes together is what they share, such as the draw"
        tables.append(Table(caption, ("runs and term", "correlation"), rows))
    return Part(
        "independence",
        "Do the terms say different things?",
        "Terms that always agree are one term with the sum of their weights. Look for pairs over .85, and for n_eff,"
        " the number of independent signals: k / (1 + (k - 1) r), with r the mean over pairs.",
        tables=tables,
        notes=notes,
        left_out=lack(told, "independence"),
    )


def saturation_part(told: Sequence[Told]) -> Part:
    """Which terms still move the policy."""
    have = [run for run in told if run.sections["saturation"].facts]
    rows = [
        (
            labelled(have, run, name),
            fact["of"],
            number(fact["first"]),
            number(fact["last"]),
            fact["says"],
        )
        for run in have
        for name, fact in facts_of(run, "saturation").items()
    ]
    head = ("term", "spread over", "first third", "last third", "what that means")
    return Part(
        "saturation",
        "Terms without spread",
        "A rollout is compared with its own group: a term that says the same of all of them is dead weight, however"
        " high it stands. Look for standard deviations near 0 in the last third.",
        tables=[Table("Standard deviation of each term", head, rows, words=True)] if rows else [],
        left_out=lack(told, "saturation"),
    )


def facts_of(run: Told, section: str) -> dict[str, Any]:
    return run.sections[section].facts or {}


def _mean(run: Told) -> list[float | None]:
    values: list[float | None] = facts_of(run, "reward")["mean"]
    return values


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


def _trend_row(name: str, found: Mapping[str, Any]) -> tuple[str, ...]:
    thirds = found["thirds"] or (None, None, None)
    low, high = found["low"], found["high"]
    return (
        name,
        *(number(value) for value in thirds),
        signed(found["difference"]),
        "-" if low is None else f"{low:+.3f} to {high:+.3f}",
        signed(found["slope"], 5),
        number(found["t"], 1),
        number(found["t_newey_west"], 1),
    )


def _trends(caption: str, rows: Sequence[Sequence[str]]) -> Table:
    return Table(caption, ("", *TREND_HEAD), rows)


def _rivals(caption: str, rivals: Sequence[Mapping[str, Any]]) -> Table:
    shown = list(rivals[:MOST_RIVALS])
    if len(rivals) > 2 * MOST_RIVALS:
        caption = f"{caption}: the first and the last {MOST_RIVALS} of {len(rivals)}"
        shown += rivals[-MOST_RIVALS:]
    else:
        shown = list(rivals)
    rows = [
        (
            str(each["name"]),
            str(each["tier"]),
            str(each["games"]),
            str(each["steps"]),
            share(each["win_rate"]),
            share(each["fitted"]),
            signed(each["strength"], 2),
        )
        for each in shown
    ]
    head = ("reference", "tier", "answers", "steps", "won, as it came", "won, against every step", "strength")
    return Table(caption, head, rows)


def _matrix(caption: str, found: Mapping[str, Any]) -> Table:
    names = found["names"]
    signals = f"n_eff {number(found['n_eff'], 2)} of {len(names)}, over {found['rows']}"
    rows = [
        (name, *(Cell(f"{value:.2f}", round(5 * value)) for value in row))
        for name, row in zip(names, found["matrix"], strict=True)
    ]
    return Table(f"{caption} ({signals})", ("r", *names), rows)


def _weighted(name: str, weight: float | None) -> str:
    return name if weight is None else f"{name} (weight {weight:g})"


def labelled(have: Sequence[Told], run: Told, words: str) -> str:
    """`words`, with the run's name before them where there are several."""
    return words if len(have) == 1 else f"{run.name}: {words}"


def titled(have: Sequence[Told], run: Told, words: str) -> str:
    """`labelled`, with a capital at the start where no name stands there."""
    return labelled(have, run, words[:1].upper() + words[1:] if len(have) == 1 else words)
