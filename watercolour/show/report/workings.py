"""The parts of the page that say what programs and machine did: gate, length, shapes, paint, diversity, time, cost."""

from __future__ import annotations

from collections.abc import Sequence
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
)
from watercolour.show.report.plot import TONES, Chart, Line

MOST_CODES = 6
LOOKS = {
    "zero_spread_share": ("Groups without spread", "Look for steps at 1: a group that is all alike teaches nothing."),
    "entropy": ("Entropy", "Look for a steep fall: a policy that is sure of every token no longer explores."),
    "kl_to_start": ("KL to the start", "Look for a jump: there the policy left what it had been taught."),
    "clipped_share": ("Replies cut at the limit", "Look for a rise: what is cut cannot run, and is paid nothing."),
    "completion_tokens": ("Tokens of a reply", "Look for a drift to the limit, or to programs too short to paint."),
    "unscored_share": ("Rollouts left unscored", "Look for anything above 0: those are our faults, and teach nothing."),
}


def gate_part(told: Sequence[Told]) -> Part:
    """Why sketches failed the gate, over time."""
    have = [run for run in told if run.sections["gate"].facts]
    charts, rows = [], []
    for run in have:
        facts = facts_of(run, "gate")
        codes = list(facts["totals"])
        rows += [(labelled(have, run, code), str(facts["totals"][code])) for code in codes]
        rows.append((labelled(have, run, "passed"), f"{facts['passed']} of {facts['judged']}"))
        if codes:
            lines = [
                Line(code, list(zip(run.steps, facts["by_step"][code], strict=True)), place % TONES)
                for place, code in enumerate(codes[:MOST_CODES])
            ]
            more = f" The {MOST_CODES} commonest of {len(codes)} codes." if len(codes) > MOST_CODES else ""
            look = "Look which faults are unlearnt first, and for one that grows: a way around the gate." + more
            title = labelled(have, run, "Gate violations by step")
            charts.append(Chart(title, look, lines, (0.0, None), stacked=True))
    return Part(
        "gate",
        "What the gate refuses",
        "Rollouts by the codes that the gate has against them; one rollout may have several.",
        charts=charts,
        tables=[Table("Rollouts by code", ("code", "rollouts"), rows)] if rows else [],
        left_out=lack(told, "gate"),
    )


def learning_part(told: Sequence[Told]) -> Part:
    """Spread, entropy, clipping and length by step."""
    have = [run for run in told if run.sections["learning"].facts]
    charts = []
    for name, (title, look) in LOOKS.items():
        lines = [
            line
            for run in have
            if (values := facts_of(run, "learning")["series"][name])
            for line in curve(run.name, run.steps, values, run.tone)
        ]
        if lines:
            charts.append(Chart(title, look, lines, (0.0, 1.0 if name.endswith("_share") else None)))
    return Part(
        "learning",
        "How it learns",
        "What the trainer saw: whether groups differ, how sure the policy is of itself, and how long it writes.",
        charts=charts,
        left_out=lack(told, "learning"),
    )


def length_part(told: Sequence[Told]) -> Part:
    """Length against each term that says how well it is painted."""
    have = [run for run in told if run.sections["length"].facts]
    charts, rows = [], []
    for run in have:
        for term, facts in facts_of(run, "length").items():
            bins = [(each["tokens"], each["value"]) for each in facts["bins"]]
            lines = [
                Line("a painting", [tuple(point) for point in facts["points"]], 7, "dots"),
                Line("mean of each fifth by length", bins, run.tone),
            ]
            look = (
                "Look for a slope: if longer programs are paid better by the judge alone, length needs no pay of its"
                " own."
            )
            title = labelled(have, run, f"{term} by length")
            charts.append(Chart(title, look, lines, (0.0, 1.0), x_label="tokens of code"))
            rows.append((labelled(have, run, term), str(facts["rollouts"]), *_estimate(facts["within_groups"])))
    return Part(
        "length",
        "Do longer programs paint better?",
        "Every rollout of a run is judged by the same rubric; here what the judge says stands against the length of"
        " the code.",
        charts=charts,
        tables=[Table("Rank correlation with length within groups", _ESTIMATE_HEAD, rows)] if rows else [],
        left_out=lack(told, "length"),
    )


