"""p5 and p5.brush, as npm ships them: which files, which versions, and their text, checked against a hash.

They are not committed. `scripts/fetch_libraries.py` copies them into `vendor/` from npm, and a wheel carries them. A
picture depends on every byte of both, so altered files are refused rather than painted with.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from watercolour.errors import PrerequisiteError

VENDOR_DIR = Path(__file__).parent / "vendor"


@dataclass(frozen=True)
class VendoredFile:
    """One file of an npm package: its name in `VENDOR_DIR`, its path in the package, and its content's hash."""

    name: str
    package: str
    path: str
    sha256: str


P5_VERSION = "2.3.4"
P5_BRUSH_VERSION = "2.2.2"
LIBRARY_VERSIONS = {"p5": P5_VERSION, "p5.brush": P5_BRUSH_VERSION}

P5 = VendoredFile(
    "p5.min.js", "p5", "lib/p5.min.js", "bb8b82b97fcbcd5bb2d5475d1b6a3904f3ab4ed01b821134fd8f1e7710fce559"
)
P5_BRUSH = VendoredFile(
    "p5.brush.js", "p5.brush", "dist/p5.brush.js", "6991d50b458478e1783b974ba027f28a59bda06c3b3cc6c501a5b30a8a360bcb"
)
P5_LICENCE = VendoredFile(
    "p5-license.txt", "p5", "license.txt", "eb2f25f8f165d5f20682c1ce7e99ce69144ecfd80fbed8c17dfd327ecd8b6cb6"
)
P5_BRUSH_LICENCE = VendoredFile(
    "p5.brush-LICENSE.md", "p5.brush", "LICENSE.md", "cabbece1a276329fa28ab40f1c99af3af2b7852a329551a9a485b2199616583a"
)
VENDORED_FILES = (P5, P5_BRUSH, P5_LICENCE, P5_BRUSH_LICENCE)


@dataclass(frozen=True)
class Libraries:
    """JavaScript source of both libraries."""

    p5: str
    brush: str


def library_sources(vendor_dir: Path = VENDOR_DIR) -> Libraries:
    """Both libraries' text, in the pinned versions. Raises PrerequisiteError if a file is missing or altered."""
    return Libraries(p5=_checked(vendor_dir, P5).decode(), brush=_checked(vendor_dir, P5_BRUSH).decode())


def check_libraries(vendor_dir: Path = VENDOR_DIR) -> None:
    """Raise PrerequisiteError unless `vendor_dir` holds all of `VENDORED_FILES`, licences included, unaltered."""
    for file in VENDORED_FILES:
        _checked(vendor_dir, file)


def _checked(vendor_dir: Path, file: VendoredFile) -> bytes:
    path = vendor_dir / file.name
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = "missing" if isinstance(error, FileNotFoundError) else str(error.strerror)
        raise PrerequisiteError(f"{path}: {reason}; {_remedy()}") from error
    if hashlib.sha256(content).hexdigest() != file.sha256:
        version = LIBRARY_VERSIONS[file.package]
        raise PrerequisiteError(f"{path}: not the file of {file.package} {version}; {_remedy()}")
    return content


def _remedy() -> str:
    package_root = Path(__file__).parents[2]
    if (package_root / "scripts" / "fetch_libraries.py").exists():
        return "run `make setup`"
    return "run `pip install --force-reinstall --no-deps watercolour` from its wheel"
