"""The client against a real server that misbehaves: what is tried again, what is not, what stops everything."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Callable
from email.utils import formatdate
from typing import Any

import pytest

from tests.judge_server import (
    JudgeServer,
    busy,
    completion,
    cut_json,
    dropped,
    error,
    html,
    says,
    slow,
    text,
    trickling,
)
from watercolour.errors import ConfigError, PrerequisiteError, WatercolourError
from watercolour.reward.judge import retry
from watercolour.reward.judge.client import Client
from watercolour.reward.judge.prompt import Prompt
from watercolour.reward.judge.retry import retry_after_s
from watercolour.reward.judge.verdict import UnresolvedError
from watercolour.reward.settings import PairwiseSettings

Settings = Callable[..., PairwiseSettings]
DOT = "data:image/png;base64," + base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100"
        "c9fe92ef0000000049454e44ae426082"
    )
).decode("ascii")
PROMPT = Prompt("Judge.", ("A:", "B:"), "Reply.", "verdict", {"type": "object"})


def ask(settings: PairwiseSettings, times: int = 1, together: bool = False) -> list[str]:
    return asyncio.run(ask_async(Client(settings, "judge"), times, together))


async def ask_async(client: Client, times: int = 1, together: bool = False) -> list[str]:
    messages, response_format = PROMPT.messages([DOT, DOT]), PROMPT.response_format()
    try:
        if together:
            return list(await asyncio.gather(*(client.ask(messages, response_format) for _ in range(times))))
        return [await client.ask(messages, response_format) for _ in range(times)]
    finally:
        await client.close()


def test_a_plain_question(judge_server: JudgeServer, pairwise: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    judge_server.key = "sk-of-this-test"
    monkeypatch.setenv("SOME_KEY", " sk-of-this-test\n")
    client = Client(
        pairwise(key_env="SOME_KEY", usd_per_million_input_tokens=0.2, usd_per_million_output_tokens=10.0), "judge"
    )
    [reply] = asyncio.run(ask_async(client))
    assert json.loads(reply)["winner"] == "A"
    [asked] = judge_server.requests
    assert asked.body["temperature"] == 0
    assert asked.body["max_tokens"] == 512
    assert asked.body["response_format"] == PROMPT.response_format()
    usage = client.meter.usage
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (1, 1000, 20)
    assert usage.usd == pytest.approx(1000 * 0.2e-6 + 20 * 10e-6)


@pytest.mark.parametrize(
    "fault",
    [
        busy(),
        says(error(500, "oh")),
        says(error(503, "loading")),
        says(error(408, "slow client")),
        html(502),
        cut_json(),
        dropped(),
    ],
    ids=["429", "500", "503", "408", "502 page", "cut JSON", "dropped"],
)
def test_what_may_pass_is_tried_again(judge_server: JudgeServer, pairwise: Settings, fault: Any) -> None:
    judge_server.faults = [fault, fault]
    assert len(ask(pairwise())) == 1
    assert judge_server.calls == 3


@pytest.mark.parametrize("fault", [slow(5), trickling(5)], ids=["slow", "trickling"])
def test_a_call_that_takes_too_long_is_cut_and_tried_again(
    judge_server: JudgeServer, pairwise: Settings, fault: Any
) -> None:
    judge_server.faults = [fault]
    assert len(ask(pairwise(timeout_s=0.5))) == 1
    assert judge_server.calls == 2


def test_tries_come_to_an_end(judge_server: JudgeServer, pairwise: Settings) -> None:
    judge_server.faults = [says(error(500, "oh\nno"))] * 9
    with pytest.raises(UnresolvedError, match=r"the endpoint said 500: oh no \(3 tries\)"):
        ask(pairwise(max_tries=3))
    assert judge_server.calls == 3


def test_an_endpoint_that_is_not_there_is_unresolved(pairwise: Settings) -> None:
    with pytest.raises(UnresolvedError, match=r"the connection failed: .* \(2 tries\)"):
        ask(pairwise(base_url="http://127.0.0.1:9/v1", max_tries=2))


def test_retry_after_is_kept_to_by_every_call(judge_server: JudgeServer, pairwise: Settings) -> None:
    arrivals: list[float] = []

    def note(_: Any) -> None:
        arrivals.append(time.monotonic())

    judge_server.faults = [busy("0.6")]
    judge_server.reply = note
    started = time.monotonic()
    ask(pairwise(concurrency=1), times=3, together=True)
    assert judge_server.calls == 4
    assert min(arrivals) - started >= 0.6


def test_a_wait_out_of_all_proportion_is_not_waited_for(judge_server: JudgeServer, pairwise: Settings) -> None:
    judge_server.faults = [busy("86400")]
    with pytest.raises(UnresolvedError, match=r"429: slow down \(1 try\)"):
        ask(pairwise())
    assert judge_server.calls == 1


def test_retry_after_forms() -> None:
    assert retry_after_s({"retry-after": "1.5"}) == 1.5
    assert 50 < (retry_after_s({"retry-after": formatdate(time.time() + 60, usegmt=True)}) or 0) < 61
    assert retry_after_s({"retry-after": formatdate(time.time() - 60, usegmt=True)}) == 0
    for text_ in ("", "soon", "nan", "inf", "-"):
        assert retry_after_s({"retry-after": text_}) is None


def test_backoff_doubles_with_jitter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT_S", 0.5)
    waits = []
    for attempt in (1, 2, 3, 4, 20):
        state = retry.RetryCallState(retry.AsyncRetrying(), None, (), {})
        state.attempt_number = attempt
        state.set_exception((retry.TransientError, retry.TransientError("busy"), None))
        waits.append([retry._wait_s(state) for _ in range(20)])
    for shortest, drawn in zip((0.5, 1, 2, 4, 30), waits, strict=True):
        assert all(shortest <= wait <= min(30, shortest + 0.5) for wait in drawn)
    assert len(set(waits[0])) > 10


@pytest.mark.parametrize(
    ("fault", "family", "message"),
    [
        (says(error(401, "bad key sk-of-this-test")), PrerequisiteError, "$SOME_KEY (401: bad key (the key)): export"),
        (says(error(403, "not yours")), PrerequisiteError, "refuses $SOME_KEY (403: not yours): export SOME_KEY=..."),
        (says(error(402, "no credit")), PrerequisiteError, "wants to be paid (402: no credit): top up"),
        (says(error(429, "quota", code="insufficient_quota")), PrerequisiteError, "wants to be paid"),
        (says(error(404, "gone")), ConfigError, "does not know the model test/judge (404: gone): correct `model`"),
        (says(error(400, "no", code="model_not_supported")), ConfigError, "does not know the model"),
        (html(404), ConfigError, "does not know the model"),
    ],
)  # fmt: skip
def test_what_cannot_pass_stops_at_once_and_says_how_to_mend_it(
    judge_server: JudgeServer,
    pairwise: Settings,
    monkeypatch: pytest.MonkeyPatch,
    fault: Any,
    family: type[WatercolourError],
    message: str,
) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-of-this-test")
    judge_server.faults = [fault] * 9
    with pytest.raises(family) as caught:
        ask(pairwise(key_env="SOME_KEY"))
    assert judge_server.calls == 1
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"judge: {judge_server.url} ")
    assert "sk-of-this-test" not in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_wrong_key_and_an_unknown_model_are_refused_by_the_server_itself(
    judge_server: JudgeServer, pairwise: Settings
) -> None:
    with pytest.raises(ConfigError, match="does not know the model no/such"):
        ask(pairwise(model="no/such"))
    judge_server.key = "sk-other"
    with pytest.raises(PrerequisiteError, match="refuses a call without a key"):
        ask(pairwise())


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (html(), "is no chat completion (text/html; charset=utf-8: '<html><body>Welcome"),
        (text("{}"), "is no chat completion"),
        (text("[]"), "is no chat completion"),
        (text('{"choices": []}'), "is no chat completion"),
        (text('{"choices": [{"message": "hi"}]}'), "is no chat completion"),
        (text('{"error": {"message": "the model\\nis gone"}}'), "the endpoint said: the model is gone"),
        (says(error(413, "too large")), "rejected the question (413: too large)"),
        (says(completion(None)), "the reply is empty"),
        (says(completion("", "length")), "max_reply_tokens went into thinking"),
        (says(completion("A", "content_filter")), "filter withheld"),
        (says(completion(None, refusal="I won't.")), "the model refused: I won't."),
    ],
)
def test_what_is_no_answer_is_unresolved_and_not_tried_again(
    judge_server: JudgeServer, pairwise: Settings, fault: Any, why: str
) -> None:
    judge_server.faults = [fault] * 2
    with pytest.raises(UnresolvedError) as caught:
        ask(pairwise())
    assert why in str(caught.value)
    assert judge_server.calls == (2 if "413" in why else 1)  # a 4xx is asked once more, without the schema


def test_content_in_parts_is_one_text(judge_server: JudgeServer, pairwise: Settings) -> None:
    parts: Any = [{"type": "text", "text": '{"winner": '}, {"type": "text", "text": '"A"}'}]
    judge_server.faults = [says(completion(parts))]
    assert ask(pairwise()) == ['{"winner": "A"}']


def test_a_server_without_json_schema_is_found_out_once(
    judge_server: JudgeServer, pairwise: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    judge_server.takes_schema = False
    assert len(ask(pairwise(), times=4)) == 4
    assert ["response_format" in asked.body for asked in judge_server.requests] == [True] + [False] * 4
    assert [record.message for record in caplog.records if "takes no JSON schema" in record.message] != []


def test_one_rejected_question_does_not_give_up_the_schema(judge_server: JudgeServer, pairwise: Settings) -> None:
    judge_server.faults = [says(error(400, "odd picture"))] * 2
    client = Client(pairwise(), "judge")

    async def twice() -> None:
        with pytest.raises(UnresolvedError, match="odd picture"):
            await client.ask(PROMPT.messages([DOT, DOT]), PROMPT.response_format())
        await ask_async(client)

    asyncio.run(twice())
    assert ["response_format" in asked.body for asked in judge_server.requests] == [True, False, True]


def test_calls_in_flight_are_bounded(judge_server: JudgeServer, pairwise: Settings) -> None:
    judge_server.delay_s = 0.1
    ask(pairwise(concurrency=3), times=9, together=True)
    assert judge_server.calls == 9
    assert judge_server.most_in_flight == 3


def test_a_call_that_waits_to_be_tried_again_holds_no_slot(judge_server: JudgeServer, pairwise: Settings) -> None:
    judge_server.faults = [says(error(500, "oh"))]
    ask(pairwise(concurrency=1), times=2, together=True)
    assert judge_server.calls == 3


def test_the_budget_is_never_overdrawn_and_failed_tries_count(judge_server: JudgeServer, pairwise: Settings) -> None:
    judge_server.faults = [says(error(500, "oh"))]
    with pytest.raises(ConfigError, match="judge: max_calls 5 is used up; raise it"):
        ask(pairwise(max_calls=5), times=30, together=True)
    assert judge_server.calls <= 5
    client = Client(pairwise(max_calls=5), "judge")
    with pytest.raises(ConfigError, match="max_calls 5"):
        asyncio.run(ask_async(client, times=6))
    assert client.meter.usage.calls == 5


def test_one_client_serves_one_event_loop_after_another(judge_server: JudgeServer, pairwise: Settings) -> None:
    client = Client(pairwise(), "judge")
    for _ in range(2):
        asyncio.run(client.ask(PROMPT.messages([DOT, DOT]), PROMPT.response_format()))
    assert judge_server.calls == 2


def test_without_the_key_there_is_no_client(pairwise: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "  ")
    with pytest.raises(PrerequisiteError, match=r"\$SOME_KEY is not set.*export SOME_KEY="):
        Client(pairwise(key_env="SOME_KEY"), "judge")
