"""`watercolour pool photos` against a local copy of the API: what is taken, whose it is, and how politely."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from starlette.responses import JSONResponse, PlainTextResponse, Response

from tests.cli.conftest import Run
from tests.photo_server import MOSCHEUTOS, PhotoServer, serving_photos
from watercolour.curate import inaturalist
from watercolour.curate.inaturalist import LICENCES, Found, INaturalist, _found, _taxa
from watercolour.curate.photographs import read_photographs
from watercolour.errors import ConfigError, InfraError
from watercolour.reward.judge import retry


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[PhotoServer]:
    monkeypatch.setattr(inaturalist, "INTERVAL_S", 0.0)
    monkeypatch.setattr(retry, "FIRST_WAIT_S", 0.0)
    with serving_photos(PhotoServer()) as server:
        monkeypatch.setenv("WATERCOLOUR_PHOTO_API", server.api)
        yield server


def test_photographs_come_with_their_authors(run: Run, server: PhotoServer) -> None:
    for number, licence in enumerate(("cc0", "cc-by", "cc-by-sa"), 1):
        server.observe(number, licence)
    result = run("pool", "photos", "hibiscus", "-o", "photos", "-n", "3", "--contact", "me@example.org")
    assert result.code == 0, result.err
    held = read_photographs(Path("photos"))
    assert [photo.licence for photo in held] == ["CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0"]
    first = held[0]
    assert first.url == "https://www.inaturalist.org/observations/1"
    assert (first.author, first.attribution) == ("Painter 1", "(c) Painter 1, some rights reserved")
    assert first.taxon == "Hibiscus moscheutos"
    assert first.licence_url == "https://creativecommons.org/publicdomain/zero/1.0/"
    data = (Path("photos") / first.file).read_bytes()
    assert hashlib.sha256(data).hexdigest() == first.sha256
    with Image.open(io.BytesIO(data)) as image:
        assert image.size == first.size == (768, 614)
    page = Path("photos/ATTRIBUTION.md").read_text()
    assert "(c) Painter 3, some rights reserved" in page and "https://www.inaturalist.org/observations/3" in page
    [observations] = [request for request in server.requests if request.url.path == "/v1/observations"]
    asked = dict(observations.query_params)
    assert (asked["quality_grade"], asked["photo_license"]) == ("research", "cc0,cc-by,cc-by-sa")
    assert asked["taxon_id"] == "48623"
    assert {request.headers["user-agent"].split("/")[0] for request in server.requests} == {"watercolour"}
    assert all("me@example.org" in request.headers["user-agent"] for request in server.requests)
    assert server.paths("/photos/") == [f"/photos/{number}/large.jpg" for number in (1001, 1002, 1003)]


def test_a_second_run_goes_on_and_fetches_nothing_twice(run: Run, server: PhotoServer) -> None:
    for number in range(1, 5):
        server.observe(number)
    assert run("pool", "photos", "Hibiscus", "-o", "photos", "-n", "2").code == 0
    with Path("photos/photos.jsonl").open("a") as manifest:
        manifest.write('{"id": "inaturalist-')  # as a crash leaves it
    result = run("pool", "photos", "Hibiscus", "-o", "photos", "-n", "4", "--json")
    assert [json.loads(line)["id"] for line in result.out.splitlines()] == ["inaturalist-1003", "inaturalist-1004"]
    assert len(server.paths("/photos/")) == len(set(server.paths("/photos/"))) == 4
    assert run("pool", "photos", "Hibiscus", "-o", "photos", "-n", "4").code == 0
    assert len(server.paths("/photos/")) == 4


def test_what_is_not_open_or_not_whole_is_left_out_and_counted(run: Run, server: PhotoServer) -> None:
    server.observe(1, "cc-by-nc")
    server.observe(2, None)
    server.observe(3, quality_grade="casual")
    server.observe(4, photos="none")
    server.observe(5, user=None)
    server.observe(6, id="six")
    server.observations += [None, 7, [], {"id": 8, "quality_grade": "research", "photos": [None]}]
    server.observe(9)["photos"][0]["url"] = "javascript:alert(1)"
    server.observe(10)
    result = run("pool", "photos", "hibiscus", "-o", "photos", "-n", "5")
    assert result.code == 0
    assert [photo.id for photo in read_photographs(Path("photos"))] == ["inaturalist-1010"]
    for told in ("left out 1: licence cc-by-nc", "left out 1: no licence", "1: not of research grade"):
        assert told in result.err
    assert "left out 5: an answer of another shape" in result.err
    assert "there are no more of them: 1 of the 5 asked for" in result.err


def test_a_name_of_several_taxa_is_listed_and_its_number_taken(run: Run, server: PhotoServer) -> None:
    server.taxa = [MOSCHEUTOS, {**MOSCHEUTOS, "id": 5, "name": "Hibiscus laevis"}]
    server.observe(1)
    refused = run("pool", "photos", "mallow", "-o", "photos")
    assert refused.code == 2
    assert "117433  Hibiscus moscheutos (swamp rose mallow), species" in refused.err
    assert run("pool", "photos", "117433", "-o", "photos", "-n", "1").code == 0
    unknown = run("pool", "photos", "dragon", "-o", "photos")
    assert unknown.code == 2 and "knows no such taxon" in unknown.err


def test_a_busy_server_is_asked_again_and_a_broken_one_told_of(run: Run, server: PhotoServer) -> None:
    server.observe(1)
    server.faults = [Response(status_code=429, headers={"retry-after": "0"}), Response(status_code=503)]
    assert run("pool", "photos", "hibiscus", "-o", "photos", "-n", "1").code == 0
    assert server.paths("/v1/taxa") == ["/v1/taxa"] * 3
    for fault, told in (
        ([Response(status_code=500)] * 5, "the server said 500 (5 tries)"),
        ([PlainTextResponse("<html>")], "did not answer in JSON"),
        ([JSONResponse({"results": "none"})], "holds no list of results"),
        ([Response(status_code=404)], "the server said 404"),
    ):
        server.faults = list(fault)
        result = run("pool", "photos", "hibiscus", "-o", "photos", "-n", "2")
        assert result.code == 1 and told in result.err


def test_a_picture_that_is_none_costs_itself_alone(run: Run, server: PhotoServer) -> None:
    for number in (1, 2):
        server.observe(number)
    answers: list[Any] = [None, None, Response(b"no picture", media_type="image/jpeg")]

    class Faults(list[Response]):
        def __bool__(self) -> bool:
            return bool(answers) and answers.pop(0) is not None

        def pop(self, _: Any = 0) -> Response:
            return Response(b"no picture", media_type="image/jpeg")

    server.faults = Faults()
    result = run("pool", "photos", "hibiscus", "-o", "photos", "-n", "2")
    assert result.code == 0
    assert "inaturalist-1001: is no picture that can be read" in result.err
    assert [photo.id for photo in read_photographs(Path("photos"))] == ["inaturalist-1002"]


def test_a_manifest_that_was_changed_is_refused(run: Run, server: PhotoServer) -> None:
    server.observe(1)
    run("pool", "photos", "hibiscus", "-o", "photos", "-n", "1")
    manifest = Path("photos/photos.jsonl")
    line = json.loads(manifest.read_text())
    for change, told in (
        ({"licence": "CC-BY-NC-4.0"}, "licence 'CC-BY-NC-4.0' is not one of"),
        ({"file": "../../etc/passwd"}, "lies outside the folder"),
        ({"sha256": "0" * 64}, "is another file than was fetched"),
        ({"author": 5}, "author must be text"),
    ):
        manifest.write_text(json.dumps({**line, **change}) + "\n")
        with pytest.raises(ConfigError, match=told):
            read_photographs(Path("photos"))


async def _turns(api: INaturalist) -> None:
    for _ in range(3):
        await api._wait_our_turn()


def test_requests_are_a_second_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    asyncio.run(_turns(INaturalist()))
    assert [round(wait) for wait in waits] == [0, 1, 2]  # nobody slept, so the turns add up


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["research", *LICENCES]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "results", "photos", "license_code", "url", "user", "name", "login", "taxon", "quality_grade"]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=12,
)


@given(ANYTHING)
def test_no_answer_breaks_the_reader_or_gets_in_without_a_licence(answer: Any) -> None:
    found = _found(answer)
    assert isinstance(found, str) or (
        isinstance(found, Found) and found.licence in {"CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0"}
    )
    with contextlib.suppress(InfraError):
        assert all(type(taxon.id) is int for taxon in _taxa(answer))
