"""The gallery's folder: what is written, what is written again when a run goes on, and what is not touched."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

from tests.show.gallery.made import hibiscus, write_run, write_status, write_step
from watercolour.cli.app import app
from watercolour.errors import ConfigError
from watercolour.show.gallery.build import Gallery, script
from watercolour.show.gallery.facts import open_collection
from watercolour.show.gallery.page import digest, index_html
from watercolour.show.gallery.pictures import large_path, make_pictures, small_path
from watercolour.show.gallery.wall import columns_for, favourites, shuffled, wall_html, wall_picture
from watercolour.show.gallery.watch import watch

DOT = """function setup() { createCanvas(600, 600, WEBGL); background(255); noLoop(); }
function draw() { brush.noStroke(); brush.fill("#c03050", 200); brush.circle(0, 0, 90); }
"""


def gallery_of(folder: Path, *what: Path) -> Gallery:
    return Gallery(folder, [open_collection(str(path)) for path in what])


def data_of(folder: Path, name: str = "works") -> dict[str, Any]:
    """What a data script hands to the page, taken apart as the page does it."""
    text = (folder / "data" / f"{name}.js").read_text("ascii")
    start, end = text.index(", ") + 2, text.rindex(");")
    assert text.startswith(f'gallery("{name}"')
    return json.loads(json.loads(text[start:end]))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run with its gallery beside it."""
    folder = tmp_path_factory.mktemp("made")
    write_run(folder / "peach", steps=3, generations=4)
    gallery_of(folder / "gallery", folder / "peach").update()
    return folder


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "copy", symlinks=True)
    return tmp_path / "copy"


def test_every_work_is_in_the_columns_and_its_details_in_a_script(made: Path) -> None:
    data = data_of(made / "gallery")
    works = data["works"]
    assert works["step"] == [1] * 4 + [2] * 4 + [3] * 4
    assert len(data["terms"]["judge"]) == 12
    [[name, _]] = data["chunks"]
    details = data_of(made / "gallery", name)["works"]
    assert len(details) == 12
    assert details[0]["terms"]["gate"]["why"]
    for number in works["painting"]:
        if number >= 0:
            assert small_path(made / "gallery", data["paintings"][number]).is_file()
    for key, painting in data["references"][0].items():
        assert key.split("/")[0] in ("love", "okay")
        assert large_path(made / "gallery", painting).is_file()


def test_small_pictures_are_small_and_large_ones_whole(made: Path) -> None:
    name = data_of(made / "gallery")["paintings"][0]
    with (
        Image.open(small_path(made / "gallery", name)) as small,
        Image.open(large_path(made / "gallery", name)) as large,
    ):
        assert small.size == (320, 320)
        assert large.size == (600, 600)
        assert small.format == large.format == "WEBP"


def test_new_step_costs_its_own_chunk_and_its_own_pictures(copy: Path) -> None:
    gallery = gallery_of(copy / "gallery", copy / "peach")
    assert gallery.update(live=True) == 12
    before = data_of(copy / "gallery")
    old = {path: path.stat().st_mtime_ns for path in (copy / "gallery" / "small").rglob("*.webp")}
    asked: list[int] = []

    def progress(count: int) -> Any:
        asked.append(count)
        return lambda: None

    assert gallery.update(progress, live=True) == 12
    assert data_of(copy / "gallery")["revision"] == before["revision"]
    write_step(copy / "peach", 4, 4, hibiscus(), random.Random(5))
    assert gallery.update(progress, live=True) == 16
    after = data_of(copy / "gallery")
    assert after["revision"] != before["revision"]
    assert data_of(copy / "gallery", "revision")["revision"] == after["revision"]
    assert sum(asked) <= 4 + 4  # its own pictures, and those of the references it faced
    assert all(path.stat().st_mtime_ns == at for path, at in old.items())


