"""What can be rated: candidates, a pool, a run and a plain folder as one list, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from tests.made_candidates import make_candidates
from tests.made_run import make_run
from watercolour.curate.rateable import CANDIDATES, find_rateable, read_gallery
from watercolour.errors import ConfigError
from watercolour.references import read_pool
from watercolour.shipped import find_pool


def put(folder: Path, name: str, colour: str = "red") -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (8, 8), colour).save(path)


def test_candidates(tmp_path: Path) -> None:
    make_candidates(tmp_path, each=1)
    gallery = read_gallery(tmp_path)
    assert [each.id for each in gallery.paintings] == ["c00", "c01", "c02"]
    for each in gallery.paintings:
        assert each.picture.is_file()
        assert each.code
        assert "brush" in each.code()
        assert "hibiscus" in each.subject
        assert each.tier is None
        assert each.sha256


def test_a_pool_is_known_by_its_pixels_and_has_tiers() -> None:
    gallery = read_gallery(find_pool("hibiscus"))
    assert {each.id: each.tier for each in gallery.paintings} == {
        each.sha256: each.tier for each in read_pool(find_pool("hibiscus"))
    }


def test_every_different_painting_of_a_run(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", steps=3)
    gallery = read_gallery(tmp_path / "run")
    assert {each.id for each in gallery.paintings} == {
        each.painting for each in run.rollouts() if each.painting is not None
    }
    assert len({each.code() for each in gallery.paintings if each.code}) > 1
    gone = gallery.paintings[0]
    gone.picture.unlink()
    assert gone.id not in {each.id for each in read_gallery(tmp_path / "run").paintings}


def test_a_plain_folder_with_and_without_sources(tmp_path: Path) -> None:
    for name in ("b.png", "deep/a.png", ".hidden/c.png"):
        put(tmp_path, name)
    (tmp_path / "deep/a.js").write_text("its source")
    gallery = read_gallery(tmp_path)
    assert [each.id for each in gallery.paintings] == ["b.png", "deep/a.png"]
    assert gallery.paintings[0].code is None
    assert gallery.paintings[1].code
    assert gallery.paintings[1].code() == "its source"


def test_the_order_is_the_seeds_and_stays_when_paintings_are_added(tmp_path: Path) -> None:
    for number in range(12):
        put(tmp_path, f"{number}.png")
    before = [each.id for each in read_gallery(tmp_path).shuffled(1)]
    assert before == [each.id for each in read_gallery(tmp_path).shuffled(1)]
    assert before != [each.id for each in read_gallery(tmp_path).shuffled(2)]
    assert before != [each.id for each in read_gallery(tmp_path).shuffled(1, "again")]
    put(tmp_path, "12.png")
    assert before == [each.id for each in read_gallery(tmp_path).shuffled(1) if each.id != "12.png"]


def test_keys_tell_nothing_of_the_id(tmp_path: Path) -> None:
    put(tmp_path, "somebody-painter.png")
    [painting] = read_gallery(tmp_path).paintings
    assert "painter" not in painting.key
    assert len(painting.key) == 24


@pytest.mark.parametrize("name", ["../outside.png", "/etc/passwd", "images/none.png", "images/\x00.png", "images"])
def test_a_picture_that_is_not_in_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "candidates"
    folder.mkdir()
    make_candidates(folder, each=1)
    put(tmp_path, "outside.png")
    record = json.loads((folder / CANDIDATES).read_text().splitlines()[0])
    for key in ("image", "source"):
        (folder / CANDIDATES).write_text(json.dumps({**record, key: name}) + "\n")
        with pytest.raises(ConfigError, match=r"candidates\.jsonl:1: "):
            read_gallery(folder)


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "outside.png")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/inside.png").symlink_to(tmp_path / "outside.png")
    with pytest.raises(ConfigError, match="outside the folder"):
        read_gallery(tmp_path / "folder")


def test_a_source_that_leads_out_of_a_plain_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside.js").write_text("secret")
    put(tmp_path, "folder/inside.png")
    (tmp_path / "folder/inside.js").symlink_to(tmp_path / "outside.js")
    with pytest.raises(ConfigError, match="outside the folder"):
        read_gallery(tmp_path / "folder")


def test_nothing_to_rate_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no painting"):
        read_gallery(tmp_path)
    (tmp_path / CANDIDATES).write_text(json.dumps({"id": 3, "image": "a.png"}) + "\n")
    with pytest.raises(ConfigError, match="must be texts"):
        read_gallery(tmp_path)


def test_a_name_is_a_folder_a_run_or_a_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs/mine").mkdir(parents=True)
    assert find_rateable("runs/mine") == Path("runs/mine")
    assert find_rateable("mine") == Path("runs/mine")
    assert find_rateable("hibiscus") == find_pool("hibiscus")
    with pytest.raises(ConfigError):
        find_rateable("nowhere")
