"""Replies that are paid once, and a budget that holds, against a real server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.judge_server import MODEL, JudgeServer, serving
from watercolour.curate.budget import BudgetUsedUpError, Ledger, Reply
from watercolour.curate.plan import GeneratorModel
from watercolour.errors import ConfigError
from watercolour.reward.judge.client import Client

QUESTION = [{"role": "user", "content": "Paint."}]


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with serving(JudgeServer(reply=lambda asked: "a sketch")) as server:
        yield server


def endpoint(server: JudgeServer, **others: object) -> GeneratorModel:
    prices = {"usd_per_million_input_tokens": 10.0, "usd_per_million_output_tokens": 100.0}
    return GeneratorModel.model_validate({"model": MODEL, "base_url": server.url, "key_env": None, **prices, **others})


def ask(ledger: Ledger, settings: GeneratorModel, *copies: str) -> list[Reply | BaseException]:
    async def all_of_them() -> list[Reply | BaseException]:
        client = Client(settings, "painter")
        asked = (ledger.write(client, settings, QUESTION, 0.7, copy=copy) for copy in copies)
        try:
            return list(await asyncio.gather(*asked, return_exceptions=True))
        finally:
            await client.close()

    return asyncio.run(all_of_them())


def test_a_reply_is_kept_priced_and_not_paid_again(server: JudgeServer, tmp_path: Path) -> None:
    settings = endpoint(server)
    [reply] = ask(Ledger(tmp_path, max_calls=None, max_usd=None), settings, "0")
    assert reply == Reply("a sketch", "", 1000, 20, (1000 * 10 + 20 * 100) / 1e6)
    assert server.requests[0].body["temperature"] == 0.7
    assert "response_format" not in server.requests[0].body
    with (tmp_path / "replies.jsonl").open("a") as log:
        log.write('{"key": "torn')
    again = Ledger(tmp_path, max_calls=None, max_usd=None)
    assert ask(again, settings, "0") == [reply]
    assert (again.calls, again.total.calls, again.total.usd) == (0, 1, pytest.approx(0.012))
    assert ask(again, settings, "1") == [reply]  # another copy of the question is another call
    assert server.calls == 2


def test_calls_end_at_the_budget_over_all_runs(server: JudgeServer, tmp_path: Path) -> None:
    settings = endpoint(server)
    replies = ask(Ledger(tmp_path, max_calls=3, max_usd=None), settings, *"abcde")
    assert sum(isinstance(reply, Reply) for reply in replies) == server.calls == 3
    assert {str(reply) for reply in replies if not isinstance(reply, Reply)} == {"max_calls 3 is used up"}
    [refused] = ask(Ledger(tmp_path, max_calls=3, max_usd=None), settings, "f")
    assert isinstance(refused, BudgetUsedUpError)


def test_dollars_are_set_aside_before_a_call_and_given_back_after_it(server: JudgeServer, tmp_path: Path) -> None:
    settings = endpoint(server, max_reply_tokens=500, concurrency=8)  # a call may cost .05, and does cost .012
    replies = ask(Ledger(tmp_path, max_calls=None, max_usd=0.08), settings, *"abcde")
    paid = [reply for reply in replies if isinstance(reply, Reply)]
    assert len(paid) == server.calls == 3  # a fourth might come to .086
    assert sum(reply.usd for reply in paid) <= 0.08
    assert server.most_in_flight == 1  # two at once might have cost .1


def test_a_reply_that_says_nothing_was_paid_for_too(server: JudgeServer, tmp_path: Path) -> None:
    server.reply = lambda asked: ""
    ledger = Ledger(tmp_path, max_calls=None, max_usd=None)
    [reply] = ask(ledger, endpoint(server), "0")
    assert isinstance(reply, Reply) and reply.problem == "the reply is empty"
    assert ledger.total.calls == 1


def test_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "replies.jsonl").write_text(json.dumps({"key": "k"}) + "\n")
    with pytest.raises(ConfigError, match=r"replies.jsonl:1"):
        Ledger(tmp_path, max_calls=None, max_usd=None)