def test_full_chunk_is_left_alone(tmp_path: Path) -> None:
    run = write_run(tmp_path / "peach", steps=26, generations=4)
    gallery = gallery_of(tmp_path / "gallery", run)
    gallery.update()
    chunks = data_of(tmp_path / "gallery")["chunks"]
    assert len(chunks) == 2
    write_step(run, 27, 4, hibiscus(), random.Random(5))
    gallery.update()
    later = data_of(tmp_path / "gallery")["chunks"]
    assert later[0] == chunks[0]
    assert later[1][0] == chunks[1][0] and later[1] != chunks[1]


def test_step_written_again_after_a_resume_replaces_what_was_there(copy: Path) -> None:
    gallery = gallery_of(copy / "gallery", copy / "peach")
    gallery.update()
    write_step(copy / "peach", 2, 2, hibiscus(), random.Random(7))
    assert gallery.update() == 10
    (copy / "peach/rollouts/step-00003.jsonl").unlink()
    assert gallery.update() == 6
    gallery.sweep()
    shown = set(data_of(copy / "gallery")["paintings"]) | set(data_of(copy / "gallery")["references"][0].values())
    assert {path.stem for path in (copy / "gallery/small").rglob("*.webp")} <= shown


def test_missing_and_broken_pictures_leave_an_empty_place(copy: Path) -> None:
    faced = set(data_of(copy / "gallery")["references"][0].values())  # the pool has these pictures too
    works = [work for _, work in self_updated(copy).works() if work.painting]
    by_picture = {work.painting: work for work in works if work.painting not in faced}
    first, second, *_ = by_picture.values()
    for work in (first, second):
        assert work.picture is not None and work.painting is not None
        work.picture.unlink()
        for path in (small_path, large_path):
            path(copy / "gallery", work.painting).unlink(missing_ok=True)
    assert second.picture is not None
    second.picture.write_bytes(b"no picture")
    again = self_updated(copy)
    assert not again.has_picture(first) and not again.has_picture(second)
    assert any(again.has_picture(work) for _, work in again.works())


def self_updated(copy: Path) -> Gallery:
    gallery = gallery_of(copy / "gallery", copy / "peach")
    gallery.update()
    return gallery


def test_folder_of_something_else_is_not_written_into(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("all there is of it")
    with pytest.raises(ConfigError, match="other files"):
        Gallery(tmp_path, [])
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_data_script_is_ascii_and_ends_no_markup() -> None:
    hostile = {"__proto__": "</script><script>alert(1)</script>\u2028\ud800"}
    text = script("a", hostile)
    assert text.isascii()
    start = text.index(b", ") + 2
    assert json.loads(json.loads(text[start:-3])) == hostile


def test_page_runs_its_own_script_alone() -> None:
    page = index_html()
    policy = page.split('http-equiv="Content-Security-Policy" content="')[1].split('"')[0]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    code = page.split("<script>")[1].split("</script>")[0]
    assert digest(code) in policy
    assert digest(page.split("<style>")[1].split("</style>")[0]) in policy
    assert "http://" not in page and "https://" not in page
    assert "innerHTML" not in page and "insertAdjacentHTML" not in page


def test_picture_with_transparency_lies_on_white(tmp_path: Path) -> None:
    Image.new("RGBA", (40, 40), (255, 0, 0, 0)).save(tmp_path / "clear.png")
    assert make_pictures(tmp_path, {"ab" * 10: tmp_path / "clear.png", "cd" * 10: tmp_path / "none.png"}) == {"cd" * 10}
    with Image.open(large_path(tmp_path, "ab" * 10)) as picture:
        assert min(channel[0] for channel in picture.getextrema()) > 250


def test_favourites_are_the_best_rewards_each_picture_once(made: Path) -> None:
    gallery = gallery_of(made / "gallery", made / "peach")
    gallery.update()
    works = [work for _, work in gallery.works()]
    best = favourites(works, 3)
    assert len({work.painting for work in best}) == len(best) == 3
    top = max(work.reward for work in works if work.reward is not None and work.painting)
    assert best[0].reward == top
    assert shuffled(works, 4) == shuffled(works, 4) != shuffled(works, 5)
    assert [columns_for(count) for count in (1, 2, 6, 24, 25)] == [1, 2, 3, 6, 5]
    with pytest.raises(ValueError, match="at least one"):
        wall_picture([])


def test_wall_escapes_what_a_run_names(made: Path) -> None:
    gallery = gallery_of(made / "gallery", made / "peach")
    gallery.update()
    [work] = favourites([work for _, work in gallery.works()], 1)
    object.__setattr__(work, "subject", '"><script>alert(1)</script>')
    page = wall_html([work], "<img src=x onerror=alert(1)>")
    assert "<script" not in page and "<img src=x" not in page
    assert "script-src" not in page  # default-src 'none' stands for it


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self, *happenings: Any) -> None:
        self.now = 0.0
        self.happenings = list(happenings)

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.happenings:
            self.happenings.pop(0)()


