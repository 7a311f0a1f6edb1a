"""`watercolour pool generate` with a real browser and server: rounds, probes, budgets, and going on after them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Result, Run
from tests.judge_server import Asked, JudgeServer, error, says, serving
from tests.painter_server import CRITIC, DISC, FEEDBACK, Painters, fence, painter_server
from tests.photo_server import PhotoServer
from watercolour.curate.candidates import read_candidates
from watercolour.curate.photographs import Photograph
from watercolour.painting import read_picture
from watercolour.reward.judge import retry

pytestmark = pytest.mark.browser

GOOD, BAD = "test/painter", "test/talker"
FOLDER = Path("candidates")


@pytest.fixture
def server(in_an_empty_folder: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeServer]:
    monkeypatch.setattr(retry, "FIRST_WAIT_S", 0.0)
    with serving(painter_server([GOOD, BAD], Painters(bad=frozenset({BAD})))) as server:
        yield server


def generate(run: Run, server: JudgeServer, *more: object, model: str = GOOD) -> Result:
    asked = ("pool", "generate", "-o", FOLDER, "--model", model, "--base-url", server.url, "--key-env", "none")
    subject = ("--subject", "a peach hibiscus")
    return run(*asked, "--critic", CRITIC, *(() if "--subject" in more else subject), "--workers", "1", *more)


def attempts() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / "attempts.jsonl").read_text().splitlines()]


def words(asked: Asked) -> str:
    return json.dumps([message["content"] for message in asked.body["messages"]])


def make_photo(folder: Path) -> None:
    """A folder of photographs with one in it."""
    import hashlib

    data = PhotoServer(size=(320, 240)).jpeg(7)
    (folder / "photos").mkdir(parents=True)
    (folder / "photos/inaturalist-7.jpg").write_bytes(data)
    author = {"author": "A", "attribution": "(c) A", "licence": "CC-BY-4.0", "licence_url": "https://example.org/by"}
    address = {"url": "https://example.org/7", "image_url": "https://example.org/7.jpg", "asked": "48623"}
    facts = {"id": "inaturalist-7", "file": "photos/inaturalist-7.jpg", "taxon": "Hibiscus", "common_name": ""}
    photo = Photograph(**author, **address, **facts, size=(320, 240), sha256=hashlib.sha256(data).hexdigest())
    (folder / "photos.jsonl").write_text(json.dumps(photo.record()) + "\n")


def test_a_critique_goes_back_and_the_last_round_that_passes_is_taken(run: Run, server: JudgeServer) -> None:
    replies = [
        "I will paint it soon.",
        fence(DISC.replace("RADIUS", "170")),
        fence(DISC.replace("RADIUS", "230")),
        fence("function setup() { createCanvas(600, 600, WEBGL); fetch('x'); }"),
    ]
    server.reply = lambda asked: FEEDBACK if asked.body["model"] == CRITIC else replies.pop(0)
    make_photo(Path("photos"))
    result = generate(run, server, "--photos", "photos", "--price", "1,10", "--critic-price", "2,20", "--json")
    assert result.code == 0, result.err
    [line] = [json.loads(text) for text in result.out.splitlines()]
    [candidate] = read_candidates(FOLDER)
    assert candidate.record() == line
    assert (candidate.round, candidate.gate, candidate.generator) == (2, True, GOOD)
    assert (candidate.photo, candidate.photo_licence, candidate.photo_url) == (
        "inaturalist-7",
        "CC-BY-4.0",
        "https://example.org/7",
    )
    assert (FOLDER / candidate.source).read_text() == DISC.replace("RADIUS", "230")
    assert read_picture(FOLDER / candidate.image).sha256 == candidate.sha256
    assert GOOD not in (candidate.id + candidate.image + candidate.source)
    rounds = attempts()
    assert [(each["round"], each["gate"]) for each in rounds] == [(0, False), (1, True), (2, True), (3, False)]
    assert [each["critique"] for each in rounds][2:] == [FEEDBACK, FEEDBACK]
    assert rounds[0]["why"].startswith("no_sketch") and rounds[3]["why"].startswith("external_access")
    # Four replies of the painter and two critiques: nothing was there to criticise after round 0.
    painter, critic = (1000 * 1 + 20 * 10) / 1e6, (1000 * 2 + 20 * 20) / 1e6
    assert candidate.cost_usd == pytest.approx(4 * painter + 2 * critic)
    assert f"{4 * painter + 2 * critic:.4f}" in result.err
    asked = [each for each in server.requests if each.body["model"] == GOOD]
    assert [len(each.pictures) for each in asked] == [1, 1, 1, 1]  # the photograph, each time
    assert "circle(300, 300, 170" in words(asked[2]) and FEEDBACK in words(asked[2])
    assert "createCanvas" not in words(server.requests[2])  # the critic sees no program
    assert len(server.requests[2].pictures) == 2
    calls = server.calls
    again = generate(run, server, "--photos", "photos")
    assert (again.code, again.out, server.calls) == (0, "", calls)
    assert "1 known before" in again.err


def test_a_model_that_cannot_is_dropped_after_its_first_replies(run: Run, server: JudgeServer) -> None:
    result = generate(
        run, server, "--model", BAD, "--samples", "3", "--probe", "2", "--rounds", "0", "--temperature", "0.5"
    )
    assert result.code == 0, result.err
    assert "0 of 2: dropped" in result.err and "3 of 3" in result.err
    assert f"refused   {BAD}, first: no_sketch_in_response: the reply holds no program" in result.err
    assert {each.generator for each in read_candidates(FOLDER)} == {GOOD}
    assert len(read_candidates(FOLDER)) == 3
    assert [asked.body["model"] for asked in server.requests].count(BAD) == 2
    assert {asked.body["temperature"] for asked in server.requests} == {0.5}


def test_a_budget_ends_it_and_a_larger_one_goes_on(run: Run, server: JudgeServer) -> None:
    result = generate(run, server, "--samples", "2", "--rounds", "1", "--max-calls", "3")
    assert result.code == 2
    assert "max_calls 3 is used up: raise it and run again" in result.err
    assert server.calls == 3
    assert "unfinished" in result.err
    as_it_is = generate(run, server, "--samples", "2", "--rounds", "0", "--max-calls", "3")
    assert as_it_is.code == 0, as_it_is.err
    assert server.calls == 3
    more = generate(run, server, "--samples", "3", "--rounds", "1", "--max-calls", "20")
    assert more.code == 0, more.err
    assert server.calls == 6  # the third painting's two, and its critique
    assert len(read_candidates(FOLDER)) == 3


def test_what_is_ours_leaves_a_painting_unfinished_and_what_is_wrong_stops(run: Run, server: JudgeServer) -> None:
    server.faults = [says(error(503, "overloaded"))] * 4
    result = generate(run, server, "--rounds", "0")
    assert result.code == 1
    assert "the endpoint said 503: overloaded (4 tries)" in result.err
    assert "1 painting is unfinished; the same command goes on" in result.err
    assert not (FOLDER / "candidates.jsonl").exists()
    server.key = "secret"
    refused = generate(run, server, "--rounds", "0")
    assert refused.code == 3 and "refuses a call without a key" in refused.err
    server.key = None
    unknown = generate(run, server, "--rounds", "0", model="test/nobody")
    assert unknown.code == 2 and "does not know the model test/nobody" in unknown.err
    same = fence(DISC.replace("RADIUS", "200"))
    server.reply = lambda asked: same
    twice = generate(run, server, "--rounds", "0", "--samples", "2")
    assert twice.code == 0 and "1 the same picture as another" in twice.err
    assert len(read_candidates(FOLDER)) == 1
