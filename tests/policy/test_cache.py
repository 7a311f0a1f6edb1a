from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watercolour.policy.cache import cache_dir, cache_path, cached_folder, hash_folder


def test_where_it_lies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WATERCOLOUR_CACHE", str(tmp_path / "own"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_dir() == tmp_path / "own"
    monkeypatch.delenv("WATERCOLOUR_CACHE")
    assert cache_dir() == tmp_path / "xdg" / "watercolour"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_dir() == tmp_path / ".cache" / "watercolour"


def test_it_is_built_once_and_again_for_other_inputs() -> None:
    built = []

    def build(out: Path) -> None:
        built.append(out)
        (out / "file").write_text(str(len(built)))

    first = cached_folder("thing", {"a": 1}, build)
    assert cached_folder("thing", {"a": 1}, build) == first
    assert (first / "file").read_text() == "1"
    other = cached_folder("thing", {"a": 2}, build)
    assert other != first and (other / "file").read_text() == "2"
    assert len(built) == 2


def test_a_build_that_fails_leaves_nothing(own_cache: Path) -> None:
    def build(out: Path) -> None:
        (out / "half").write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cached_folder("thing", {}, build)
    assert list(own_cache.iterdir()) == []


def test_nothing_is_seen_before_it_is_whole() -> None:
    seen = []

    def build(out: Path) -> None:
        seen.append(cache_path("thing", {}).exists())
        (out / "file").write_text("x")
        seen.append(cache_path("thing", {}).exists())

    cached_folder("thing", {}, build)
    assert seen == [False, False] and cache_path("thing", {}).is_dir()


def test_a_second_builder_takes_the_first_ones_folder(own_cache: Path) -> None:
    def slow(out: Path) -> None:
        (out / "file").write_text("second")
        cached_folder("thing", {}, lambda inner: (inner / "file").write_text("first") and None)

    folder = cached_folder("thing", {}, slow)
    assert (folder / "file").read_text() == "first"
    assert list(own_cache.iterdir()) == [folder]


@given(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5)), st.data())
def test_the_key_is_the_inputs_whatever_their_order(inputs: dict[str, int | str], data: st.DataObject) -> None:
    shuffled = dict(data.draw(st.permutations(list(inputs.items()))))
    assert cache_path("x", inputs) == cache_path("x", shuffled)
    assert cache_path("x", {**inputs, "another one": 1}) != cache_path("x", inputs)


def test_a_folders_hash_follows_names_and_contents(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "a").write_text("1")
    before = hash_folder(folder)
    (folder / ".hidden").write_text("not counted")
    assert hash_folder(folder) == before
    (folder / "a").write_text("2")
    changed = hash_folder(folder)
    (folder / "a").rename(folder / "b")
    assert len({before, changed, hash_folder(folder)}) == 3
