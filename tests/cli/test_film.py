"""`watercolour film`: what was written is read again, frame by frame."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import av
import numpy as np
import pytest
from PIL import Image

from tests.cli.conftest import Run
from tests.made_run import make_run
from watercolour.painting import read_picture
from watercolour.runs import RunDir
from watercolour.show.reel import open_run, pick, rank, read_reel, scene_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIDE = 120


def decode(path: Path) -> list[NDArray[np.uint8]]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def shown_in(frame: NDArray[np.uint8], left: int = 36, top: int = 36) -> NDArray[np.uint8]:
    """The middle of the painting in a frame, away from its edges."""
    return frame[top + 8 : top + SIDE - 8, left + 8 : left + SIDE - 8].astype(int)


def enlarged(path: Path) -> NDArray[np.uint8]:
    pixels = read_picture(path).pixels
    assert pixels is not None
    return np.asarray(Image.fromarray(pixels).resize((SIDE, SIDE), Image.Resampling.LANCZOS))


@pytest.fixture
def made(in_an_empty_folder: None) -> RunDir:
    return make_run(Path("runs/first"))


def test_the_median_painting_of_each_step_is_shown(run: Run, made: RunDir) -> None:
    result = run("film", "first", "--size", SIDE, "--fps", 4, "--hold-last", 0.5, "--json")
    assert result.code == 0, result.err
    assert json.loads(result.out) == {"files": ["first.mp4", "first.webp"], "frames": 4, "fps": 4}
    frames = decode(Path("first.mp4"))
    assert len(frames) == 4 + 2
    for step, frame in zip((1, 2, 3, 4), frames, strict=False):
        median = pick(rank(made.rollouts(step)), best=False)
        assert median.painting and median.reward is not None
        wanted = enlarged(made.image_path(median.painting))[8:-8, 8:-8]
        assert np.abs(shown_in(frame) - wanted).mean() < 6
    with Image.open("first.webp") as film:
        assert (film.n_frames, film.info["loop"]) == (4, 0)
        assert film.size == (frames[0].shape[1], frames[0].shape[0])


def test_the_median_is_of_those_scored_and_the_worse_of_two(made: RunDir) -> None:
    for step, scored in ((1, 4), (2, 3)):
        rollouts = made.rollouts(step)
        rewards = sorted((each.reward for each in rollouts if each.reward is not None), reverse=True)
        assert len(rewards) == scored
        assert pick(rank(rollouts), best=False).reward == rewards[scored // 2]
        assert pick(rank(rollouts), best=True).reward == rewards[0]
    assert read_reel(made).shows == "median of 4"
    assert read_reel(made, group=2).shows == "mean of the best 2"
    assert read_reel(made, group=9).shows == "mean of 4"


def test_several_runs_make_a_grid_and_one_that_ended_keeps_its_last_picture(run: Run, made: RunDir) -> None:
    short = make_run(Path("runs/second"), steps=2)
    assert run("film", "first", "runs/second", "--best", "--size", SIDE, "-o", "both.mp4", "--hold-last", 0).code == 0
    frames = decode(Path("both.mp4"))
    assert len(frames) == 4 and frames[0].shape[1] == 2 * SIDE + 3 * 36
    best = pick(rank(short.rollouts(2)), best=True)
    assert best.painting
    for frame in frames[1:]:
        wanted = enlarged(short.image_path(best.painting))[8:-8, 8:-8]
        assert np.abs(shown_in(frame, left=2 * 36 + SIDE) - wanted).mean() < 6
    reel = read_reel(short)
    assert scene_at(reel, 9) == reel.scenes[2] and scene_at(reel, 0) is None


def test_a_running_run_missing_pictures_and_unscored_steps_are_filmed(run: Run, made: RunDir) -> None:
    """The second step's pictures are gone, the third's rewards too; the fourth is only begun."""
    for rollout in made.rollouts(2):
        if rollout.painting:
            made.image_path(rollout.painting).unlink()
    lines = [json.loads(line) for line in (made.rollouts_dir / "step-00003.jsonl").read_text().splitlines()]
    text = "".join(json.dumps(line | {"reward": None}) + "\n" for line in lines)
    (made.rollouts_dir / "step-00003.jsonl").write_text(text)
    (made.rollouts_dir / ".step-00005.jsonl.12-34.tmp").write_text('{"step": 5')
    reel = read_reel(made)
    assert sorted(reel.scenes) == [1, 2, 3, 4]
    assert reel.scenes[2].shots[0].why == "its picture is gone"
    assert reel.scenes[3].reward is None and reel.scenes[3].shots[0].picture is not None
    assert read_reel(made, group=4).scenes[4].shots[-1].why == "syntax error"
    for options in (["--group", 4], []):
        assert run("film", "first", *options, "--size", SIDE, "-o", "film.mp4", "--hold-last", 0).code == 0
        assert len(decode(Path("film.mp4"))) == 4


def test_a_long_film_is_thinned_for_webp_and_keeps_its_last_frame(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    make_run(Path("runs/first"), steps=5)
    monkeypatch.setattr("watercolour.show.footage.MOST_WEBP_FRAMES", 3)
    assert run("film", "first", "--size", 64, "--fps", 4, "-o", "film", "--hold-last", 0).code == 0
    frames = decode(Path("film.mp4"))
    with Image.open("film.webp") as film:
        assert (len(frames), film.n_frames) == (5, 3)
        film.seek(2)
        assert np.abs(np.asarray(film.convert("RGB")).astype(int) - frames[-1]).mean() < 4
        assert film.info["duration"] == 500


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "RUN: name a run to film, or a sketch with --strokes"),
        (["frist"], "no run 'frist', did you mean 'first'?"),
        (["pond"], "pond: is a pool, which has no steps to film; `watercolour pool show pond sheet.png` shows it"),
        (["empty"], "has no rollouts yet"),
        (["first", "-o", "film.gif"], "film.gif: a film is an .mp4 or a .webp"),
        (["first", "--best", "--group", "2"], "--best: does not go with --group"),
        (["first", "--medium", "animals"], "--medium: goes with --strokes"),
        (["first", "--strokes", "1"], "name a rollout as STEP/INDEX"),
        (["first", "--strokes", "1/9"], "has no such rollout"),
        (["--strokes", "gone.js"], "gone.js: cannot be read"),
        (["first", "--strokes", "1/0", "--best"], "it does not go with --best or --group"),
    ],
)
def test_what_cannot_be_filmed_is_one_line(run: Run, made: RunDir, arguments: list[str], message: str) -> None:
    Path("pond").mkdir()
    Path("pond/pool.jsonl").touch()
    make_run(Path("runs/empty"), steps=0)
    result = run("film", *arguments)
    assert message in result.err
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert not list(Path().glob("*.mp4"))


@pytest.mark.browser
def test_strokes_film_a_sketch_and_a_rollout_as_they_grow(run: Run, made: RunDir) -> None:
    assert open_run("first").path == Path("runs/first")
    result = run("film", "first", "--strokes", "2/1", "--size", 200, "-o", "grows.mp4")
    assert result.code == 0, result.err
    frames = decode(Path("grows.mp4"))
    painted = [float((frame < 230).any(axis=2).mean()) for frame in frames]
    assert len(frames) > 3 and frames[0].shape == (200, 200, 3)
    assert painted[0] < painted[len(frames) // 2] <= painted[-1] + 0.01
    broken = run("film", "first", "--strokes", "2/3", "-o", "broken.mp4")
    assert broken.code == 2 and "first-step-2-3: syntax_error, there is nothing to film" in broken.err
    assert not Path("broken.mp4").exists()
