"""Reading what a person names on the command line: sketches, replies and pictures; `-` is standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from watercolour.errors import ConfigError

SKETCH_SUFFIXES = (".js", ".mjs", ".md", ".txt")
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
MAX_SOURCE_BYTES = 5_000_000


def read_text(name: str) -> str:
    """The text of a file, or of standard input for `-`. Raises ConfigError when missing, empty, or not text."""
    where = "standard input" if name == "-" else name
    if name == "-" and sys.stdin is None:
        raise ConfigError(f"{where}: is closed; give the sketch on it, or name a file")
    try:
        data = sys.stdin.buffer.read(MAX_SOURCE_BYTES + 1) if name == "-" else _read_file(Path(name))
    except OSError as error:
        raise ConfigError(f"{where}: cannot be read ({error.strerror or error})") from error
    if len(data) > MAX_SOURCE_BYTES:
        raise ConfigError(f"{where}: over {MAX_SOURCE_BYTES // 1_000_000} MB, too large for a sketch")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{where}: not text in UTF-8 (byte {error.start}); a sketch is a .js file") from error
    if not text.strip():
        raise ConfigError(f"{where}: is empty; it should hold a p5.brush sketch")
    return text


def one_line(text: str) -> str:
    """What a sketch said, fit for a line of ours: on one line, without control characters, at most 300 of them."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in " ".join(text[:1000].split()))
    return shown if len(shown) <= 300 else f"{shown[:297]}..."


def _read_file(path: Path) -> bytes:
    if path.is_dir():
        raise ConfigError(f"{path}: is a folder; name the files in it, as in {path}/*.js")
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path}: is not a regular file; give a pipe's content on standard input, as -")
    with path.open("rb") as file:
        return file.read(MAX_SOURCE_BYTES + 1)