def shapes_part(told: Sequence[Told]) -> Part:
    """Shapes written against shapes painted."""
    have = [run for run in told if run.sections["shapes"].facts]
    charts, rows, paid = [], [], []
    for run in have:
        facts = facts_of(run, "shapes")
        lines = [Line("a painting", [tuple(point) for point in facts["points"]], run.tone, "dots")]
        look = (
            "Look for dots far above the rest: a loop paints one call many times; near the floor, calls that paint"
            " nothing."
        )
        title = labelled(have, run, "Shapes painted, by calls written")
        charts.append(Chart(title, look, lines, (0.0, None), x_label="calls that lay paint, in the source"))
        rows.append((labelled(have, run, "all"), number(facts["written"], 1), number(facts["painted"], 1)))
        rows += [
            (labelled(have, run, ORDINALS[place]), number(third["written"], 1), number(third["painted"], 1))
            for place, third in enumerate(facts["thirds"])
        ]
        paid.append((run.name, str(facts["rollouts"]), *_estimate(facts["painted_against_reward"])))
    tables = []
    if rows:
        tables = [
            Table("Mean number of shapes", ("", "written", "painted"), rows),
            Table("Rank correlation of shapes painted and reward within groups", _ESTIMATE_HEAD, paid),
        ]
    return Part(
        "shapes",
        "Shapes asked for, shapes painted",
        "What the program's text asks the brush for, against the fills that the brush was seen to lay; of a long run,"
        " some 400 paintings from all over it.",
        charts=charts,
        tables=tables,
        left_out=lack(told, "shapes"),
    )


def coverage_part(told: Sequence[Told]) -> Part:
    """How much of the paper is painted, and whether that is what is paid."""
    have = [run for run in told if run.sections["coverage"].facts]
    charts, rows = [], []
    if have:
        lines = curves(have, "coverage", "mean")
        look = "Look for a rise that outruns the reward: paint on the paper is easy to learn, and is no painting yet."
        charts.append(Chart("Share of the paper that is painted", look, lines, (0.0, None)))
    for run in have:
        band = facts_of(run, "coverage")["band"]
        if not band:
            continue
        lines = [Line("a painting", [tuple(point) for point in band["points"]], run.tone, "dots")]
        look = "Look along the top: if the best paintings stand at any coverage, it is not paint alone that is paid."
        title = labelled(have, run, "Reward by coverage")
        charts.append(Chart(title, look, lines, (0.0, 1.0), x_label="share of the paper painted"))
        rows.append(
            (
                run.name,
                number(band["least_reward"]),
                share(band["in_band"]),
                share(band["below_band"]),
                number(band["against_reward"], 2),
            )
        )
        rows += [
            (
                labelled(have, run, ORDINALS[place]),
                f"{third['rollouts_in_band']} rollouts",
                share(third["in_band"]),
                share(third["below_band"]),
                "",
            )
            for place, third in enumerate(band["thirds"])
        ]
    head = ("", "best quarter starts at", "coverage in it", "coverage below", "rank correlation in it")
    return Part(
        "coverage",
        "Paint on the paper",
        "Coverage is the easiest thing to learn. The high band is the best quarter of all rollouts by reward.",
        charts=charts,
        tables=[Table("Coverage in the high band", head, rows)] if rows else [],
        left_out=lack(told, "coverage"),
    )


