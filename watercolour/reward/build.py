"""From the configuration's `reward.terms` to the terms themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from watercolour.errors import PrerequisiteError, WatercolourError
from watercolour.references import Reference, read_pool
from watercolour.reward.base import Term
from watercolour.reward.fills import FillsTerm
from watercolour.reward.gate import GateTerm
from watercolour.reward.length import LengthTerm, TokenCount
from watercolour.reward.mix import Mix
from watercolour.reward.pigment import CoverageTerm
from watercolour.reward.settings import (
    AbsoluteSettings,
    AnyTermSettings,
    CoverageSettings,
    FillsSettings,
    GateSettings,
    Hpsv3Settings,
    LengthSettings,
    PairwiseSettings,
    SubjectSettings,
    TasteSettings,
)
from watercolour.reward.subject import SubjectTerm
from watercolour.shipped import find_pool

if TYPE_CHECKING:
    from watercolour.config import RunConfig
    from watercolour.medium import Medium


class TermBuilder:
    """Builds the terms of one configuration. The pool is read when the first term needs it, unless it is given.

    `count` counts tokens as the policy does; without it, four characters are a token.
    """

    def __init__(
        self,
        config: RunConfig,
        medium: Medium,
        *,
        references: Sequence[Reference] | None = None,
        count: TokenCount | None = None,
    ) -> None:
        self.medium = medium
        self.pool = config.pool or medium.pool
        self.subjects = config.subject or medium.subjects
        self.count = count
        self._evaluates = config.eval is not None
        self._references = references

    @property
    def references(self) -> Sequence[Reference]:
        """The pool's paintings. Raises ConfigError when the pool is not there or wrong."""
        if self._references is None:
            self._references = read_pool(find_pool(self.pool))
        return self._references

    def build(self, settings: AnyTermSettings) -> Term:
        """The term. Raises PrerequisiteError or ConfigError when it cannot work here."""
        medium, name = self.medium, settings.called
        match settings:
            case GateSettings():
                strict = settings.strict_allowlist
                methods, names = medium.method_names, medium.closed_names
                return GateTerm(methods, medium.size, strict_allowlist=strict, names=names, name=name)
            case LengthSettings():
                return LengthTerm(
                    settings.kind,
                    floor_tokens=settings.floor_tokens,
                    full_tokens=settings.full_tokens,
                    ceiling_tokens=settings.ceiling_tokens,
                    count=self.count if settings.count_by == "policy" else None,
                    name=name,
                )
            case CoverageSettings():
                return CoverageTerm(settings.full_at, name=name)
            case SubjectSettings():
                return SubjectTerm(settings, self.subjects)
            case FillsSettings():
                return FillsTerm(medium.method_names, medium.size, settings.full_at, name=name)
            case PairwiseSettings() | AbsoluteSettings():
                needs_pool = isinstance(settings, PairwiseSettings) and (settings.rivals != "group" or self._evaluates)
                from watercolour.reward.judge import build_judge

                return build_judge(settings, medium, self.references if needs_pool else ())
            case Hpsv3Settings():
                from watercolour.reward.hpsv3 import Hpsv3Term

                return Hpsv3Term(settings, medium.scorer_text)
            case TasteSettings():
                from watercolour.reward.taste import TasteTerm

                return TasteTerm(settings, find_pool(self.pool))


def build_mix(
    config: RunConfig,
    medium: Medium,
    *,
    references: Sequence[Reference] | None = None,
    count: TokenCount | None = None,
) -> Mix:
    """The mix that a configuration asks for; terms of weight 0 are not built.

    Raises PrerequisiteError, naming each weighted term that cannot work: a weight is never dropped in silence.
    """
    builder = TermBuilder(config, medium, references=references, count=count)
    terms: list[tuple[Term, float]] = []
    lacks: list[str] = []
    for settings in config.reward.weighted:
        try:
            terms.append((builder.build(settings), settings.weight))
        except WatercolourError as error:
            lacks.append(f"{settings.called} (weight {settings.weight:g}): {error}")
    if lacks:
        raise PrerequisiteError("; ".join(lacks))
    return Mix(terms)


def needs_tokens(config: RunConfig) -> bool:
    """Whether any weighted term counts tokens as the policy does."""
    return any(isinstance(term, LengthSettings) and term.count_by == "policy" for term in config.reward.weighted)
