"""The run directory: nothing half-written is read, nothing written is lost, two processes never share a run."""

from __future__ import annotations

import errno
import json
import math
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from watercolour.config import RunConfig, load_config, load_config_text
from watercolour.errors import ConfigError, InfraError
from watercolour.files import append_line, cut_torn_tail, plain, read_lines, write_whole
from watercolour.painting import Painting, RenderOutcome, hash_pixels
from watercolour.render.backend import Backend
from watercolour.run_facts import RunFacts, collect_facts, git_sha, without_secrets
from watercolour.runs import RolloutRecord, RunDir, TermRecord
from watercolour.shipped import find_config

TINY = find_config("tiny").read_text("utf-8")
FACTS = RunFacts(command="watercolour train", seeds={"run": 0}, versions={"p5": "2.3.4"}, browser="156", git_sha=None)


@pytest.fixture
def config() -> RunConfig:
    return load_config_text(TINY, label="tiny.yaml")


@pytest.fixture
def run(tmp_path: Path, config: RunConfig) -> Iterator[RunDir]:
    with RunDir.create(tmp_path / "run", config, TINY, FACTS) as run:
        yield run


def a_rollout(step: int = 1, index: int = 0, **changes: Any) -> RolloutRecord:
    fields: dict[str, Any] = {
        "step": step,
        "index": index,
        "subject": "a peach hibiscus",
        "completion": "```js\nbrush.circle(1, 2, 3)\n```",
        "source": "brush.circle(1, 2, 3)\n",
        "outcome": RenderOutcome.OK,
        "errors": ("ReferenceError: x",),
        "coverage": 0.25,
        "painting": "0" * 64,
        "seconds": 0.5,
        "terms": {
            "gate": TermRecord(1.0, 0.05, "passes", {"codes": []}),
            "judge": TermRecord(None, 0.6, "unreachable"),
        },
        "reward": None,
        "tokens": 130,
        "truncated": False,
    }
    return RolloutRecord(**fields | changes)


# JSON Lines

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
RECORDS = st.lists(st.dictionaries(st.text(), JSON, max_size=4), max_size=5)


@settings(deadline=None, max_examples=50)
@given(RECORDS, st.data())
def test_a_file_cut_at_any_byte_keeps_every_whole_line(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, Any]], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("cut") / "metrics.jsonl"
    ends = [0]
    for record in records:
        append_line(path, record)
        ends.append(path.stat().st_size)
    assert read_lines(path) == records
    cut = data.draw(st.integers(0, ends[-1]))
    whole = records[: sum(end <= cut for end in ends) - 1]
    if records:
        os.truncate(path, cut)
    assert read_lines(path) == whole
    cut_torn_tail(path)
    append_line(path, {"after": "the crash"})
    assert read_lines(path) == [*whole, {"after": "the crash"}]


@pytest.mark.parametrize(
    "torn", [b'{"a": 2', b"\0\0\0\0", b"{\n", b"null\n", b"\n", b"\xff\n", b'{"a": 2}', b"[" * 9999]
)
def test_a_torn_last_line_is_skipped_and_then_cut(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_bytes(b'{"a": 1}\n' + torn)
    assert read_lines(path) == [{"a": 1}]
    cut_torn_tail(path)
    assert path.read_bytes() == b'{"a": 1}\n'


def test_a_torn_line_further_up_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_bytes(b'{"a": 1}\n{"a"\n{"a": 3}\n')
    with pytest.raises(InfraError, match=r"not a JSON object.*metrics\.jsonl:2\)"):
        read_lines(path)


def test_a_missing_file_holds_no_lines(tmp_path: Path) -> None:
    assert read_lines(tmp_path / "none.jsonl") == []
    cut_torn_tail(tmp_path / "none.jsonl")
    assert not (tmp_path / "none.jsonl").exists()


def test_a_line_that_only_half_fits_is_taken_back(tmp_path: Path) -> None:
    """A file size limit makes the kernel write part of the line and refuse the rest, as a full disk does."""
    path = tmp_path / "metrics.jsonl"
    append_line(path, {"step": 1})
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(InfraError, match=r"metrics\.jsonl: cannot be written: File too large"):
            append_line(path, {"text": "x" * 5000})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_one_line_with_the_fix() -> None:
    with pytest.raises(InfraError, match=r"^/dev/full: cannot be written: No space left on device; free some space"):
        append_line(Path("/dev/full"), {"step": 1})


def test_a_whole_file_that_fails_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.json"
    write_whole(path, b"old")

    def no_space(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(InfraError, match="No space left on device; free some space"):
        write_whole(path, b"new")
    assert [(item.name, item.read_bytes()) for item in tmp_path.iterdir()] == [("run.json", b"old")]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (math.nan, None),
        (-math.inf, None),
        (np.float32("nan"), None),
        (np.float32(0.5), 0.5),
        (np.float64(0.25), 0.25),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.array([2]), 2),
        ({"a": (1, math.inf)}, {"a": [1, None]}),
        (Path("a/b"), "a/b"),
        (RenderOutcome.THREW, "threw"),
        (TermRecord(math.nan, 1.0, "why"), {"value": None, "weight": 1.0, "why": "why", "parts": {}}),
    ],
)
def test_what_json_cannot_hold_is_written_plainly(value: Any, written: Any) -> None:
    got = plain(value)
    assert (got, type(got)) == (written, type(written))