def diversity_part(told: Sequence[Told]) -> Part:
    """Whether the paintings of a step are growing alike."""
    have = [run for run in told if run.sections["diversity"].facts]
    charts = []
    for kind in ("pictures", "recorded", "sources"):
        with_it = [run for run in have if kind in facts_of(run, "diversity")]
        if not with_it:
            continue
        lines = curves(with_it, "diversity", kind, "mean")
        by = facts_of(with_it[0], "diversity")[kind]["by"]
        look = "Look for a fall towards 0: then a step's paintings are one painting."
        charts.append(Chart(f"Distance within a step, {by}", look, lines, (0.0, None)))
    with_sources = [run for run in have if "different_sources" in facts_of(run, "diversity")]
    if with_sources:
        lines = curves(with_sources, "diversity", "different_sources")
        look = "Look for a share under 1: the policy then writes the same program twice in a step."
        charts.append(Chart("Share of different sources in a step", look, lines, (0.0, 1.0)))
    return Part(
        "diversity",
        "Is it collapsing to one flower?",
        "The mean distance between a step's paintings: by an image encoder where one was asked for, and by their"
        " sources, as the share of runs of three words that two do not have in common.",
        charts=charts,
        left_out=lack(told, "diversity"),
    )


def seconds_part(told: Sequence[Told]) -> Part:
    """Seconds by stage."""
    have = [run for run in told if run.sections["seconds"].facts]
    charts, rows = [], []
    for run in have:
        facts = facts_of(run, "seconds")
        lines = [
            Line(stage, list(zip(run.steps, values, strict=True)), place % TONES)
            for place, (stage, values) in enumerate(facts["stages"].items())
        ]
        look = "Look for the thickest band: that is where a faster step would come from."
        charts.append(Chart(labelled(have, run, "Seconds a step"), look, lines, (0.0, None), stacked=True))
        rows += [
            (labelled(have, run, stage), number(seconds, 1), share(seconds / facts["mean_step_s"]))
            for stage, seconds in facts["mean_s"].items()
            if facts["mean_step_s"]
        ]
        rows.append((labelled(have, run, "a step"), number(facts["mean_step_s"], 1), ""))
    return Part(
        "seconds",
        "Where the time goes",
        "Wall seconds by stage; they add up to the step.",
        charts=charts,
        tables=[Table("Mean seconds by stage", ("stage", "seconds", "share"), rows)] if rows else [],
        left_out=lack(told, "seconds"),
    )


def cost_part(told: Sequence[Told]) -> Part:
    """Hours, calls and price."""
    have = [run for run in told if run.sections["cost"].facts]
    names = {
        "wall_hours": "hours, wall",
        "gpu_hours": "GPU hours",
        "paintings": "rollouts",
        "cached_renders": "renders from the cache",
        "sampled_tokens": "tokens sampled",
        "judge_answers": "answers of a judge",
        "usd": "price, USD",
    }
    rows = [
        (words, *(_amount(key, facts_of(run, "cost")[key]) for run in have))
        for key, words in names.items()
        if any(facts_of(run, "cost")[key] is not None for run in have)
    ]
    notes = []
    if have and all(facts_of(run, "cost")["usd"] is None for run in have):
        notes.append("No price was given: --usd-per-hour and --usd-per-answer count it.")
    if have and any(facts_of(run, "cost")["judge_answers"] for run in have):
        notes.append("A judge's answers count whether they were paid for or came from the cache.")
    return Part(
        "cost",
        "What it cost",
        "Look at the hours first: the steps that were timed, without warm start and pauses.",
        tables=[Table("Cost", ("", *(run.name for run in have)), rows)] if rows else [],
        notes=notes,
        left_out=lack(told, "cost"),
    )


_ESTIMATE_HEAD = ("", "rollouts", "Spearman's rho", "95 % interval", "groups")


def _estimate(found: dict[str, Any]) -> tuple[str, str, str]:
    low, high = found["low"], found["high"]
    interval = "-" if low is None or high is None else f"{low:+.2f} to {high:+.2f}"
    return number(found["value"], 2), interval, str(found["groups"])


def _amount(key: str, value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.2f}" if key in ("wall_hours", "gpu_hours", "usd") else f"{value:,.0f}"
