from __future__ import annotations

import json
from pathlib import Path

import pytest

from watercolour.errors import PrerequisiteError
from watercolour.render import libraries

ROOT = Path(__file__).parents[2]


@pytest.fixture
def vendor_dir(tmp_path: Path) -> Path:
    """A copy of the vendored files that a test may spoil."""
    for file in libraries.VENDORED_FILES:
        (tmp_path / file.name).write_bytes((libraries.VENDOR_DIR / file.name).read_bytes())
    return tmp_path


def test_sources_are_the_pinned_versions() -> None:
    sources = libraries.library_sources()
    assert f'"{libraries.P5_VERSION}"' in sources.p5[:200]
    assert "brush" in sources.brush


def test_npm_pins_agree_with_the_versions_that_runs_record() -> None:
    wanted = json.loads((ROOT / "package.json").read_text())["dependencies"]
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert wanted == libraries.LIBRARY_VERSIONS
    for package, version in libraries.LIBRARY_VERSIONS.items():
        assert locked[f"node_modules/{package}"]["version"] == version


def test_lock_file_has_hashes_and_no_download_address() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    for name, entry in packages.items():
        assert "resolved" not in entry, name
        assert name == "" or entry["integrity"].startswith("sha512-"), name


@pytest.mark.parametrize("file", [libraries.P5, libraries.P5_BRUSH], ids=lambda file: file.name)
def test_one_changed_byte_is_refused(vendor_dir: Path, file: libraries.VendoredFile) -> None:
    path = vendor_dir / file.name
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(PrerequisiteError, match=r"not the file of .*make setup"):
        libraries.library_sources(vendor_dir)


@pytest.mark.parametrize("file", [libraries.P5, libraries.P5_BRUSH], ids=lambda file: file.name)
def test_missing_library_names_the_command_that_brings_it(vendor_dir: Path, file: libraries.VendoredFile) -> None:
    (vendor_dir / file.name).unlink()
    with pytest.raises(PrerequisiteError, match="missing; run `make setup`"):
        libraries.library_sources(vendor_dir)


@pytest.mark.parametrize("file", libraries.VENDORED_FILES, ids=lambda file: file.name)
def test_check_covers_the_licences_too(vendor_dir: Path, file: libraries.VendoredFile) -> None:
    libraries.check_libraries(vendor_dir)
    (vendor_dir / file.name).unlink()
    with pytest.raises(PrerequisiteError, match="missing"):
        libraries.check_libraries(vendor_dir)