def test_what_has_no_plain_form_is_refused() -> None:
    with pytest.raises(TypeError, match="object cannot be written as JSON"):
        plain({"a": object()})


# A run's folder


def test_a_new_run_holds_what_it_was_told(run: RunDir, config: RunConfig) -> None:
    assert {path.name for path in run.path.iterdir()} == {
        ".lock",
        "run.json",
        "config.yaml",
        "config.resolved.json",
        "rollouts",
        "images",
        "checkpoints",
    }
    assert (run.path / "config.yaml").read_text("utf-8") == TINY
    assert load_config(run.path / "config.resolved.json") == config
    assert RunConfig.model_validate(run.resolved_config()) == config
    facts = run.facts()
    assert facts.items() >= vars(FACTS).items()
    assert facts["status"] == "running"
    assert facts["ended_at"] is None


def test_status_and_policy_class_are_noted(run: RunDir) -> None:
    run.set_policy_class("LlamaForCausalLM")
    run.set_status("interrupted")
    facts = RunDir.open(run.path).facts()
    assert (facts["policy_class"], facts["status"]) == ("LlamaForCausalLM", "interrupted")
    assert facts["ended_at"] >= facts["started_at"]


def test_without_a_name_the_first_free_number_is_taken(tmp_path: Path, config: RunConfig) -> None:
    root = tmp_path / "runs"
    names = [RunDir.create(None, config, TINY, FACTS, root=root).path.name for _ in range(3)]
    assert names == ["tiny-1", "tiny-2", "tiny-3"]


@pytest.mark.parametrize("name", ["run.json", "holiday.jpg", ".hidden"])
def test_a_folder_that_holds_something_is_refused_and_left_alone(tmp_path: Path, config: RunConfig, name: str) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / name).write_text("precious")
    with pytest.raises(ConfigError, match="mine: already holds a run or other files; choose another --name"):
        RunDir.create(folder, config, TINY, FACTS)
    assert [(item.name, item.read_text()) for item in folder.iterdir()] == [(name, "precious")]


def test_an_empty_folder_is_taken(tmp_path: Path, config: RunConfig) -> None:
    (tmp_path / "empty").mkdir()
    assert RunDir.create(tmp_path / "empty", config, TINY, FACTS).facts()["status"] == "running"


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path, config: RunConfig) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(ConfigError, match=r"cannot be made: .*; choose another --name"):
            RunDir.create(path, config, TINY, FACTS)


def test_a_run_is_found_by_folder_or_name_and_misspelt_ones_suggested(tmp_path: Path, config: RunConfig) -> None:
    made = RunDir.create(None, config, TINY, FACTS, root=tmp_path)
    assert RunDir.open("tiny-1", root=tmp_path).path == RunDir.open(made.path).path == made.path
    for name in ("tiny1", "\0", "x" * 5000):
        with pytest.raises(ConfigError, match=r"no run .*tiny-1"):
            RunDir.open(name, root=tmp_path)


def test_two_writers_never_share_a_run(run: RunDir, config: RunConfig) -> None:
    with pytest.raises(ConfigError, match="another process is writing this run"):
        RunDir.resume(run.path)
    run.write_step(1, {"reward": 0.5})
    assert RunDir.open(run.path).metrics() == [{"reward": 0.5, "step": 1}]
    run.close()
    with run.metrics_path.open("a") as file:
        file.write('{"reward": 0.')
    with RunDir.resume(run.path) as again:
        again.write_step(2, {"reward": 0.6})
    assert [record["step"] for record in run.metrics()] == [1, 2]


