"""Kept answers: shared by processes, whole after a crash, and never worth a run."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from watercolour.errors import InfraError
from watercolour.reward.judge.cache import FILE_NAME, AnswerCache, question_key

WRITER = """
import sys
from pathlib import Path
from watercolour.reward.judge.cache import AnswerCache
folder, who = sys.argv[1:]
cache = AnswerCache(Path(folder))
for number in range(60):
    cache.put(f"shared {number}", "m", "the same")
    cache.put(f"{who} {number}", "m", who * 2000)
    assert cache.get(f"{who} {number}") == who * 2000
    if number % 20 == 19:
        cache.close()
print("wrote", flush=True)
if who == "b":
    import os
    connection = cache._connect()
    connection.execute("INSERT INTO answers VALUES ('half', 'm', 'x', 0)")  # not committed
    os.kill(os.getpid(), 9)
"""


def test_answers_outlive_the_process_and_the_first_stands(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path)
    assert cache.get("k") is None
    cache.put("k", "m", "one")
    cache.put("k", "m", "two")
    cache.close()
    assert cache.get("k") == "one"
    assert AnswerCache(tmp_path).get("k") == "one"


def test_processes_share_the_file_and_a_killed_one_leaves_no_half(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    writers = [subprocess.Popen([*command, who], stdout=subprocess.PIPE, text=True) for who in "abc"]
    assert [writer.communicate(timeout=120)[0] for writer in writers] == ["wrote\n"] * 3
    assert [writer.returncode for writer in writers] == [0, -9, 0]
    cache = AnswerCache(tmp_path)
    assert all(cache.get(f"{who} {number}") == who * 2000 for who in "abc" for number in range(60))
    assert cache.get("shared 59") == "the same"
    assert cache.get("half") is None


def test_a_file_that_is_no_cache_is_told_with_its_fix(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"not a database, " * 100)
    with pytest.raises(InfraError, match=r"answers\.sqlite: cannot be used .*delete it"):
        AnswerCache(tmp_path).get("k")


def test_what_cannot_be_kept_is_told_once_and_costs_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache = AnswerCache(tmp_path)
    cache.put("k", "m", "one")
    cache.close()
    (tmp_path / FILE_NAME).rename(tmp_path / "away")
    (tmp_path / FILE_NAME).mkdir()
    with caplog.at_level(logging.WARNING):
        for key in "lmn":
            cache.put(key, "m", "two")
            cache.close()
    assert [record.message.count("cannot be kept") for record in caplog.records] == [1]
    (tmp_path / FILE_NAME).rmdir()
    (tmp_path / "away").rename(tmp_path / FILE_NAME)
    assert cache.get("k") == "one"
    assert cache.get("l") is None


def test_an_answer_can_be_got_before_it_is_written(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path)
    for number in range(200):
        cache.put(str(number), "m", f"reply {number}")
        assert cache.get(str(number)) == f"reply {number}"
    cache.close()
    assert AnswerCache(tmp_path).get("199") == "reply 199"


def test_a_key_holds_for_one_model_prompt_size_and_order() -> None:
    keys = {
        question_key("m", "p", None, ["x", "y"]),
        question_key("m", "p", None, ["y", "x"]),
        question_key("n", "p", None, ["x", "y"]),
        question_key("m", "q", None, ["x", "y"]),
        question_key("m", "p", 512, ["x", "y"]),
        question_key("m", "p", None, ["x"]),
    }
    assert len(keys) == 6
    assert question_key("m", "p", None, ["x", "y"]) in keys
