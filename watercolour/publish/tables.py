"""Tables with pictures in them: Parquet that `datasets` and the Hub's viewer read, an image column as an image."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watercolour.files import plain
from watercolour.references import Reference
from watercolour.runs import RolloutRecord, RunDir

if TYPE_CHECKING:
    from watercolour.publish.clean import Cleaner

ROWS_A_GROUP = 64
"""Rows in a row group: with pictures of some 250 kB, about 16 MB, which a viewer can page through."""

Columns = dict[str, str]
"""Each column's type by name: image, string, strings, int64, float64 or bool."""

ROLLOUT_COLUMNS: Columns = {
    "image": "image",
    "step": "int64",
    "index": "int64",
    "subject": "string",
    "reward": "float64",
    "outcome": "string",
    "source": "string",
    "completion": "string",
    "errors": "strings",
    "coverage": "float64",
    "tokens": "int64",
    "truncated": "bool",
    "seconds": "float64",
    "sha256": "string",
    "skipped": "strings",
    "measures": "string",
}
POOL_COLUMNS: Columns = {
    "image": "image",
    "name": "string",
    "tier": "string",
    "subject": "string",
    "source": "string",
    "licence": "string",
    "generator": "string",
    "round": "int64",
    "coverage": "float64",
    "hpsv3_mu": "float64",
    "photo_licence": "string",
    "photo_attribution": "string",
    "photo_url": "string",
    "medium": "string",
    "seed": "int64",
    "backend": "string",
    "browser": "string",
    "p5": "string",
    "p5.brush": "string",
    "sha256": "string",
}


def rollout_columns(terms: Sequence[str]) -> Columns:
    """The rollouts' columns: of every term its value, its weight, its reason, and its parts as JSON."""
    kinds = {"": "float64", "_weight": "float64", "_why": "string", "_parts": "string"}
    return ROLLOUT_COLUMNS | {f"term_{name}{part}": kind for name in terms for part, kind in kinds.items()}


def rollout_rows(run: RunDir, steps: Iterable[int], terms: Sequence[str], cleaner: Cleaner) -> Iterator[dict[str, Any]]:
    """A row a rollout. `image` is None where there is no picture, or its file is gone."""
    for step in steps:
        for rollout in run.rollouts(step):
            yield _rollout_row(run, rollout, terms, cleaner)


def pool_rows(references: Iterable[Reference], cleaner: Cleaner) -> Iterator[dict[str, Any]]:
    """A row a painting, with what its line says of it; a column that it says nothing of is None."""
    for reference in references:
        facts = {name: value for name, value in reference.facts.items() if name in POOL_COLUMNS}
        told = {name: cleaner.text(value) if isinstance(value, str) else value for name, value in facts.items()}
        yield {
            **dict.fromkeys(POOL_COLUMNS),
            **told,
            "image": {"bytes": reference.picture.read_bytes(), "path": reference.picture.name},
            "name": reference.name,
            "tier": reference.tier.value,
            "subject": reference.subject,
            "source": cleaner.text(reference.sketch()),
        }


def write_table(path: Path, columns: Columns, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write the rows, a few at a time; returns how many there were."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = _schema(columns)
    count = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in _batches(rows, ROWS_A_GROUP):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            count += len(batch)
    return count


def _rollout_row(run: RunDir, rollout: RolloutRecord, terms: Sequence[str], cleaner: Cleaner) -> dict[str, Any]:
    row: dict[str, Any] = {
        "image": _image(run, rollout.painting),
        "step": rollout.step,
        "index": rollout.index,
        "subject": rollout.subject,
        "reward": rollout.reward,
        "outcome": rollout.outcome,
        "source": cleaner.text(rollout.source),
        "completion": cleaner.text(rollout.completion),
        "errors": [cleaner.facts(error) for error in rollout.errors],
        "coverage": rollout.coverage,
        "tokens": rollout.tokens,
        "truncated": rollout.truncated,
        "seconds": rollout.seconds,
        "sha256": rollout.painting,
        "skipped": list(rollout.skipped),
        "measures": json.dumps(cleaner.record(plain(rollout.measures))),
    }
    for name in terms:
        term = rollout.terms.get(name)
        row |= {
            f"term_{name}": term.value if term else None,
            f"term_{name}_weight": term.weight if term else None,
            f"term_{name}_why": cleaner.facts(term.why) if term else None,
            f"term_{name}_parts": json.dumps(cleaner.record(plain(term.parts))) if term else None,
        }
    return row


def _image(run: RunDir, name: str | None) -> dict[str, Any] | None:
    try:
        path = run.image_path(name) if name else None
    except ValueError:
        return None
    return {"bytes": path.read_bytes(), "path": path.name} if path and path.is_file() else None


def _schema(columns: Columns) -> Any:
    from datasets import Features, Image, List, Value  # type: ignore[import-untyped]

    def feature(kind: str) -> Any:
        return Image() if kind == "image" else List(Value("string")) if kind == "strings" else Value(kind)

    return Features({name: feature(kind) for name, kind in columns.items()}).arrow_schema


def _batches(rows: Iterable[Mapping[str, Any]], size: int) -> Iterator[list[Mapping[str, Any]]]:
    batch: list[Mapping[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