def test_many_starts_at_once_get_a_folder_each(tmp_path: Path, config: RunConfig) -> None:
    made: list[RunDir] = []
    refused: list[ConfigError] = []

    def start(path: Path | None) -> None:
        try:
            made.append(RunDir.create(path, config, TINY, FACTS, root=tmp_path))
        except ConfigError as error:
            refused.append(error)

    threads = [threading.Thread(target=start, args=(path,)) for path in [None] * 4 + [tmp_path / "same"] * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(run.path.name for run in made) == ["same", "tiny-1", "tiny-2", "tiny-3", "tiny-4"]
    assert len(refused) == 3


CHILD = """
import sys
from pathlib import Path
from watercolour.runs import RunDir
run = RunDir.resume(Path(sys.argv[1]))
for step in range(1, 100_000):
    run.write_step(step, {"filler": "x" * 3000})
    run.write_rollouts(step % 3, [])
    print(step, flush=True)
"""


def test_a_killed_writer_loses_no_finished_line_and_frees_the_run(run: RunDir) -> None:
    run.close()
    command = [sys.executable, "-c", CHILD, str(run.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            finished = next(step for step in map(int, child.stdout) if step >= 20)
            with pytest.raises(ConfigError, match="another process is writing this run"):
                RunDir.resume(run.path)
        finally:
            child.send_signal(signal.SIGKILL)
        finished = max([finished, *map(int, child.stdout)])
    with RunDir.resume(run.path) as again:
        steps = [record["step"] for record in again.metrics()]
        assert steps == list(range(1, len(steps) + 1))
        assert len(steps) >= finished
        again.write_step(len(steps) + 1, {})
        assert len(again.metrics()) == len(steps) + 1


def test_a_step_written_again_replaces_the_first(run: RunDir) -> None:
    for step, reward in ((1, 0.1), (3, 0.3), (2, 0.2), (3, 0.4)):
        run.write_step(step, {"reward": reward, "loss": math.nan})
    assert [(record["step"], record["reward"]) for record in run.metrics()] == [(1, 0.1), (2, 0.2), (3, 0.4)]
    assert run.metrics()[0]["loss"] is None
    with run.metrics_path.open("a") as file:
        file.write('{"step": "x"}\n')
    with pytest.raises(InfraError, match=r"no whole number as step.*metrics\.jsonl:5\)"):
        run.metrics()


# Rollouts, pictures, log


def test_rollouts_come_back_as_they_were(run: RunDir) -> None:
    first = [a_rollout(1, index) for index in range(3)]
    second = [a_rollout(10, 0, completion="\ud800 \0  \u2028 é", reward=0.5, coverage=None, painting=None)]
    run.write_rollouts(10, second)
    run.write_rollouts(1, first)
    assert run.rollouts(1) == first
    assert run.rollouts() == [*first, *second]
    assert run.rollouts(7) == []
    assert sorted(path.name for path in run.rollouts_dir.iterdir()) == ["step-00001.jsonl", "step-00010.jsonl"]
    run.write_rollouts(1, first[:1])
    assert run.rollouts(1) == first[:1]


def test_rollouts_of_another_version_are_read_or_refused_with_their_line(run: RunDir) -> None:
    run.write_rollouts(1, [a_rollout()])
    path = run.rollouts_dir / "step-00001.jsonl"
    record = json.loads(path.read_text())
    path.write_text(json.dumps(record | {"later": 1}) + "\n")
    assert run.rollouts() == [a_rollout()]
    for broken in ({"index": 1}, record | {"terms": 3}, record | {"terms": {"gate": {}}}, record | {"errors": 1}):
        path.write_text(json.dumps(record) + "\n" + json.dumps(broken) + "\n")
        with pytest.raises(InfraError, match=r"not a rollout: .*step-00001\.jsonl:2\)"):
            run.rollouts()


@settings(deadline=None, max_examples=40)
@given(completion=st.text(), why=st.text(), value=st.floats() | st.none(), parts=st.dictionaries(st.text(), JSON))
def test_any_rollout_survives_the_disk(completion: str, why: str, value: float | None, parts: dict[str, Any]) -> None:
    rollout = a_rollout(completion=completion, terms={"t": TermRecord(value, 1.0, why, parts)})
    back = RolloutRecord.from_record(json.loads(json.dumps(plain(rollout), allow_nan=False)))
    kept = value if value is not None and math.isfinite(value) else None
    assert back == a_rollout(completion=completion, terms={"t": TermRecord(kept, 1.0, why, parts)})


def test_a_picture_is_kept_once_under_its_hash(run: RunDir) -> None:
    pixels = np.arange(27, dtype=np.uint8).reshape(3, 3, 3)
    painting = Painting(sketch=None, outcome=RenderOutcome.OK, pixels=pixels)
    name = hash_pixels(pixels)
    assert run.add_image(painting) == f"images/{name[:2]}/{name}.png"
    path = run.image_path(name)
    with Image.open(path) as image:
        assert np.array_equal(np.asarray(image), pixels)
    path.write_bytes(b"already there")
    run.add_image(painting)
    assert path.read_bytes() == b"already there"
    assert run.add_image(Painting(sketch=None, outcome=RenderOutcome.SYNTAX_ERROR)) is None
    assert len(list(run.images.rglob("*"))) == 2


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "0" * 63, "G" * 64, "0" * 64 + "\n"])
def test_a_pictures_name_cannot_leave_the_run(run: RunDir, name: str) -> None:
    with pytest.raises(ValueError, match="not a painting's name"):
        run.image_path(name)


def test_the_log_takes_any_text(run: RunDir) -> None:
    run.log("warmed up")
    run.log("odd \ud800 text")
    first, second = run.log_path.read_text("utf-8").splitlines()
    assert first.endswith("+00:00 warmed up")
    assert second.endswith(r"odd \ud800 text")


def test_a_run_that_cannot_be_written_is_one_line(run: RunDir) -> None:
    run.metrics_path.mkdir()
    with pytest.raises(InfraError, match=r"metrics\.jsonl: cannot be written: Is a directory"):
        run.write_step(1, {})
    run.log_path.mkdir()
    with pytest.raises(InfraError, match=r"log\.txt: cannot be written: Is a directory"):
        run.log("x")


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\xff"])
def test_a_broken_run_json_is_one_line(run: RunDir, text: bytes) -> None:
    (run.path / "run.json").write_bytes(text)
    with pytest.raises(InfraError, match=r"run\.json: cannot be read as a JSON object"):
        run.facts()


# What run.json says


def test_facts_name_versions_and_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_abcdefgh12345")
    facts = collect_facts(
        ["watercolour", "train", "--config", "my config.yaml", "subject=hf_abcdefgh12345"],
        seeds={"run": 3},
        browser="156.0",
        libraries={"p5": "2.3.4", "p5.brush": None},
        backend=Backend("gl", "vulkan", "Some GPU"),
    )
    assert facts.renderer == {"backend": "gl", "gpu": "Some GPU"}
    assert facts.command == "watercolour train --config 'my config.yaml' subject=$HF_TOKEN"
    assert facts.versions["python"] == sys.version.split()[0]
    assert facts.versions["pillow"] == metadata.version("pillow")
    assert facts.versions["p5"] == "2.3.4"
    assert facts.versions["p5.brush"] is None
    assert "hf_abcdefgh12345" not in json.dumps(plain(facts))


def test_only_long_values_of_secret_variables_are_hidden() -> None:
    environment = {"OPENAI_API_KEY": "sk-1234567", "SHORT_KEY": "a", "HOME": "/home/someone"}
    assert without_secrets("a sk-1234567 /home/someone", environment) == "a $OPENAI_API_KEY /home/someone"


def test_the_commit_is_that_of_the_checkout_or_none(tmp_path: Path) -> None:
    assert git_sha(tmp_path) is None
    (tmp_path / ".git").mkdir()
    assert git_sha(tmp_path) is None
    (tmp_path / ".git").rmdir()
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    (tmp_path / "file").write_text("1")
    for command in (["init", "-q"], ["add", "file"], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *command], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    assert git_sha(tmp_path) == commit
    (tmp_path / "file").write_text("2")
    assert git_sha(tmp_path) == f"{commit}-dirty"


def test_an_evaluation_counts_once_its_line_is_there(run: RunDir) -> None:
    rollout = RolloutRecord(
        step=4, index=0, subject="a rose", completion="", source="", outcome="ok", errors=(), coverage=None,
        painting=None, seconds=0.0, terms={}, reward=None, tokens=1, truncated=False,
    )  # fmt: skip
    assert run.evals() == [] and run.eval_rollouts(4) == []
    run.write_eval(4, [rollout], {"reward": 0.5})
    run.write_eval(0, [], {"reward": 0.25})
    assert run.evals() == [{"reward": 0.25, "step": 0}, {"reward": 0.5, "step": 4}]
    assert run.eval_rollouts(4) == [rollout]
    assert run.rollouts() == []
    run.drop_evals_after(0)
    assert [summary["step"] for summary in run.evals()] == [0]
    run.write_eval(4, [rollout, rollout], {"reward": 0.75})
    assert (run.evals()[-1]["reward"], len(run.eval_rollouts(4))) == (0.75, 2)
