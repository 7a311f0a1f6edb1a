"""A report's sections as plain data: each one's numbers, or one line on why the run has none."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from watercolour.show.report import diversity as distances
from watercolour.show.report import sketches
from watercolour.show.report.cost import cost_of
from watercolour.show.report.draws import fit_draws, games_of
from watercolour.show.report.evidence import Evidence, number
from watercolour.show.report.failing import decompose, split_thirds
from watercolour.show.report.independence import between, independence, mean_correlation, n_eff
from watercolour.show.report.spread import Spread, spread_of_groups, spread_of_steps
from watercolour.show.report.trend import trend
from watercolour.statistics import BAD_REWARD, Correlations

NO_ROLLOUTS = "a curve holds no rollouts"
NO_STEP = "no step is finished yet"
MOST_DEAD = 0.005
MOST_SOURCES = 400
"""So many sources are read for their calls, from all over the run: each takes some 15 ms."""


@dataclass(frozen=True)
class Section:
    """`facts` is None where the run has no such data, and `left_out` says why."""

    facts: dict[str, Any] | None
    left_out: str | None = None


@dataclass(frozen=True)
class Options:
    """What is asked for besides: distances by step made with an encoder, and prices in US dollars."""

    distances: Mapping[str, tuple[str, list[float | None]]] | None = None
    """By the run's name: the encoder's name, and each step's distance."""
    usd_per_hour: float | None = None
    usd_per_answer: float | None = None


def analyse(evidence: Evidence, options: Options = Options()) -> dict[str, Section]:
    """Every section of one run's report, in the order of the page."""
    if not evidence.steps:
        return {name: Section(None, NO_STEP) for name in SECTIONS}
    return {name: section(evidence, options) for name, section in SECTIONS.items()}


def compare_runs(runs: list[Evidence]) -> list[dict[str, Any]]:
    """Each pair of runs: how their terms' detrended curves correlate at equal steps.

    What two runs share at a step, such as a draw of references, shows here.
    """
    found = []
    for place, one in enumerate(runs):
        for other in runs[place + 1 :]:
            names = [name for name in _term_names(one) if name in _term_names(other)]
            terms = {name: between(_curve(one, name), _curve(other, name)) for name in names}
            found.append({"runs": [one.name, other.name], "detrended_correlation": terms})
    return found


def _reward(evidence: Evidence, options: Options) -> Section:
    steps = [step.step for step in evidence.steps]
    rewards = [step.reward for step in evidence.steps]
    if all(reward is None for reward in rewards):
        return Section(None, "no rollout was scored")
    return Section(
        {
            "steps": steps,
            "mean": rewards,
            "median": [step.median for step in evidence.steps],
            "best": [step.best for step in evidence.steps],
            "trend": asdict(trend(steps, rewards)),
        }
    )


def _terms(evidence: Evidence, options: Options) -> Section:
    names = _term_names(evidence)
    if not names:
        return Section(None, "the reward's terms were not recorded")
    steps = [step.step for step in evidence.steps]
    found = {}
    for name in names:
        means = [step.terms.get(name) for step in evidence.steps]
        found[name] = {
            "kind": evidence.kinds.get(name, name),
            "weight": evidence.weights.get(name),
            "mean": means,
            "trend": asdict(trend(steps, means)),
        }
    return Section(found)


def _failing(evidence: Evidence, options: Options) -> Section:
    if not evidence.rollouts:
        return Section(None, NO_ROLLOUTS)
    groups = _rewards(evidence)
    thirds = split_thirds(groups)
    if thirds is None:
        return Section(None, "fewer than three steps have a scored rollout")
    rise = decompose(thirds[0], thirds[2])
    return Section(
        {
            "bad_below": BAD_REWARD,
            "thirds": [asdict(third) | {"bad_share": third.bad_share} for third in thirds],
            "rise": asdict(rise) if rise else None,
            "ceiling": thirds[2].good_mean,
            "bad_share": [sum(r < BAD_REWARD for r in group) / len(group) if group else None for group in groups],
        }
    )


def _learning(evidence: Evidence, options: Options) -> Section:
    names = ("zero_spread_share", "entropy", "kl_to_start", "clipped_share", "completion_tokens", "unscored_share")
    series = {name: evidence.column(name) for name in names}
    known = {name: values if any(value is not None for value in values) else None for name, values in series.items()}
    if not any(known.values()):
        return Section(None, "neither spread, entropy nor length was recorded")
    steps = [step.step for step in evidence.steps]
    trends = {name: asdict(trend(steps, values)) if values else None for name, values in known.items()}
    return Section({"series": known, "trends": trends})


