"""Preflight: each weighted term scores one real painting of the pool, so that none is found wanting in mid-run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from watercolour.errors import PrerequisiteError, WatercolourError
from watercolour.references import Reference, Tier
from watercolour.reward.base import Score, ScoreContext, Term
from watercolour.reward.build import TermBuilder

if TYPE_CHECKING:
    from watercolour.reward.settings import AnyTermSettings


@dataclass(frozen=True)
class TermCheck:
    """How one term did. `value` is what the painting scored, None where it could not be; `why` is the term's reason."""

    name: str
    weight: float
    value: float | None
    why: str
    seconds: float

    def describe(self) -> str:
        """One line without the name."""
        if self.value is None:
            return f"weight {self.weight:g}, but {self.why}"
        return f"weight {self.weight:g}, gave {self.value:.3f} in {self.seconds:.2f} s ({self.why})"


def choose_painting(references: Sequence[Reference]) -> Reference:
    """The same painting each time, so that what was asked about it once is not asked again: the first loved one."""
    return next((reference for reference in references if reference.tier is Tier.LOVE), references[0])


async def check_terms(
    terms: Sequence[tuple[Term, float]], reference: Reference, *, run_seed: int = 0
) -> list[TermCheck]:
    """Have each term score `reference` for real, one after the other; nothing that a term raises gets out."""
    painting = reference.painting()
    context = ScoreContext(run_seed=run_seed, subject=reference.subject)
    checks = []
    for term, weight in terms:
        started = time.perf_counter()
        try:
            (score,) = await term.score([painting], context)
        except WatercolourError as error:
            score = Score(None, str(error))
        except Exception as error:  # told as any other fault; the run does not start
            score = Score(None, f"it failed with {type(error).__name__}: {' '.join(str(error).split())}")
        checks.append(TermCheck(term.name, weight, score.value, score.why, time.perf_counter() - started))
    return checks


async def check_settings(
    builder: TermBuilder, settings: Sequence[AnyTermSettings], *, run_seed: int = 0
) -> list[TermCheck]:
    """`check_terms` for terms that are not built yet; one that cannot be built is a failed check like any other."""
    checks: list[TermCheck] = []
    for each in settings:
        try:
            term = builder.build(each)
        except WatercolourError as error:
            checks.append(TermCheck(each.called, each.weight, None, str(error), 0.0))
            continue
        try:
            reference = choose_painting(builder.references)
            checks += await check_terms([(term, each.weight)], reference, run_seed=run_seed)
        except WatercolourError as error:
            checks.append(TermCheck(each.called, each.weight, None, str(error), 0.0))
        finally:
            await term.close()
    return checks


def require_all(checks: Sequence[TermCheck]) -> None:
    """Raises PrerequisiteError, naming each term that could not score and why."""
    if failed := [f"{check.name}: {check.describe()}" for check in checks if check.value is None]:
        raise PrerequisiteError(f"the reward cannot be scored: {'; '.join(failed)}")
