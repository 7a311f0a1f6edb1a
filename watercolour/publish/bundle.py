"""The folder that would be uploaded: made whole on this machine first, so that it can be looked at.

OUT/  publish.json  dataset/README.md  dataset/data/*.parquet  ...
      model/README.md  model/adapter_model.safetensors  ...        where a run has a checkpoint
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watercolour.config import load_config
from watercolour.errors import ConfigError, InfraError
from watercolour.files import cannot_write, encode, publish_folder
from watercolour.policy.cache import cache_dir
from watercolour.publish.cards import CardFacts, dataset_card, model_card, pool_card
from watercolour.publish.clean import Cleaner
from watercolour.publish.numbers import RunNumbers, count_run
from watercolour.publish.tables import POOL_COLUMNS, pool_rows, rollout_columns, rollout_rows, write_table
from watercolour.references import Reference, read_pool
from watercolour.shipped import find_pool
from watercolour.show.reel import read_reel
from watercolour.show.sheet import Tile, draw_sheet

if TYPE_CHECKING:
    from watercolour.runs import RunDir

MARKER = "publish.json"
"""Lies in a folder that `publish` made, and is not uploaded: such a folder may be made anew."""
TEXTS = (".json", ".jsonl", ".yaml", ".csv", ".md")
PINNED = 6
"""Paintings shown on a run's card."""
COPY = "FOLDER_OF_THIS_DATA_SET"
"""What a card calls a data set that has no address."""


@dataclass(frozen=True)
class Bundle:
    """`parts` are the folders in `out` that go into a repository each: `dataset` and, of a run, `model`."""

    out: Path
    parts: tuple[str, ...]
    rows: int
    secrets: int
    notes: tuple[str, ...] = ()

    def files(self) -> list[tuple[str, int]]:
        """Every file that is to be published with its bytes, by name."""
        found = [path for part in self.parts for path in (self.out / part).rglob("*") if path.is_file()]
        return [(path.relative_to(self.out).as_posix(), path.stat().st_size) for path in sorted(found)]


def build_run(run: RunDir, out: Path, *, repo: str | None, licence: str, is_merged: bool = False) -> Bundle:
    """A run's rollouts with pictures, its curves and configuration, and its adapter or merged model.

    Raises ConfigError for a run without rollouts or an `out` that holds something else, PrerequisiteError where the
    adapter's base is not on this machine, InfraError.
    """
    numbers, cleaner = count_run(run), Cleaner()
    facts, config = cleaner.record(run.facts()), cleaner.record(run.resolved_config())
    card = CardFacts(
        name=run.path.resolve().name,
        repo=repo or COPY,
        licence=licence,
        facts=facts,
        config=config,
        references=_references(run),
        adapter="",
        is_warm_started=config.get("warm_start") is not None,
    )
    notes = [] if run.last_checkpoint() else ["the run has no checkpoint yet, so there is no adapter to publish"]

    def fill(scratch: Path) -> Bundle:
        nonlocal card
        dataset = scratch / "dataset"
        (dataset / "data").mkdir(parents=True)
        _write_records(dataset, run, cleaner, facts, config, numbers)
        terms = list(numbers.weights)
        rows = rollout_rows(run, numbers.steps, terms, cleaner)
        count = write_table(dataset / "data" / "rollouts.parquet", rollout_columns(terms), rows)
        _pin(run, dataset / "paintings.png")
        (dataset / "README.md").write_text(dataset_card(card, numbers), "utf-8")
        if run.last_checkpoint() is None:
            return Bundle(out, ("dataset",), count, cleaner.secrets, tuple(notes))
        tensors = _export(run, scratch / "model", cleaner, is_merged=is_merged)
        card = replace(card, adapter="merged" if is_merged else "adapter", tensors=tensors)
        (scratch / "model" / "README.md").write_text(model_card(card, numbers), "utf-8")
        if card.is_warm_started and not is_merged:
            notes.append("the adapter's base is warm-started and not contained: --merged publishes the whole model")
        return Bundle(out, ("dataset", "model"), count, cleaner.secrets, tuple(notes))

    return _build(out, fill)


def build_pool(folder: Path, out: Path, *, repo: str | None, licence: str) -> Bundle:
    """A pool's paintings with their sources, ratings and licences. Raises ConfigError, InfraError."""
    references, cleaner = read_pool(folder), Cleaner()
    medium = str(references[0].facts.get("medium") or folder.name)

    def fill(scratch: Path) -> Bundle:
        from watercolour.curate.sheet import contact_sheet

        dataset = scratch / "dataset"
        (dataset / "data").mkdir(parents=True)
        count = write_table(dataset / "data" / "paintings.parquet", POOL_COLUMNS, pool_rows(references, cleaner))
        contact_sheet(references).save(dataset / "paintings.png", optimize=True)
        card = pool_card(repo or COPY, folder.resolve().name, licence, references, medium)
        (dataset / "README.md").write_text(cleaner.facts(card), "utf-8")
        if (folder / "README.md").is_file():
            text = cleaner.facts((folder / "README.md").read_text("utf-8"))
            (dataset / "RATINGS.md").write_text(text, "utf-8")
        return Bundle(out, ("dataset",), count, cleaner.secrets)

    return _build(out, fill)


