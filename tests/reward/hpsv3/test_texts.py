"""HPSv3's two texts come from its own wheel, to the last blank, or not at all."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from scripts import fetch_hpsv3
from watercolour.errors import PrerequisiteError
from watercolour.reward.hpsv3.texts import (
    LICENCE_FILE,
    TEXTS_FILE,
    VENDOR_DIR,
    WHEEL_FILES,
    check_files,
    load_texts,
)


@pytest.fixture
def vendor(tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    for file in WHEEL_FILES:
        (tmp_path / file.name).write_bytes((VENDOR_DIR / file.name).read_bytes())
    return tmp_path


def test_texts_are_the_authors() -> None:
    texts = load_texts()
    assert (len(texts.instruction), len(texts.tail)) == (2523, 67)
    assert texts.instruction.count("{text_prompt}") == 1
    assert texts.tail.count("<|Reward|>") == 1


def test_instruction_keeps_the_blanks_at_the_ends_of_its_lines() -> None:
    assert any(line.endswith(" ") for line in load_texts().instruction.splitlines())


def strip_line_ends(source: str) -> str:
    return "\n".join(line.rstrip() for line in source.splitlines())


@pytest.mark.parametrize(
    "spoil",
    [strip_line_ends, lambda source: source.replace("0 being the worst", "0 being bad"), lambda _: "x = 1\n"],
    ids=["stripped blanks", "another word", "no texts"],
)
def test_other_texts_are_refused(vendor: Path, spoil: object) -> None:
    path = vendor / TEXTS_FILE.name
    path.write_text(spoil(path.read_text()))  # type: ignore[operator]
    with pytest.raises(PrerequisiteError, match=r"its INSTRUCTION is not that of hpsv3==1.0.0; run `python -m scripts"):
        load_texts(vendor)


@pytest.mark.parametrize("source", ["def (:", "\0", "(" * 10_000])
def test_a_file_that_is_no_python_is_refused(vendor: Path, source: str) -> None:
    (vendor / TEXTS_FILE.name).write_text(source)
    with pytest.raises(PrerequisiteError, match="not the file of hpsv3"):
        load_texts(vendor)


def test_the_file_is_parsed_and_never_run(vendor: Path, tmp_path: Path) -> None:
    path = vendor / TEXTS_FILE.name
    path.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n" + path.read_text())
    load_texts(vendor)
    assert not (tmp_path / "ran").exists()


def test_missing_texts_name_the_command(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteError, match=r"missing; run `python -m scripts.fetch_hpsv3`, or `make setup`"):
        load_texts(tmp_path)


def test_altered_licence_is_noticed(vendor: Path) -> None:
    check_files(vendor)
    (vendor / LICENCE_FILE.name).write_text("Do as you like.")
    with pytest.raises(PrerequisiteError, match=r"hpsv3-LICENSE.txt: not the file"):
        check_files(vendor)


def test_only_the_two_files_are_taken_from_the_wheel(tmp_path: Path) -> None:
    wheel = tmp_path / "hpsv3-1.0.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("evaluate/evaluate.py", "")
        for file in WHEEL_FILES:
            archive.writestr(file.path, (VENDOR_DIR / file.name).read_bytes())
    fetch_hpsv3.unpack(wheel, tmp_path / "vendor")
    check_files(tmp_path / "vendor")
    assert {path.name for path in (tmp_path / "vendor").iterdir()} == {file.name for file in WHEEL_FILES}


def test_another_wheel_is_refused(tmp_path: Path) -> None:
    wheel = tmp_path / "hpsv3-1.0.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("hpsv3/__init__.py", "")
    with pytest.raises(fetch_hpsv3.FetchError, match="not the wheel"):
        fetch_hpsv3.unpack(wheel, tmp_path / "vendor")


def test_failing_pip_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch_hpsv3, "WHEEL_SHA256", "0" * 64)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(fetch_hpsv3.FetchError, match=r"(?s)pip download hpsv3==1.0.0. exited 1:.*hpsv3"):
        fetch_hpsv3.download(tmp_path)


def test_fetching_what_is_there_does_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch_hpsv3, "download", lambda folder: pytest.fail("fetched again"))
    assert fetch_hpsv3.main() == 0
    assert capsys.readouterr() == ("", "")
