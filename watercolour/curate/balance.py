"""A pool in numbers: how many paintings of each tier and subject, and how much of the paper they cover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from watercolour.references import Reference, Tier

BINS = 10
"""Of the coverage histogram: each a tenth of the paper."""


@dataclass(frozen=True)
class Balance:
    """`counts` are paintings by subject and tier, `coverage` how many of each tier lie in each tenth of the paper,
    `medians` the median coverage (0..1) of each tier that has paintings."""

    counts: dict[str, dict[Tier, int]]
    coverage: dict[Tier, list[int]]
    medians: dict[Tier, float]

    def record(self) -> dict[str, object]:
        """As plain data."""
        return {
            "tiers": {tier.value: sum(self.coverage[tier]) for tier in Tier},
            "subjects": {
                subject: {tier.value: number for tier, number in tiers.items()}
                for subject, tiers in self.counts.items()
            },
            "coverage": {
                tier.value: {"median": self.medians.get(tier), "tenths": self.coverage[tier]} for tier in Tier
            },
        }


def balance_of(references: Sequence[Reference]) -> Balance:
    """The numbers of these paintings."""
    counts = Counter((reference.subject, reference.tier) for reference in references)
    subjects = sorted({reference.subject for reference in references})
    shares = {tier: [each.coverage for each in references if each.tier is tier] for tier in Tier}
    tenths = {tier: Counter(min(BINS - 1, max(0, int(share * BINS))) for share in shares[tier]) for tier in Tier}
    return Balance(
        {subject: {tier: counts[subject, tier] for tier in Tier} for subject in subjects},
        {tier: [tenths[tier][number] for number in range(BINS)] for tier in Tier},
        {tier: round(median(given), 5) for tier, given in shares.items() if given},
    )