def test_watching_follows_a_run_to_its_end(copy: Path) -> None:
    run = copy / "peach"
    write_status(run, "running")
    clock = Clock(
        lambda: write_step(run, 4, 4, hibiscus(), random.Random(1)),
        lambda: None,
        lambda: (write_step(run, 5, 4, hibiscus(), random.Random(2)), write_status(run, "finished")),
    )
    counts: list[int] = []
    live: list[bool] = []

    def on_change(count: int) -> None:
        counts.append(count)
        live.append(data_of(copy / "gallery", "revision")["live"])

    watch(gallery_of(copy / "gallery", run), on_change=on_change, sleep=clock.sleep, clock=clock)
    assert counts == [12, 16, 20]
    assert live == [True, True, False]
    assert data_of(copy / "gallery", "revision")["live"] is False


def test_watching_ends_for_a_run_whose_process_is_gone(copy: Path) -> None:
    write_status(copy / "peach", "running")
    clock = Clock()
    watch(gallery_of(copy / "gallery", copy / "peach"), sleep=clock.sleep, clock=clock)
    assert 60 <= clock.now < 70


def test_interrupted_watching_tells_the_page(copy: Path) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    write_status(copy / "peach", "running")
    clock = Clock(lambda: None, stop)
    with pytest.raises(KeyboardInterrupt):
        watch(gallery_of(copy / "gallery", copy / "peach"), sleep=clock.sleep, clock=clock)
    assert data_of(copy / "gallery", "revision")["live"] is False


def test_command_prints_the_page_and_hangs_a_wall(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made / "gallery", tmp_path / "out")
    result = CliRunner().invoke(
        app, ["gallery", str(made / "peach"), "-o", str(tmp_path / "out"), "--wall", "3", "--seed", "2", "--json"]
    )
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["works"] == 12
    assert Path(told["page"]).read_text().startswith("<!doctype html>")
    page, picture = map(Path, told["wall"])
    assert page.read_text().count("<figure>") == 3
    with Image.open(picture) as image:
        assert image.width > 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["animals", "--watch"], "a pool does not grow"),
        (["animals", "animals"], "there already"),
        (["nothing-there"], "no reference pool"),
    ],
)
def test_command_refuses(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["gallery", *arguments, "-o", str(tmp_path / "out")])
    assert isinstance(result.exception, ConfigError)
    assert message in str(result.exception)


@pytest.mark.browser
def test_best_paintings_get_films_once(tmp_path: Path) -> None:
    pool = tmp_path / "dots"
    pool.mkdir()
    (pool / "dot.js").write_text(DOT)
    Image.new("RGB", (60, 60), "pink").save(pool / "dot.png")
    line = {"file": "dot.png", "source": "dot.js", "tier": "love", "subject": "a dot", "sha256": "ab" * 32}
    (pool / "pool.jsonl").write_text(json.dumps(line | {"coverage": 0.1, "medium": "hibiscus", "seed": 3}) + "\n")
    arguments = ["gallery", str(pool), "-o", str(tmp_path / "out"), "--films", "1", "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["films"] == 1
    [name] = data_of(tmp_path / "out")["films"]
    [film] = (tmp_path / "out/films").iterdir()
    assert film.name == f"{name}.mp4" and name == "ab" * 10
    made_at = film.stat().st_mtime_ns
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert film.stat().st_mtime_ns == made_at
