"""What a folder's ratings say: tiers, pace, agreement with oneself, and the ranking that comparisons give, by rater."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from watercolour.curate.agreement import Agreement, agree
from watercolour.curate.bradley_terry import Ranking, rank
from watercolour.curate.ratings import Answer, Mode, Press, current, current_pairs, current_tiers, raters, read_presses
from watercolour.files import plain, write_whole
from watercolour.references import Tier

SUMMARY = "ratings.summary.json"


@dataclass(frozen=True)
class Summary:
    """One rater. `agreement` is of first ratings with second ones; it and `ranking` are None without any."""

    rater: str
    tiers: dict[str, int]
    skipped: int
    presses: int
    seconds_median: float | None
    """Of all presses with a time."""
    agreement: Agreement | None
    ranking: Ranking | None

    def record(self) -> dict[str, Any]:
        """As plain data."""
        record: dict[str, Any] = plain(
            {
                **vars(self),
                "agreement": self.agreement and self.agreement.record(),
                "ranking": self.ranking and self.ranking.record(),
            }
        )
        return record


def summarise(folder: Path, rater: str | None = None) -> list[Summary]:
    """A summary for each rater, or for one. Raises ConfigError or InfraError when the ratings cannot be read."""
    presses = read_presses(folder, rater)
    return [_summary(name, [press for press in presses if press.rater == name]) for name in raters(presses)]


def write_summary(folder: Path, summaries: Sequence[Summary]) -> Path:
    """Write them beside the ratings. Raises InfraError."""
    path = folder / SUMMARY
    record = {"raters": [summary.record() for summary in summaries]}
    write_whole(path, json.dumps(record, indent=1, allow_nan=False).encode() + b"\n")
    return path


def _summary(rater: str, presses: Sequence[Press]) -> Summary:
    tiers, again, pairs = current_tiers(presses), current_tiers(presses, Mode.RERATE), current_pairs(presses)
    seconds = [press.seconds for press in presses if press.seconds is not None and press.answer is not Answer.UNDO]
    return Summary(
        rater=rater,
        tiers={str(tier): sum(each is tier for each in tiers.values()) for tier in Tier},
        skipped=sum(press.answer is Answer.SKIP for press in current(presses, Mode.RATE).values()),
        presses=len(presses),
        seconds_median=statistics.median(seconds) if seconds else None,
        agreement=agree(tiers, again) if again else None,
        ranking=rank(pairs) if pairs else None,
    )
