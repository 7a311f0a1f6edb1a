"""The folder that a session of painting fills: pictures and sources as they come, then what was kept and why.

OUT/  01.png  01.js  ...  sheet.png  paint.json
      attempts/01-1.png  attempts/01-1.js  ...  attempts.png     where there were several at each picture
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watercolour.errors import ConfigError
from watercolour.files import plain, write_whole
from watercolour.paint.session import Attempt, best_of, record_of
from watercolour.show.sheet import Tile, draw_sheet, in_rows

if TYPE_CHECKING:
    from PIL import Image

    from watercolour.paint.session import Plan

ROOT = Path("paintings")


class PaintFolder:
    """Never writes over what is there."""

    def __init__(self, out: Path | None, plan: Plan) -> None:
        """`out` must be new or empty; without it, the first free paintings/SUBJECT-N. Raises ConfigError."""
        self._plan = plan
        try:
            self.path = _free(plan.subject) if out is None else _empty(out)
            if plan.tries > 1:
                (self.path / "attempts").mkdir()
        except OSError as error:
            raise ConfigError(
                f"{error.filename or out}: cannot be made ({error.strerror}); choose another -o"
            ) from error

    def add(self, attempt: Attempt) -> None:
        """Keep an attempt's source and picture. Raises InfraError."""
        self._write(self._stem(attempt), attempt)

    def finish(
        self, attempts: Sequence[Attempt], facts: Mapping[str, Any], weights: dict[str, float]
    ) -> dict[str, Any]:
        """Keep the best of each picture, draw the sheets, write paint.json; returns what that holds."""
        best = best_of(attempts)
        if self._plan.tries > 1:
            for place, attempt in best.items():
                self._write(self._name(place), attempt)
        head = self._plan.subject, f"{facts['from']}, {len(best)} of {self._plan.count}"
        self._sheet("sheet.png", *head, in_rows([_tile(attempt) for attempt in best.values()]))
        if self._plan.tries > 1:
            rows = [
                [_tile(attempt, best=best[place]) for attempt in attempts if attempt.picture == place] for place in best
            ]
            self._sheet("attempts.png", *head, rows)
        paintings = [
            {**self._files(self._name(place), attempt), **record_of(attempt, weights)}
            for place, attempt in best.items()
        ]
        tries = [{**self._files(self._stem(each), each), **record_of(each, weights)} for each in attempts]
        record: dict[str, Any] = plain(
            {**facts, "paintings": paintings, "attempts": tries if self._plan.tries > 1 else []}
        )
        write_whole(self.path / "paint.json", json.dumps(record, indent=2).encode() + b"\n")
        return record

    def _name(self, place: int) -> str:
        return f"{place:0{max(2, len(str(self._plan.count)))}d}"

    def _stem(self, attempt: Attempt) -> str:
        name = self._name(attempt.picture)
        return name if self._plan.tries == 1 else f"attempts/{name}-{attempt.number}"

    def _files(self, stem: str, attempt: Attempt) -> dict[str, str | None]:
        return {
            "png": f"{stem}.png" if attempt.painting.pixels is not None else None,
            "source": f"{stem}.js" if _source(attempt) else None,
        }

    def _write(self, stem: str, attempt: Attempt) -> None:
        if source := _source(attempt):
            write_whole(self.path / f"{stem}.js", source.encode("utf-8", "surrogatepass"))
        if attempt.painting.pixels is not None:
            write_whole(self.path / f"{stem}.png", attempt.painting.png())

    def _sheet(self, name: str, heading: str, detail: str, rows: Sequence[Sequence[Tile]]) -> None:
        if not rows:
            return
        image: Image.Image = draw_sheet(heading, detail, rows)
        png = io.BytesIO()
        image.save(png, "PNG", optimize=True)
        write_whole(self.path / name, png.getvalue())


def _source(attempt: Attempt) -> str:
    return attempt.painting.sketch.source if attempt.painting.sketch else ""


def _tile(attempt: Attempt, best: Attempt | None = None) -> Tile:
    """A picture with its reward, or the gate's verdict; the best of several is marked."""
    total = attempt.reward.total if attempt.reward else None
    number = f"{attempt.picture}" if best is None else f"{attempt.picture}, try {attempt.number}"
    says = f"{total:.3f}" if total is not None else "passed" if attempt.gate.value else attempt.painting.outcome.value
    why = attempt.gate.why if not attempt.gate.value else _terms(attempt)
    return Tile(attempt.painting.pixels, f"{number}: {says}", why, is_marked=attempt is best)


def _terms(attempt: Attempt) -> str:
    scores = attempt.reward.scores if attempt.reward else {}
    return ", ".join(f"{name} {score.value:.2f}" for name, score in scores.items() if score.value is not None)


def _free(subject: str) -> Path:
    slug = re.sub(r"[^a-z0-9]+", "-", subject.lower()).strip("-")[:48] or "painting"
    number = 1
    while True:
        path = ROOT / f"{slug}-{number}"
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            number += 1
        else:
            return path


def _empty(out: Path) -> Path:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out}: holds something already; name a new folder with -o")
    out.mkdir(parents=True, exist_ok=True)
    return out
