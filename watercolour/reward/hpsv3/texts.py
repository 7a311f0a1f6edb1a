"""HPSv3's own two texts: what it asks about a picture. They stay the authors', read from a file of their package.

They are not committed. `scripts/fetch_hpsv3.py` takes the file and its licence from the `hpsv3` wheel into `vendor/`,
and a wheel of this package carries both. The package itself is never installed: it needs another transformers, and it
would put modules named `evaluate` and `generate` on the path. The file is parsed, never run.

Scores hang on every character (stripping the blanks at the ends of lines costs up to 2.7 mu), so altered texts are
refused.
"""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass
from pathlib import Path

from watercolour.errors import PrerequisiteError

VENDOR_DIR = Path(__file__).parent / "vendor"

WHEEL = "hpsv3==1.0.0"
WHEEL_SHA256 = "1a1b3ed1f538315ddf0e90c55b9f5c8ab3248d772cd713c11f7dfe35bf867ab3"


@dataclass(frozen=True)
class WheelFile:
    """One file of the wheel: its name in `VENDOR_DIR`, its path in the wheel, and its content's hash."""

    name: str
    path: str
    sha256: str


# Not named .py: nothing should import it.
TEXTS_FILE = WheelFile(
    "data_collator_qwen.py.txt",
    "hpsv3/dataset/data_collator_qwen.py",
    "b0f936e89f8df652c67d470412e1d9afd27aa711dec85724c19989ac91e7a3e3",
)
LICENCE_FILE = WheelFile(
    "hpsv3-LICENSE.txt",
    "hpsv3-1.0.0.dist-info/licenses/LICENSE",
    "10bf78da75e750733950028e0b9e39ea4f28807a499b368c3fe4415c9736a8d9",
)
WHEEL_FILES = (TEXTS_FILE, LICENCE_FILE)

CONSTANT_SHA256 = {
    "INSTRUCTION": "0393599dad45a971903d1d62a3acf9bad3ccccdafa7f40f680523419e1f68b7a",
    "prompt_with_special_token": "2471faca094ae5bd6fe17b71dce20c3d7583625545e235889f7e74e7eeb69d0a",
}


@dataclass(frozen=True)
class Texts:
    """`instruction` holds `{text_prompt}` where the picture's description goes; `tail` holds the `<|Reward|>` token."""

    instruction: str
    tail: str


def load_texts(vendor_dir: Path = VENDOR_DIR) -> Texts:
    """Both texts, to the last blank. Raises PrerequisiteError if the file is missing or its texts are others."""
    path = vendor_dir / TEXTS_FILE.name
    constants = _constants(path, _read(path))
    for name, sha256 in CONSTANT_SHA256.items():
        if hashlib.sha256(constants.get(name, "").encode()).hexdigest() != sha256:
            raise PrerequisiteError(f"{path}: its {name} is not that of {WHEEL}; {remedy()}")
    return Texts(constants["INSTRUCTION"], constants["prompt_with_special_token"])


def check_files(vendor_dir: Path = VENDOR_DIR) -> None:
    """Raise PrerequisiteError unless `vendor_dir` holds `WHEEL_FILES`, the licence included, unaltered."""
    for file in WHEEL_FILES:
        path = vendor_dir / file.name
        if hashlib.sha256(_read(path)).hexdigest() != file.sha256:
            raise PrerequisiteError(f"{path}: not the file of {WHEEL}; {remedy()}")


def remedy() -> str:
    """The command that brings the files, in a checkout and where the package is installed."""
    if (Path(__file__).parents[3] / "scripts" / "fetch_hpsv3.py").exists():
        return "run `python -m scripts.fetch_hpsv3`, or `make setup`"
    return "run `pip install --force-reinstall --no-deps watercolour` from its wheel"


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = "missing" if isinstance(error, FileNotFoundError) else str(error.strerror)
        raise PrerequisiteError(f"{path}: {reason}; {remedy()}") from error


def _constants(path: Path, source: bytes) -> dict[str, str]:
    """The module's top-level names that are bound to plain text."""
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise PrerequisiteError(f"{path}: not the file of {WHEEL}; {remedy()}") from error
    return {
        target.id: node.value.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
