"""The shipped taste with the real encoder: what it says of paintings, of their mirror images, and of nothing."""

from __future__ import annotations

import numpy as np

from tests.taste.test_encoder import picture
from watercolour.references import Tier, read_pool
from watercolour.shipped import find_pool
from watercolour.taste.encoder import Encoder
from watercolour.taste.model import Taste
from watercolour.taste.probes import probe_pictures

POOL = find_pool("hibiscus")


def test_it_was_fitted_to_the_pool_as_it_is_on_the_default_encoder(shipped: Taste, encoder: Encoder) -> None:
    shipped.check_encoder(encoder)
    assert not any(shipped.changes(read_pool(POOL)).values())
    assert sum(path.stat().st_size for path in (POOL / "taste").iterdir()) < 2_000_000


def test_held_out_numbers_are_those_that_the_docs_promise(shipped: Taste) -> None:
    pairs = shipped.report.pairs
    assert pairs["love over nope"].low >= 0.9
    assert pairs["okay over nope"].value >= 0.85
    assert shipped.report.splits["love or okay against nope"].balanced_accuracy.value >= 0.8
    assert shipped.report.calibration_error < 0.1


def test_loved_above_okay_above_rejected_and_the_mirror_image_barely_moves(shipped: Taste, encoder: Encoder) -> None:
    references = read_pool(POOL)
    chosen = [next(each for each in references if each.tier is tier) for tier in (Tier.NOPE, Tier.OKAY, Tier.LOVE)]
    pictures = [picture(f"{each.tier}/{each.name}") for each in chosen]
    mirrored = [np.ascontiguousarray(each[:, ::-1]) for each in pictures]
    verdicts = shipped.judge(encoder.encode(pictures + mirrored))
    values = [verdict.value for verdict in verdicts]
    assert values[0] < values[1] < values[2]
    assert np.abs(np.array(values[:3]) - values[3:]).max() < 0.15
    assert [verdict.nearest[0][0].name for verdict in verdicts[:3]] == [each.name for each in chosen]
    assert [round(verdict.nearest[0][1], 2) for verdict in verdicts[:3]] == [1, 1, 1]


def test_blank_paper_noise_and_flat_colour_are_worth_little(shipped: Taste, encoder: Encoder) -> None:
    probes = probe_pictures()
    verdicts = dict(zip(probes, shipped.judge(encoder.encode(list(probes.values()))), strict=True))
    assert all(verdict.value < 1 / 3 for verdict in verdicts.values())
    assert verdicts["noise"].distance > 1.5
    assert "unlike all rated" in verdicts["noise"].describe()
