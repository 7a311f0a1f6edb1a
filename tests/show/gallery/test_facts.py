"""What a gallery reads: runs that go on, torn lines, missing pictures, unscored rollouts, pools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.show.gallery.made import write_run
from watercolour.errors import ConfigError
from watercolour.shipped import pools_dir
from watercolour.show.gallery.facts import PoolCollection, RunCollection, Work, open_collection, short_name


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "peach", steps=2, generations=4)


def works_of(run: Path) -> list[Work]:
    collection = open_collection(str(run))
    return [work for path in collection.files() for work in collection.read(path).works]


def test_run_is_read_step_by_step_with_all_its_terms(run: Path) -> None:
    works = works_of(run)
    assert [(work.step, work.index) for work in works] == [(step, index) for step in (1, 2) for index in range(4)]
    painted = next(work for work in works if work.painting)
    assert set(painted.values) == {"gate", "length", "judge", "hpsv3"}
    assert painted.picture is not None and painted.picture.is_file()
    assert len(painted.faced) == 4
    assert painted.detail["source"].strip()
    collection = open_collection(str(run))
    name, picture = collection.reference(painted.faced[0]) or ("", Path())
    assert picture.is_file() and len(name) == 20
    assert collection.reference("love/nobody") is None


def test_torn_last_line_is_left_out_and_a_bad_one_before_it_is_noted(run: Path) -> None:
    [first, _] = sorted(run.glob("rollouts/*.jsonl"))
    lines = first.read_text().splitlines()
    first.write_text("\n".join([lines[0], '{"step": 1}', "[]", lines[1], lines[2][:50]]))
    collection = open_collection(str(run))
    reading = collection.read(first)
    assert [work.index for work in reading.works] == [0, 1]
    assert len(reading.notes) == 2
    assert "step-00001.jsonl:2" in reading.notes[0]


def test_rollout_that_was_lost_is_shown_unscored(run: Path) -> None:
    [first, _] = sorted(run.glob("rollouts/*.jsonl"))
    lost = json.loads(first.read_text().splitlines()[0])
    lost |= {"outcome": "infra", "terms": {}, "reward": None, "painting": None, "coverage": None, "source": ""}
    first.write_text(json.dumps(lost | {"completion": "I cannot paint."}) + "\n")
    [work] = open_collection(str(run)).read(first).works
    assert (work.reward, work.painting, work.values) == (None, None, {})
    assert work.detail["reply"] == "I cannot paint."


def test_run_without_its_settings_is_shown_all_the_same(run: Path) -> None:
    (run / "config.resolved.json").write_text("{")
    collection = open_collection(str(run))
    assert len(works_of(run)) == 8
    assert collection.about()["steps"] is None


@pytest.mark.parametrize("name", ["hibiscus", str(pools_dir() / "animals")])
def test_pool_is_read_by_name_and_by_folder(name: str) -> None:
    collection = open_collection(name)
    assert isinstance(collection, PoolCollection)
    [index] = collection.files()
    works = collection.read(index).works
    assert {"love", "okay"} <= {work.tier for work in works}
    assert all(work.picture is not None and work.detail["source"] for work in works)
    assert not collection.is_live()


def test_pool_that_lacks_a_picture_shows_the_others(tmp_path: Path) -> None:
    shipped = pools_dir() / "animals"
    pool = tmp_path / "animals"
    (pool / "love").mkdir(parents=True)
    lines = (shipped / "pool.jsonl").read_text().splitlines()[:3]
    for line in lines[:2]:
        for key in ("file", "source"):
            name = json.loads(line)[key]
            (pool / name).write_bytes((shipped / name).read_bytes())
    (pool / "pool.jsonl").write_text("\n".join([lines[0], lines[2], lines[1], lines[0][:40]]))
    collection = open_collection(str(pool))
    reading = collection.read(pool / "pool.jsonl")
    assert [work.index for work in reading.works] == [0, 1]
    assert len(reading.notes) == 1 and "is missing" in reading.notes[0]


def test_what_is_neither_run_nor_pool_is_refused_with_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"(?s)no run.*no reference pool.*hibiscus"):
        open_collection(str(tmp_path / "hibisus"))


def test_run_that_goes_on_says_so(run: Path) -> None:
    collection = open_collection(str(run))
    assert isinstance(collection, RunCollection)
    assert not collection.is_live()
    (run / "run.json").write_text('{"status": "running"}')
    assert collection.is_live()
    (run / "run.json").write_text("{")
    assert not collection.is_live()


@given(st.text("0123456789abcdefABCDEFxyz/.", max_size=70))
def test_only_a_hash_becomes_a_files_name(name: str) -> None:
    try:
        short = short_name(name)
    except ValueError:
        return
    assert set(short) <= set("0123456789abcdef") and len(short) == 20
