"""A Taste: a fitted head with its calibration and the paintings it was fitted to. Features in, Verdicts out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from watercolour.errors import PrerequisiteError
from watercolour.references import Reference
from watercolour.taste.calibrate import Calibration
from watercolour.taste.encoder import Encoder
from watercolour.taste.head import Head
from watercolour.taste.metrics import Frozen
from watercolour.taste.neighbours import Neighbours
from watercolour.taste.validate import Report

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Rated(Frozen):
    """A painting that the head was fitted to."""

    name: str
    tier: str
    sha256: str
    group: int
    """Equal for variants of one source."""
    held_out: float
    """Its mean score by heads that had not seen it."""


@dataclass(frozen=True)
class Verdict:
    """What a taste says of one picture."""

    score: float
    """Of the head; only differences mean something."""
    value: float
    """0..1: the chance of beating a painting drawn from the pool, each tier as likely as another."""
    beats: Mapping[str, float]
    """The same by tier."""
    distance: float
    """From the rated paintings; 1.0 is as far as the 95th percentile of theirs from each other."""
    nearest: Sequence[tuple[Rated, float]]
    """The three most like it, with their cosine similarity, -1..1."""

    def describe(self) -> str:
        """One sentence."""
        near, _ = self.nearest[0]
        tier = "okay" if "okay" in self.beats else next(iter(self.beats))
        far = "; unlike all rated" if self.distance > 1 else ""
        return f"nearest: {near.name} ({near.tier}); beats {self.beats[tier]:.0%} of {tier} paintings{far}"


@dataclass(frozen=True)
class Taste:
    """A fitted taste. `encoder` and `fingerprint` name the only encoder whose features it may be given."""

    encoder: str
    fingerprint: str
    pool: str
    seed: int
    fitted: str
    """The date."""
    head: Head
    calibration: Calibration
    neighbours: Neighbours
    rated: Sequence[Rated]
    report: Report

    def check_encoder(self, encoder: Encoder) -> None:
        """Raises PrerequisiteError when `encoder` is not the one that the head was fitted on."""
        if encoder.fingerprint != self.fingerprint:
            raise PrerequisiteError(
                f"this taste was fitted on {self.encoder} ({self.fingerprint}), not on {encoder.name} "
                f"({encoder.fingerprint}); fit it again: watercolour taste fit {self.pool} --encoder {encoder.name}"
            )

    def judge(self, features: NDArray[np.float32]) -> list[Verdict]:
        """One Verdict for each of (n, d) features. Raises ValueError for features of another length."""
        z, scores = self.head.standardise(features), self.head.score(features)
        beats, values = self.calibration.beats(scores), self.calibration.value(scores)
        distance, nearest = self.neighbours.distance(z), self.neighbours.nearest(z)
        return [
            Verdict(
                score=float(scores[row]),
                value=float(values[row]),
                beats={tier: float(share[row]) for tier, share in beats.items()},
                distance=float(distance[row]),
                nearest=[(self.rated[at], similarity) for at, similarity in nearest[row]],
            )
            for row in range(len(scores))
        ]

    def changes(self, references: Sequence[Reference]) -> dict[str, int]:
        """How a pool differs from the one that was fitted to: paintings `new`, `gone` and `rated differently`."""
        then = {rated.sha256: rated.tier for rated in self.rated}
        now = {reference.sha256: str(reference.tier) for reference in references}
        return {
            "new": len(now.keys() - then.keys()),
            "gone": len(then.keys() - now.keys()),
            "rated differently": sum(then[name] != now[name] for name in then.keys() & now.keys()),
        }