def _build(out: Path, fill: Callable[[Path], Bundle]) -> Bundle:
    """Let `fill` make the folder aside, check it, and put it in the place of an earlier one of ours."""
    if out.exists() and not (out / MARKER).is_file() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out}: holds something that publish did not make; name another folder with -o")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
        try:
            bundle = fill(scratch)
            made = replace(bundle, out=scratch)
            _refuse_leaks(made)
            (scratch / MARKER).write_text(json.dumps({"files": made.files()}, indent=2) + "\n", "utf-8")
            scratch.chmod(0o755)  # made for its owner alone
            shutil.rmtree(out, ignore_errors=True)
            publish_folder(scratch, out)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        cannot_write(out, error)
    return bundle


def _write_records(dataset: Path, run: RunDir, cleaner: Cleaner, facts: Any, config: Any, numbers: RunNumbers) -> None:
    for name, record in (("run.json", facts), ("config.resolved.json", config)):
        (dataset / name).write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", "utf-8")
    given = run.path / "config.yaml"
    if given.is_file():
        text = cleaner.facts(given.read_text("utf-8", errors="replace"))
        (dataset / "config.yaml").write_text(text, "utf-8")
    lines = [cleaner.record(line) for line in run.metrics()]
    (dataset / "metrics.jsonl").write_bytes(b"".join(encode(line) + b"\n" for line in lines))
    (dataset / "curves.csv").write_text(curves(lines, list(numbers.weights)), "utf-8")


def curves(metrics: Sequence[Mapping[str, Any]], terms: Sequence[str]) -> str:
    """A run's metrics as CSV, a line a step, under the column names that published curves of this kind have."""

    def row(line: Mapping[str, Any]) -> list[Any]:
        trainer, means = line.get("trainer") or {}, line.get("terms") or {}
        seconds = line.get("seconds") or {}
        return [
            line["step"],
            line.get("reward"),
            line.get("reward_best"),
            *(trainer.get(key) for key in ("reward_std", "entropy", "loss", "grad_norm", "learning_rate")),
            sum(seconds.values()) if seconds else None,
            trainer.get("completion_tokens"),
            trainer.get("clipped_share"),
            line.get("coverage"),
            *(means.get(term) for term in terms),
        ]

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    own = ["step", "reward", "reward_best", "reward_std", "entropy", "loss", "grad_norm", "learning_rate", "step_time"]
    shared = ["completions/mean_length", "clipped_ratio", "paint_fraction_mean"]
    writer.writerow([*own, *shared, *(f"{term}_mean" for term in terms)])
    writer.writerows(row(line) for line in metrics)
    return text.getvalue()


def _export(run: RunDir, folder: Path, cleaner: Cleaner, *, is_merged: bool) -> int:
    """The adapter or the merged model in `folder`; returns how many of the adapter's tensors there are."""
    from watercolour.policy.export import export_adapter, export_merged

    done = export_merged(run.path, folder) if is_merged else export_adapter(run.path, folder)
    model = load_config(run.path / "config.resolved.json").policy.model
    for name in ("config.json", "adapter_config.json"):
        path = folder / name
        if path.is_file():
            settings = json.loads(path.read_text("utf-8"))
            named = settings.get("base_model_name_or_path")
            is_own = not Path(str(named)).name.startswith("warm-start-") and not Path(model).is_dir()
            cleaned = cleaner.record(settings)
            if named is not None and is_own:
                cleaned["base_model_name_or_path"] = model  # a name that works on any machine
            path.write_text(json.dumps(cleaned, indent=2, sort_keys=True) + "\n", "utf-8")
    return done.tensors


def _pin(run: RunDir, path: Path) -> None:
    """A sheet of the median paintings of some steps, evenly spread."""
    from watercolour.painting import read_picture

    reel = read_reel(run)
    steps = sorted(reel.scenes)
    count = min(PINNED, len(steps))
    chosen = [steps[round(place * (len(steps) - 1) / max(1, count - 1))] for place in range(count)]
    tiles = []
    for step in dict.fromkeys(chosen):
        scene = reel.scenes[step]
        shot = scene.shots[0]
        pixels = read_picture(shot.picture).pixels if shot.picture else None
        value = "unscored" if scene.reward is None else f"{scene.reward:.3f}"
        tiles.append(Tile(pixels, f"step {step}: {value}", shot.why))
    draw_sheet(reel.name, f"{reel.shows}, of some steps", [tiles]).save(path, optimize=True)


def _references(run: RunDir) -> list[Reference]:
    """The pool that the run was compared with, where it is still there: for its licences alone."""
    from watercolour.medium import load_medium

    try:
        config = load_config(run.path / "config.resolved.json")
        return read_pool(find_pool(config.pool or load_medium(config.medium).pool))
    except ConfigError:
        return []


def _refuse_leaks(bundle: Bundle) -> None:
    """The last look at all that is text: no place of this machine in it."""
    places = {Path.home(), Path.cwd(), cache_dir().resolve(), bundle.out.parent.resolve()}
    names = [os.fsencode(place) + b"/" for place in places if len(place.parts) > 2]
    for name, _ in bundle.files():
        path = bundle.out / name
        if path.suffix in (".json", ".jsonl", ".yaml", ".csv", ".md") and not path.name.startswith(
            ("tokenizer", "vocab")
        ):
            data = path.read_bytes()
            if any(place in data for place in names):
                raise InfraError(f"{name}: would publish a path of this machine; it was not written")