def _seconds(evidence: Evidence, options: Options) -> Section:
    timed = [step for step in evidence.steps if step.seconds]
    if not timed:
        return Section(None, "no step was timed")
    stages = list(dict.fromkeys(stage for step in timed for stage in step.seconds))
    means = {stage: sum(step.seconds.get(stage, 0.0) for step in timed) / len(timed) for stage in stages}
    return Section(
        {
            "stages": {stage: [step.seconds.get(stage) for step in evidence.steps] for stage in stages},
            "mean_s": means,
            "mean_step_s": sum(means.values()),
        }
    )


def _gate(evidence: Evidence, options: Options) -> Section:
    if not evidence.rollouts:
        return Section(None, NO_ROLLOUTS)
    gates = list(
        dict.fromkeys(
            name for rollout in evidence.rollouts for name in rollout.terms if evidence.kinds.get(name, name) == "gate"
        )
    )
    if not gates:
        return Section(None, "the reward has no gate")
    groups = evidence.by_step()
    counts = sketches.count_codes(
        [[sketches.codes_of(rollout, gates) for rollout in groups.get(step.step, [])] for step in evidence.steps]
    )
    totals: dict[str, int] = {}
    for count in counts:
        for code, times in count.items():
            totals[code] = totals.get(code, 0) + times
    codes = sorted(totals, key=lambda code: (-totals[code], code))
    judged = [
        r for r in evidence.rollouts if any(name in r.terms and r.terms[name].value is not None for name in gates)
    ]
    passed = [r for r in judged if all(name not in r.terms or r.terms[name].value == 1 for name in gates)]
    return Section(
        {
            "judged": len(judged),
            "passed": len(passed),
            "totals": {code: totals[code] for code in codes},
            "by_step": {code: [count[code] for count in counts] for code in codes},
        }
    )


def _draws(evidence: Evidence, options: Options) -> Section:
    if not evidence.rollouts:
        return Section(None, "a curve does not say which references were drawn")
    names = dict.fromkeys(
        name for r in evidence.rollouts for name, term in r.terms.items() if "references" in term.parts
    )
    found, why = {}, "no judge compared paintings with references"
    for name in names:
        games = [
            game
            for rollout in evidence.rollouts
            if name in rollout.terms
            for game in games_of(rollout.step, rollout.terms[name].parts)
        ]
        try:
            draws = fit_draws(games) if games else None
        except RuntimeError as error:
            why = f"the fit of the references' strengths did not settle ({error})"
            continue
        if draws is None:
            why = "no reference was met at two steps, so that its strength cannot be told from the policy's"
            continue
        steps = [draw.step for draw in draws.steps]
        found[name] = {
            "rivals": [asdict(rival) for rival in draws.rivals],
            "steps": [asdict(draw) for draw in draws.steps],
            "raw_trend": asdict(trend(steps, [draw.raw for draw in draws.steps])),
            "adjusted_trend": asdict(trend(steps, [draw.adjusted for draw in draws.steps])),
        }
    return Section(found) if found else Section(None, why)


def _independence(evidence: Evidence, options: Options) -> Section:
    rows = [(r.step, {name: term.value for name, term in r.terms.items()}) for r in evidence.rollouts]
    series = {name: [step.terms.get(name) for step in evidence.steps] for name in _term_names(evidence)}
    found = independence([step.step for step in evidence.steps], series, rows)
    if found is None:
        return Section(None, "it takes two terms, and four steps that have both")
    tables = {
        "raw": found.raw,
        "detrended": found.detrended,
        "differences": found.differences,
        "within_groups": found.within_groups,
    }
    return Section({name: _correlations(table) if table else None for name, table in tables.items()})


def _correlations(found: Correlations) -> dict[str, Any]:
    r = mean_correlation(found)
    return found.record() | {
        "mean_correlation": r,
        "n_eff": None if r is None else n_eff(len(found.names), r),
    }


def _saturation(evidence: Evidence, options: Options) -> Section:
    found = {}
    for name in _term_names(evidence):
        if evidence.rollouts:
            spread = spread_of_groups(
                [
                    [term.value for r in group if (term := r.terms.get(name)) and term.value is not None]
                    for _, group in sorted(evidence.by_step().items())
                ]
            )
        else:
            spread = spread_of_steps([step.terms.get(name) for step in evidence.steps])
        if spread:
            found[name] = asdict(spread) | {"says": _says(name, spread, evidence.weights.get(name))}
    return Section(found) if found else Section(None, "too few steps to tell")


def _says(name: str, spread: Spread, weight: float | None) -> str:
    if spread.dead:
        return f"{name} is dead weight: in the last third it says the same of everything"
    moves = None if weight is None or spread.last is None else weight * spread.last
    if moves is not None and spread.of == "groups" and moves < MOST_DEAD:
        return f"{name} hardly counts: weight times spread is {moves:.4f} in the last third"
    return f"{name} still tells {'paintings' if spread.of == 'groups' else 'steps'} apart"


