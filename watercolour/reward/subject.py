"""Subject: has the flower the colour that the prompt asks for?

What is weighed is paint: every pixel by how far it lies from the paper, up to a limit, so that a thin wash counts less
than a stroke and the paper not at all. Greenery is left out unless green was asked for: a leaf is no fault. The term
sees colours only, never where they lie nor what they depict.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from watercolour.colours import COLOURS, bin_labs, colours_in, count_colours, to_lab
from watercolour.errors import ConfigError
from watercolour.painting import BLANK_COVERAGE, Painting, guess_paper
from watercolour.reward.base import Score, ScoreContext

if TYPE_CHECKING:
    from watercolour.reward.settings import SubjectSettings

FAINT, FULL = 6.0, 18.0
"""Distances from the paper in CIELAB at which paint begins to count, and from which it counts in full: low enough for a
white flower, which is its shades."""

PALE_PAPER = 85.0
"""L* from which paper counts as pale."""

ACCENT_SHARE = 0.03
"""The share of the flower's paint, 0..1, from which an accent such as a red eye is there in full."""

FEWEST_TO_NAME = 0.2
"""A palette is called mostly this or that from this share of the flower's paint on."""


@dataclass(frozen=True)
class Palette:
    """What a picture is painted in. `area` is the flower's paint as a share of the whole sheet, 0..1; `shares` are
    the parts of it that each colour of the table has. Colours overlap: the shares need not sum to 1."""

    area: float
    shares: dict[str, float]

    def mostly(self) -> str:
        """The colour of the largest share, in words."""
        name = max(self.shares, key=self.shares.__getitem__)
        if self.shares[name] < FEWEST_TO_NAME:
            return "of no colour that the table knows"
        return f"mostly {name} ({self.shares[name]:.0%})"


class SubjectTerm:
    """The share of the flower's paint that has the prompt's colour: linear from 0 to 1 at `full_share`, times the share
    of the sheet that it covers, linear to 1 at `full_area`. So a dot wins little, and a flood no more than a flower.

    The prompt's first colour word is the main colour; each further one is an accent, and those that are missing take
    `accent_weight` off in all. A prompt without a colour word scores 1 for everything: no signal.
    Raises ConfigError where none of the run's `subjects` names a colour.
    """

    needs_source = False

    def __init__(self, settings: SubjectSettings, subjects: Sequence[str]) -> None:
        self.name = settings.called
        self.full_share = settings.full_share
        self.full_area = settings.full_area
        self.accent_weight = settings.accent_weight
        if not any(map(colours_in, subjects)):
            raise ConfigError(
                f"none of the subjects names a colour ({', '.join(subjects)}), so every painting would score 1: "
                f"leave the term out, or ask for one of {', '.join(COLOURS)}"
            )

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        """One Score a painting; `parts` has the colours asked for, the area and the palette's shares above .01."""
        asked = colours_in(context.subject)
        return await asyncio.to_thread(lambda: [self._score(painting, asked) for painting in paintings])

    async def close(self) -> None:
        """Holds nothing open."""

    def _score(self, painting: Painting, asked: tuple[str, ...]) -> Score:
        if painting.outcome.is_ours:
            return Score(None, "not judged: the browser could not be had")
        if not asked:
            return Score(1.0, "the prompt names no colour: 1 for every painting", {"asked": []})
        if painting.pixels is None:
            return Score(0.0, f"no picture to judge: {painting.outcome.value}")
        if painting.coverage < BLANK_COVERAGE:
            return Score(0.0, f"blank: {painting.coverage:.2%} of the paper carries paint")
        palette = read_palette(painting, asked)
        main, *accents = asked
        share, area = palette.shares[main], palette.area * palette.shares[main]
        value = min(1.0, share / self.full_share) * min(1.0, area / self.full_area)
        if accents:
            there = [min(1.0, palette.shares[accent] / ACCENT_SHARE) for accent in accents]
            value *= 1 - self.accent_weight * (1 - sum(there) / len(there))
        parts = {
            "asked": list(asked),
            "area": round(palette.area, 4),
            "shares": {name: round(each, 4) for name, each in palette.shares.items() if each >= 0.01},
        }
        return Score(value, self._why(palette, main, accents), parts)

    def _why(self, palette: Palette, main: str, accents: Sequence[str]) -> str:
        share = palette.shares[main]
        said = f"{share:.0%} of the flower's paint is {main}; {self.full_share:.0%} is full marks"
        if share < self.full_share:
            said += f"; it is {palette.mostly()}"
        elif palette.area * share < self.full_area:
            said += f", but it covers {palette.area * share:.1%} of the sheet, and {self.full_area:.0%} is full marks"
        for accent in accents:
            said += f"; {palette.shares[accent]:.1%} is {accent}, {ACCENT_SHARE:.0%} is enough"
        return said


def read_palette(painting: Painting, asked: Sequence[str] = ()) -> Palette:
    """The palette of a painting's flower, for a prompt that asks for the colours `asked`. Needs a picture.

    The order of the pixels does not matter. The paper is the painting's own, or the commonest colour of the border. Its
    tint is taken off where it is pale: a warm paper turns every thin wash warm, and a coral one would pass for peach.
    """
    import numpy as np

    assert painting.pixels is not None
    places, counts = count_colours(painting.pixels)
    lab = bin_labs()[places]
    paper = to_lab(painting.paper or guess_paper(painting.pixels))
    distance = np.sqrt(((lab - paper) ** 2).sum(axis=1))
    if paper[0] >= PALE_PAPER:
        lab = lab - np.array([0, paper[1], paper[2]])
    memberships = {name: colour.membership(lab) for name, colour in COLOURS.items()}
    weights = counts * np.clip((distance - FAINT) / (FULL - FAINT), 0, 1)
    if "green" not in asked:
        weights = weights * (1 - memberships["green"])
    total = float(weights.sum())
    shares = {
        name: float((weights * membership).sum()) / total if total > 0 else 0.0
        for name, membership in memberships.items()
    }
    return Palette(total / int(counts.sum()), shares)
