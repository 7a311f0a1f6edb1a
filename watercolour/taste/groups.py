"""Which paintings are variants of one source: they must never be on both sides of a held-out test."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from watercolour.references import Reference

if TYPE_CHECKING:
    from numpy.typing import NDArray

RUN = 12
"""Tokens in a run."""
SAME_SHARE = 0.7
"""From this share of common runs on, two sources are variants. Written apart, on one skeleton, they share up to .6."""

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r"[A-Za-z_$][\w$]*|\d+(?:\.\d+)?|\"[^\"]*\"|'[^']*'|\S")


def group_by_source(references: Sequence[Reference]) -> NDArray[np.int64]:
    """(n,) group numbers, equal for paintings that share a `group` in the index, a picture, or most of their source.

    Numbers and texts in a source count for nothing here, so another seed, size or colour of a sketch is its variant.
    Raises ConfigError when a source cannot be read.
    """
    parent = list(range(len(references)))

    def root(row: int) -> int:
        while parent[row] != row:
            row = parent[row]
        return row

    runs = [source_runs(reference.sketch()) for reference in references]
    for row, reference in enumerate(references):
        for other in range(row):
            if _related(reference, references[other]) or similarity(runs[row], runs[other]) >= SAME_SHARE:
                parent[root(row)] = root(other)
    return np.unique([root(row) for row in range(len(references))], return_inverse=True)[1].astype(np.int64)


def source_runs(source: str) -> frozenset[int]:
    """Hashes of all runs of `RUN` tokens, comments left out, every number and every text alike."""
    tokens = [_kind(token) for token in _TOKEN.findall(_COMMENT.sub("", source))]
    return frozenset(hash(tuple(tokens[at : at + RUN])) for at in range(max(1, len(tokens) - RUN + 1)))


def similarity(one: frozenset[int], other: frozenset[int]) -> float:
    """The share of runs that two sources have in common, 0..1 (Jaccard)."""
    return len(one & other) / len(one | other)


def _related(one: Reference, other: Reference) -> bool:
    named = one.facts.get("group") is not None and one.facts.get("group") == other.facts.get("group")
    return named or one.source == other.source or one.sha256 == other.sha256


def _kind(token: str) -> str:
    return "0" if token[0].isdigit() else '""' if token[0] in "\"'" else token