def _length(evidence: Evidence, options: Options) -> Section:
    if not evidence.rollouts:
        return Section(None, NO_ROLLOUTS)
    found = {}
    for name in evidence.paid_terms():
        pairs = [
            (rollout.step, sketches.code_tokens(rollout), value)
            for rollout in evidence.rollouts
            if name in rollout.terms and (value := rollout.terms[name].value) is not None
        ]
        if (against := sketches.length_against(pairs)) is not None:
            found[name] = against
    return Section(found) if found else Section(None, "no term but gate and length scored ten paintings")


def _shapes(evidence: Evidence, options: Options) -> Section:
    if not evidence.rollouts:
        return Section(None, NO_ROLLOUTS)
    painted = [
        (rollout, fills)
        for rollout in evidence.scored
        if isinstance(fills := rollout.measures.get("brush_fills"), int) and rollout.source and rollout.coverage
    ]
    painted = painted[:: math.ceil(len(painted) / MOST_SOURCES) or 1]
    written = sketches.shapes_written([rollout.source for rollout, _ in painted])
    found = sketches.shapes_against([(r.step, written[r.source], fills, r.reward or 0.0) for r, fills in painted])
    return Section(found) if found else Section(None, "how many shapes were painted was not recorded")


def _coverage(evidence: Evidence, options: Options) -> Section:
    steps = [step.step for step in evidence.steps]
    column = evidence.column("coverage")
    if all(value is None for value in column):
        return Section(None, "how much of the paper was painted was not recorded")
    rows = [(r.step, r.coverage, r.reward or 0.0) for r in evidence.scored if r.coverage is not None]
    return Section({"mean": column, "trend": asdict(trend(steps, column)), "band": sketches.coverage_in_band(rows)})


def _diversity(evidence: Evidence, options: Options) -> Section:
    steps = [step.step for step in evidence.steps]
    found: dict[str, Any] = {}
    told = evidence.column("diversity")
    if any(value is not None for value in told):
        found["recorded"] = {"by": "as the run recorded it", "mean": told, "trend": asdict(trend(steps, told))}
    if options.distances and evidence.name in options.distances:
        name, values = options.distances[evidence.name]
        found["pictures"] = {"by": f"pictures, by {name}", "mean": values, "trend": asdict(trend(steps, values))}
    if evidence.rollouts:
        values = distances.by_sources(evidence)
        found["sources"] = {"by": "sources", "mean": values, "trend": asdict(trend(steps, values))}
        groups = evidence.by_step()
        found["different_sources"] = [
            len({r.source for r in group}) / len(group) if (group := groups.get(step)) else None for step in steps
        ]
    return Section(found) if found else Section(None, NO_ROLLOUTS)


def _eval(evidence: Evidence, options: Options) -> Section:
    by_step = {step: _flat(row) for row in evidence.evals if (step := number(row.get("step"))) is not None}
    rows = [by_step[step] for step in sorted(by_step)]
    names = dict.fromkeys(name for row in rows for name, value in row.items() if number(value) is not None)
    names.pop("step", None)
    if not names:
        return Section(None, "there was no evaluation on a fixed panel")
    return Section(
        {"steps": [number(row["step"]) for row in rows], "series": {n: [number(r.get(n)) for r in rows] for n in names}}
    )


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A line of eval.jsonl with its terms beside its other numbers; a later line of the same step replaces it."""
    terms = row.get("terms")
    return {**row, **{f"term {name}": value for name, value in (terms if isinstance(terms, Mapping) else {}).items()}}


def _cost(evidence: Evidence, options: Options) -> Section:
    found = cost_of(evidence, usd_per_hour=options.usd_per_hour, usd_per_answer=options.usd_per_answer)
    return Section(found) if found else Section(None, "no step was timed")


SECTIONS: Mapping[str, Callable[[Evidence, Options], Section]] = {
    "reward": _reward,
    "terms": _terms,
    "failing": _failing,
    "eval": _eval,
    "draws": _draws,
    "independence": _independence,
    "saturation": _saturation,
    "gate": _gate,
    "learning": _learning,
    "length": _length,
    "shapes": _shapes,
    "coverage": _coverage,
    "diversity": _diversity,
    "seconds": _seconds,
    "cost": _cost,
}


def _term_names(evidence: Evidence) -> list[str]:
    return list(dict.fromkeys(name for step in evidence.steps for name in step.terms))


def _curve(evidence: Evidence, name: str) -> dict[int, float]:
    return {step.step: value for step in evidence.steps if (value := step.terms.get(name)) is not None}


def _rewards(evidence: Evidence) -> list[list[float]]:
    groups = evidence.by_step()
    return [[r.reward for r in groups.get(step.step, []) if r.reward is not None] for step in evidence.steps]
