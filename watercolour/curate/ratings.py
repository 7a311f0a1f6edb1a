"""Ratings: one line a key press, in FOLDER/ratings.jsonl; what counts now is folded from the lines, which stay.

    {"at": "2026-11-30T12:00:00.123+00:00", "rater": "me", "sitting": "9f..", "press": "c1..", "mode": "rate",
     "id": "coral-3", "tier": "love", "seconds": 2.4}
    {..., "mode": "pair", "left": "coral-3", "right": "coral-9", "answer": "left", "seconds": 3.1}

Of one painting the last line counts. `undo` takes the last standing line of that painting, or pair, back; what stood
before it counts again. `skip` leaves a painting without a tier. Lines of mode `rerate` are second opinions: they
are compared with the first ones and replace none.
"""

from __future__ import annotations

import fcntl
import getpass
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from watercolour.errors import ConfigError
from watercolour.files import append_line, cannot_write, cut_torn_tail, read_lines
from watercolour.references import Tier

RATINGS = "ratings.jsonl"
LONGEST_NAME = 64
"""Characters of a rater's name."""


class Mode(StrEnum):
    """What a press answers."""

    RATE = "rate"
    """Which tier is this painting?"""
    RERATE = "rerate"
    """The same, of one that was rated before."""
    PAIR = "pair"
    """Which of two is better?"""


class Answer(StrEnum):
    """All that a key can say; the first five of one painting, the last five of two."""

    LOVE = "love"
    OKAY = "okay"
    NOPE = "nope"
    SKIP = "skip"
    """Not now: no tier, and no side."""
    UNDO = "undo"
    """Take the last answer about this painting, or this pair, back."""
    LEFT = "left"
    RIGHT = "right"
    TIE = "tie"


TIERS = {Answer.LOVE: Tier.LOVE, Answer.OKAY: Tier.OKAY, Answer.NOPE: Tier.NOPE}
ANSWERS = {
    Mode.RATE: (Answer.LOVE, Answer.OKAY, Answer.NOPE, Answer.SKIP, Answer.UNDO),
    Mode.RERATE: (Answer.LOVE, Answer.OKAY, Answer.NOPE, Answer.SKIP, Answer.UNDO),
    Mode.PAIR: (Answer.LEFT, Answer.RIGHT, Answer.TIE, Answer.SKIP, Answer.UNDO),
}


@dataclass(frozen=True)
class Press:
    """One key press. `ids` is the painting, or the left and the right one; `press` names this press and no other."""

    at: str
    """UTC, ISO 8601."""
    rater: str
    sitting: str
    """Equal for all presses of one start of the page's server."""
    press: str
    mode: Mode
    ids: tuple[str, ...]
    answer: Answer
    seconds: float | None
    """From when the page showed it to the key; None where that is not known."""

    @property
    def subject(self) -> tuple[Mode, tuple[str, ...]]:
        """What it is about: presses with an equal one replace or undo each other. A pair is one whichever is left."""
        return self.mode, tuple(sorted(self.ids))

    def record(self) -> dict[str, Any]:
        """Its line."""
        about = {"at": self.at, "rater": self.rater, "sitting": self.sitting, "press": self.press, "mode": self.mode}
        if self.mode is Mode.PAIR:
            said = {"left": self.ids[0], "right": self.ids[1], "answer": self.answer}
        else:
            said = {"id": self.ids[0], "tier": self.answer}
        return {**about, **said, "seconds": self.seconds}


