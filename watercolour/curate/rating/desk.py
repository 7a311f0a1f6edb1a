"""A Desk: one rater at one folder. It says what is to be rated, takes presses, and keeps each before it says so.

The page names a press itself, so one that is sent again after a lost answer is kept once. It also says how many presses
about this painting it has seen: where there are more, another tab was quicker, and nothing is written.
"""

from __future__ import annotations

import itertools
import math
import secrets
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from watercolour.curate.bradley_terry import next_pairs
from watercolour.curate.rateable import Gallery, Rateable
from watercolour.curate.ratings import (
    ANSWERS,
    RATINGS,
    Answer,
    Mode,
    Press,
    append_press,
    current,
    current_pairs,
    current_tiers,
    now,
    read_presses,
    standing,
)
from watercolour.errors import ConfigError
from watercolour.references import Tier

RERATED_SHARE = 0.1
PAIRS_AHEAD = 3
"""Pairs that the page holds, so that the next two pictures are there when a key is pressed."""
RECENT = 30
LONGEST_PAUSE_S = 60.0
"""What took longer counts as this long: somebody was away."""


class Refused(Exception):
    """A press that makes no sense; the page is at fault, or it is not our page."""


class Desk:
    """Thread-safe. `tier` narrows the paintings to those that this rater, or else the pool, gave that tier."""

    def __init__(self, gallery: Gallery, rater: str, mode: Mode, *, seed: int = 0, tier: Tier | None = None) -> None:
        self.folder: Path = gallery.folder
        self.rater = rater
        self.mode = mode
        self.sitting = secrets.token_hex(8)
        self._lock = threading.Lock()
        self._stamp: tuple[int, int] | None = None
        self.presses: list[Press] = []
        self._refresh()
        self.paintings = self._chosen(gallery, seed, tier)
        self._by_key = {painting.key: painting for painting in self.paintings}
        self._key = {painting.id: painting.key for painting in self.paintings}

    def painting(self, key: str) -> Rateable | None:
        """The painting that the page calls `key`."""
        return self._by_key.get(key)

    def state(self, since: int = 0) -> dict[str, Any]:
        """What the page needs: all of it, or with `since` what presses changed after that many."""
        with self._lock:
            self._refresh()
            return self._state(since)

    def take(self, request: Mapping[str, Any]) -> tuple[bool, dict[str, Any]]:
        """Keep a press: whether it was taken, and the state since `request["since"]`.

        Raises Refused for what is no press, InfraError when the disk will not take it.
        """
        ids, answer, press, seconds, seen, since = self._read(request)
        with self._lock:
            self._refresh()
            if any(each.press == press for each in self.presses):  # sent again, since our answer was lost
                return True, self._state(since)
            made = Press(now(), self.rater, self.sitting, press, self.mode, ids, answer, seconds)
            known = sum(each.subject == made.subject for each in self.presses)
            if known != seen:
                return False, self._state(since)
            append_press(self.folder, made)
            self._refresh()
            return True, self._state(since)

    def _chosen(self, gallery: Gallery, seed: int, tier: Tier | None) -> list[Rateable]:
        tiers = current_tiers(self.presses)
        if self.mode is Mode.RERATE:
            rated = [painting for painting in gallery.shuffled(seed, "again") if painting.id in tiers]
            if not rated:
                raise ConfigError(f"{self.folder}: {self.rater} has rated nothing yet that could be rated again")
            return rated[: math.ceil(RERATED_SHARE * len(rated))]
        chosen = [
            painting
            for painting in gallery.shuffled(seed)
            if tier is None or tiers.get(painting.id, painting.tier) is tier
        ]
        if not chosen:
            raise ConfigError(f"{self.folder}: holds no painting of tier {tier} for {self.rater}")
        if self.mode is Mode.PAIR and len(chosen) < 2:
            raise ConfigError(f"{self.folder}: there is one painting alone, and nothing to compare it with")
        return chosen

    def _refresh(self) -> None:
        """Read the file again if anybody has written to it."""
        try:
            found = (self.folder / RATINGS).stat()
        except FileNotFoundError:
            return
        stamp = (found.st_size, found.st_mtime_ns)
        if stamp != self._stamp:
            self.presses = read_presses(self.folder, self.rater)
            self._stamp = stamp

    def _read(self, request: Mapping[str, Any]) -> tuple[tuple[str, ...], Answer, str, float | None, int, int]:
        keys, press, seconds = request.get("keys"), request.get("press"), request.get("seconds")
        seen, since = request.get("seen"), request.get("since")
        wanted = 2 if self.mode is Mode.PAIR else 1
        if not isinstance(keys, list) or len(keys) != wanted or len(set(map(str, keys))) != wanted:
            raise Refused(f"keys must name {wanted} of the paintings")
        paintings = [self._by_key.get(key) if isinstance(key, str) else None for key in keys]
        ids = tuple(painting.id for painting in paintings if painting is not None)
        if len(ids) != wanted:
            raise Refused("there is no such painting")
        if request.get("answer") not in list(ANSWERS[self.mode]):
            raise Refused(f"answer must be one of {', '.join(ANSWERS[self.mode])}")
        if not isinstance(press, str) or not 8 <= len(press) <= 64 or not press.isalnum() or not press.isascii():
            raise Refused("press must be 8 to 64 letters and digits")
        if not _is_count(seen) or not _is_count(since):
            raise Refused("seen and since must be whole numbers from 0")
        known = isinstance(seconds, int | float) and not isinstance(seconds, bool) and 0 <= seconds < math.inf
        return ids, Answer(request["answer"]), press, round(seconds, 2) if known else None, int(seen), int(since)  # type: ignore[arg-type]

    def _state(self, since: int) -> dict[str, Any]:
        mine = [press for press in self.presses if press.mode is self.mode and set(press.ids) <= self._key.keys()]
        if since > len(mine):  # the file was replaced under us: tell all
            since = 0
        state = {
            "revision": len(mine),
            "seconds": self._recent_seconds(mine),
            "history": [self._entry(press) for press in standing(mine)][-RECENT:],
        }
        if since and since == len(mine):
            return state
        if self.mode is Mode.PAIR:
            return {**state, **self._pairs(mine)}
        changed = {press.ids[0] for press in mine[since:]}
        return {**state, "paintings": self._tell(mine, changed if since else None)}

    def _tell(self, mine: Sequence[Press], only: Iterable[str] | None) -> list[dict[str, Any]]:
        now_counts = current(mine, self.mode)
        seen = Counter(press.ids[0] for press in mine)
        wanted = None if only is None else set(only)
        return [
            {
                "key": painting.key,
                "answer": now_counts[(painting.id,)].answer if (painting.id,) in now_counts else None,
                "seen": seen[painting.id],
                "subject": painting.subject,
                "source": painting.code is not None,
            }
            for painting in self.paintings
            if wanted is None or painting.id in wanted
        ]

    def _pairs(self, mine: Sequence[Press]) -> dict[str, Any]:
        """What is compared, how much of it, and the next pairs."""
        answered = current(mine, Mode.PAIR)
        taken = {frozenset(about) for about in answered}
        upcoming = next_pairs([painting.id for painting in self.paintings], current_pairs(mine), taken, PAIRS_AHEAD)
        size = len(self.paintings)
        all_pairs = size * (size - 1) // 2
        seen = Counter(press.subject[1] for press in mine)
        return {
            "paintings": [
                {"key": each.key, "subject": each.subject, "source": each.code is not None} for each in self.paintings
            ],
            "done": len(answered),
            "goal": min(all_pairs, max(size - 1, math.ceil(size * math.log2(max(2, size)) / 2))),
            "pairs": [self._side(pair, seen[tuple(sorted(pair))]) for pair in upcoming],
        }

    def _side(self, pair: tuple[str, str], seen: int) -> dict[str, Any]:
        """Which one is left is decided by their keys, which have nothing to do with how they look."""
        return {"keys": sorted(self._key[name] for name in pair), "seen": seen}

    def _entry(self, press: Press) -> dict[str, Any]:
        seen = sum(each.subject == press.subject for each in self.presses)
        return {"keys": [self._key[name] for name in press.ids], "answer": press.answer, "seen": seen}

    def _recent_seconds(self, mine: Sequence[Press]) -> list[float]:
        lately = itertools.islice((press for press in reversed(mine) if press.sitting == self.sitting), RECENT)
        return [min(press.seconds, LONGEST_PAUSE_S) for press in lately if press.seconds is not None]


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
