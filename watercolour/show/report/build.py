"""From what a person names to a report: runs, their folders, or CSV files of curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from watercolour.runs import RunDir
from watercolour.show.report.curve import read_curve
from watercolour.show.report.diversity import by_features
from watercolour.show.report.evidence import Evidence, read_run
from watercolour.show.report.layout import Told
from watercolour.show.report.page import make_page
from watercolour.show.report.pins import pins_of
from watercolour.show.report.plot import TONES
from watercolour.show.report.sections import Options, analyse, compare_runs

RUN_TONES = TONES - 1
"""The last tone is grey, for single rollouts."""


@dataclass(frozen=True)
class Report:
    """Runs with their sections, and how each pair of them compares."""

    told: tuple[Told, ...]
    pairs: tuple[dict[str, Any], ...]

    def record(self) -> dict[str, Any]:
        """As plain data, which `watercolour report --json` prints."""
        return {"runs": [_record(run) for run in self.told], "pairs": list(self.pairs)}

    def page(self) -> str:
        """As one HTML page."""
        pins = {run.name: pins_of(run.evidence) for run in self.told}
        return make_page(self.told, pins, self.pairs)


def read_all(names: Sequence[str]) -> list[Evidence]:
    """Each name's evidence: a CSV file is a curve, all else a run. Two of one name are told apart by a number.

    Raises ConfigError where there is no such run or curve, InfraError where a record cannot be read.
    """
    found: list[Evidence] = []
    for name in names:
        path = Path(name)
        evidence = read_curve(path) if path.suffix.lower() == ".csv" else read_run(RunDir.open(name))
        taken = {each.name for each in found}
        called, number = evidence.name, 2
        while called in taken:
            called, number = f"{evidence.name} ({number})", number + 1
        found.append(replace(evidence, name=called))
    return found


def make_report(
    evidence: Sequence[Evidence],
    *,
    encoder: str | None = None,
    usd_per_hour: float | None = None,
    usd_per_answer: float | None = None,
    tick: Callable[[], None] = lambda: None,
) -> Report:
    """A report on these runs. With an `encoder` the distances between pictures are computed too, and kept in the cache.

    Raises ConfigError and PrerequisiteError for an encoder that is not there.
    """
    distances = {}
    if encoder:
        from watercolour.taste.encoder import load_encoder

        loaded = load_encoder(encoder)
        distances = {each.name: (encoder, by_features(each, loaded, tick)) for each in evidence if each.rollouts}
    options = Options(distances or None, usd_per_hour, usd_per_answer)
    told = tuple(Told(each, analyse(each, options), place % RUN_TONES) for place, each in enumerate(evidence))
    return Report(told, tuple(compare_runs(list(evidence))))


def _record(run: Told) -> dict[str, Any]:
    evidence = run.evidence
    return {
        "name": run.name,
        "source": evidence.source,
        "status": evidence.status,
        "steps": run.steps,
        "rollouts": len(evidence.rollouts),
        "unscored": len(evidence.rollouts) - len(evidence.scored),
        "sections": {name: section.facts for name, section in run.sections.items()},
        "left_out": {name: section.left_out for name, section in run.sections.items() if section.facts is None},
    }
