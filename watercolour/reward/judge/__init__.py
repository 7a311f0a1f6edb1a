"""The judge: a vision model at an OpenAI-compatible endpoint, asked which of two pictures is better, or for marks.

Covers: a sketch's source never reaches the judge; pictures do, and it is told that words in them are paint (the gate
refuses text drawing); a server's words are shown without the key. Does not cover: what an endpoint does with the
pictures, nor a picture that moves a model by other means than words.

Faults: what may pass (429, 5xx, time-outs, dropped connections) is tried again; a question without a usable answer
leaves rollouts unscored; what no further question can mend (key, model, budget) raises ConfigError or
PrerequisiteError out of `score`, and a run must stop for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from watercolour.medium import Medium
from watercolour.references import Reference
from watercolour.reward.settings import AbsoluteSettings, PairwiseSettings

if TYPE_CHECKING:
    from watercolour.reward.judge.absolute import AbsoluteTerm
    from watercolour.reward.judge.pairwise import PairwiseTerm


def build_judge(
    settings: PairwiseSettings | AbsoluteSettings,
    medium: Medium,
    references: Sequence[Reference],
    *,
    cache: Path | None = None,
) -> PairwiseTerm | AbsoluteTerm:
    """The term that the settings ask for, with its answers kept in the folder `cache` (None: the user's cache).

    Raises PrerequisiteError when the variable of the endpoint's key is not set, ConfigError when the pool has too few
    paintings of a tier for a step's draw. Nothing is asked yet.
    """
    from watercolour.reward.judge.absolute import AbsoluteTerm
    from watercolour.reward.judge.asking import Asker
    from watercolour.reward.judge.cache import AnswerCache
    from watercolour.reward.judge.pairwise import PairwiseTerm

    name = settings.name or settings.term
    asker = Asker(settings, name, AnswerCache(cache))
    if isinstance(settings, PairwiseSettings):
        return PairwiseTerm(settings, medium, references, asker, name)
    return AbsoluteTerm(settings, medium, asker, name)