def now() -> str:
    """The time as `Press.at` has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def default_rater() -> str:
    """The login name, or `me` where there is none."""
    try:
        return check_rater(getpass.getuser())
    except (OSError, KeyError, ImportError, ConfigError):
        return "me"


def check_rater(name: str) -> str:
    """`name` itself. Raises ConfigError for one that is empty, long or not printable."""
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise ConfigError(f"--rater {name[:80]!r}: must be a name of 1 to {LONGEST_NAME} printable characters")
    return name


def append_press(folder: Path, press: Press) -> None:
    """Append a press and wait for the disk; what a crash tore off is cut first. Raises InfraError.

    Several processes may append to one folder.
    """
    path = folder / RATINGS
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        cannot_write(path, error)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        cut_torn_tail(path)
        append_line(path, press.record())
    finally:
        os.close(descriptor)


def read_presses(folder: Path, rater: str | None = None) -> list[Press]:
    """All presses, or those of one rater, in the order of the file; none where there is no file.

    Raises ConfigError, naming the line, for one that is no press, InfraError for one that is no JSON object.
    """
    path = folder / RATINGS
    presses = [parse_press(record, f"{path}:{number}") for number, record in enumerate(read_lines(path), 1)]
    return [press for press in presses if rater in (None, press.rater)]


def parse_press(record: Mapping[str, Any], where: str) -> Press:
    """A press from its line. Raises ConfigError, beginning with `where`, for whatever is wrong with it."""
    try:
        mode = Mode(record.get("mode", Mode.RATE))
        is_pair = mode is Mode.PAIR
        answer = Answer(record["answer" if is_pair else "tier"])
        ids: tuple[Any, ...] = (record["left"], record["right"]) if is_pair else (record["id"],)
        rater = record["rater"]
    except (KeyError, ValueError) as error:
        lacks = isinstance(error, KeyError)
        raise ConfigError(f"{where}: not a rating: {'lacks ' if lacks else ''}{error}") from None
    if answer not in ANSWERS[mode]:
        raise ConfigError(f"{where}: not a rating: {answer} answers nothing in mode {mode}")
    if not all(isinstance(each, str) for each in (*ids, rater)):
        raise ConfigError(f"{where}: not a rating: the names of paintings and raters must be texts")
    if is_pair and ids[0] == ids[1]:
        raise ConfigError(f"{where}: not a rating: a painting is compared with itself")
    seconds = record.get("seconds")
    known = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    return Press(
        at=str(record.get("at", "")),
        rater=rater,
        sitting=str(record.get("sitting", "")),
        press=str(record.get("press", "")),
        mode=mode,
        ids=ids,
        answer=answer,
        seconds=float(seconds) if known else None,  # type: ignore[arg-type]
    )


def standing(presses: Iterable[Press]) -> list[Press]:
    """One rater's presses without what was undone, and without the undoing, in their order."""
    stacks: dict[tuple[Mode, tuple[str, ...]], list[int]] = {}
    kept: dict[int, Press] = {}
    for number, press in enumerate(presses):
        stack = stacks.setdefault(press.subject, [])
        if press.answer is not Answer.UNDO:
            stack.append(number)
            kept[number] = press
        elif stack:
            del kept[stack.pop()]
    return list(kept.values())


def current(presses: Iterable[Press], mode: Mode) -> dict[tuple[str, ...], Press]:
    """The press that counts of each painting or pair, for one rater, skips among them; the latest comes last."""
    found: dict[tuple[str, ...], Press] = {}
    for press in standing(presses):
        if press.mode is mode:
            _, about = press.subject
            found.pop(about, None)
            found[about] = press
    return found


def current_tiers(presses: Iterable[Press], mode: Mode = Mode.RATE) -> dict[str, Tier]:
    """The tier of each painting that has one, by id, for one rater."""
    return {press.ids[0]: TIERS[press.answer] for press in current(presses, mode).values() if press.answer in TIERS}


def current_pairs(presses: Iterable[Press]) -> list[Press]:
    """The comparisons that count, for one rater: left, right or tie."""
    return [press for press in current(presses, Mode.PAIR).values() if press.answer is not Answer.SKIP]


def raters(presses: Iterable[Press]) -> list[str]:
    """Who rated, in the order of their first press."""
    return list(dict.fromkeys(press.rater for press in presses))


def choose_rater(presses: Sequence[Press], rater: str | None, folder: Path) -> str:
    """The rater asked for, or the only one. Raises ConfigError, naming those there are, where that is nobody."""
    names = raters(presses)
    told = ", ".join(names)
    if not names:
        raise ConfigError(f"{folder}: nothing is rated yet; run: watercolour pool rate {folder}")
    if rater is None and len(names) > 1:
        raise ConfigError(f"{folder}: rated by {told}: choose one with --rater")
    if rater is not None and rater not in names:
        raise ConfigError(f"{folder}: --rater {rater}: has rated nothing here; there is {told}")
    return rater or names[0]


def read_tiers(folder: Path, rater: str | None = None) -> dict[str, Tier]:
    """The tiers that count, by a painting's id, of the named rater or of the only one. Raises ConfigError, InfraError.

    This is what `watercolour pool pack` packs. Skipped paintings are not in it.
    """
    presses = read_presses(folder)
    chosen = choose_rater(presses, rater, folder)
    return current_tiers(press for press in presses if press.rater == chosen)
