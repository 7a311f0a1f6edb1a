"""From a pool to a taste: encode, hold out, calibrate, fit on all, report."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from watercolour.errors import ConfigError
from watercolour.references import Reference, read_pool
from watercolour.taste.calibrate import Calibration
from watercolour.taste.encoder import Encoder
from watercolour.taste.features import picture_features, pool_features
from watercolour.taste.groups import group_by_source
from watercolour.taste.head import Head, fit_head
from watercolour.taste.heldout import FOLDS, REPEATS, Ratings, hold_out
from watercolour.taste.model import Rated, Taste
from watercolour.taste.neighbours import Neighbours, measure_unit
from watercolour.taste.pairs import PAIRS, RANK, read_pairs, tiers_present
from watercolour.taste.probes import probe_pictures
from watercolour.taste.validate import calibrate, held_out_folds, validate

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEWEST = 4
"""Source paintings that each tier must have: below it, nothing held out would mean anything."""

Say = Callable[[str], None]


def fit_taste(
    pool: Path, encoder: Encoder, *, pairs: Path | None = None, seed: int = 0, say: Say = lambda what: None
) -> Taste:
    """A taste of the pool's ratings, deterministic by `seed`, which draws folds and resamples; the head needs none.

    `pairs` is a file of comparisons; without it the pool's own pairs.jsonl is taken where there is one. `say` is told
    what is being done. Raises ConfigError for a pool or pairs that will not do, InfraError when the cache cannot be
    written.
    """
    references = read_pool(pool)
    ratings = _ratings(pool, references, encoder, pairs, say)
    say("scoring held-out paintings")
    held = hold_out(ratings, seed=seed, repeats=REPEATS, folds=held_out_folds(ratings, FOLDS))
    calibration = calibrate(held, ratings)
    head = fit_head(ratings.features, ratings.ranks, ratings.pairs)
    z = head.standardise(ratings.features)
    neighbours = Neighbours(z, measure_unit(z, ratings.groups))
    say("drawing the learning curve")
    probes = _probe(encoder, head, calibration, neighbours)
    report = validate(ratings, references, held, calibration, probes, seed=seed)
    mean_scores = held.scores.mean(0)
    return Taste(
        encoder=encoder.name,
        fingerprint=encoder.fingerprint,
        pool=pool.resolve().name,
        seed=seed,
        fitted=datetime.datetime.now(datetime.UTC).date().isoformat(),
        head=head,
        calibration=calibration,
        neighbours=neighbours,
        rated=[
            Rated(
                name=reference.name,
                tier=str(reference.tier),
                sha256=reference.sha256,
                group=int(ratings.groups[row]),
                held_out=float(mean_scores[row]),
            )
            for row, reference in enumerate(references)
        ],
        report=report,
    )


def _ratings(pool: Path, references: Sequence[Reference], encoder: Encoder, pairs: Path | None, say: Say) -> Ratings:
    ranks = np.array([RANK[reference.tier] for reference in references])
    groups = group_by_source(references)
    if not tiers_present(ranks):
        raise ConfigError(
            f"{pool}: all its paintings have one rating; a taste needs at least two of love, okay and nope"
        )
    for tier, rank in RANK.items():
        count = len(set(groups[ranks == rank].tolist()))
        if 0 < count < FEWEST:
            raise ConfigError(
                f"{pool}: tier {tier} has paintings from too few sources ({count}): "
                f"a taste needs {FEWEST} or more of each tier; rate more"
            )
    compared = read_pairs(pairs or pool / PAIRS, references) if pairs or (pool / PAIRS).exists() else []
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        if done % 20 == 0 or done == 2 * len(references):
            say(f"encoding with {encoder.name}: {done} of {2 * len(references)} pictures (each and its mirror image)")

    features = pool_features(encoder, references, tick=tick)
    mirrored = pool_features(encoder, references, mirrored=True, tick=tick)
    return Ratings(features, mirrored, ranks, groups, compared)


def _probe(
    encoder: Encoder, head: Head, calibration: Calibration, neighbours: Neighbours
) -> dict[str, dict[str, float]]:
    pictures = probe_pictures()
    features = np.stack([picture_features(encoder, picture) for picture in pictures.values()])
    scores, distances = head.score(features), neighbours.distance(head.standardise(features))
    columns: dict[str, NDArray[np.float64]] = {
        "value": calibration.value(scores),
        "score": scores,
        "distance": distances,
    }
    return {name: {key: float(column[row]) for key, column in columns.items()} for row, name in enumerate(pictures)}
