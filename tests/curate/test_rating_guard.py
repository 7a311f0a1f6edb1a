"""Whom the rating page's server refuses: other origins, no token, other hosts, other files, other methods."""

from __future__ import annotations

import http.client
import http.server
import json
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from tests.made_candidates import make_candidates
from tests.rating_page import serving
from watercolour.curate.rating.desk import Desk
from watercolour.curate.rating.server import Link, listen
from watercolour.curate.ratings import RATINGS, read_presses
from watercolour.errors import ConfigError
from watercolour.render.browser import find_chromium


@dataclass
class Place:
    folder: Path
    desk: Desk
    link: Link

    @property
    def key(self) -> str:
        return self.desk.paintings[0].key

    def ask(
        self, path: str, headers: dict[str, str] | None = None, method: str = "GET", body: bytes | None = None
    ) -> tuple[int, bytes, dict[str, str]]:
        """Sends the path as it is, as no browser would."""
        connection = http.client.HTTPConnection("127.0.0.1", self.link.port, timeout=20)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in ({"Host": f"127.0.0.1:{self.link.port}"} | (headers or {})).items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        found = answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        connection.close()
        return found

    def press(self, headers: dict[str, str] | None = None, **changed: Any) -> tuple[int, bytes, dict[str, str]]:
        body = {"keys": [self.key], "answer": "love", "press": "a" * 32, "seconds": 1.0, "seen": 0, "since": 0}
        sent = json.dumps({**body, **changed}).encode()
        return self.ask(
            f"/{self.link.token}/press", {"Content-Type": "application/json"} | (headers or {}), "POST", sent
        )


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.setenv("WATERCOLOUR_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "candidates"
    folder.mkdir()
    make_candidates(folder, each=1)
    (tmp_path / "secret.png").write_bytes(b"secret")
    with serving(folder) as (desk, link):
        yield Place(folder, desk, link)


def test_our_own_requests_are_answered(place: Place) -> None:
    base = f"/{place.link.token}"
    for path in ("/", "/page/rate.js", "/state", f"/picture/{place.key}", f"/picture/{place.key}?small"):
        status, body, headers = place.ask(base + path)
        assert status == 200
        assert body
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert place.ask(f"{base}/state", {"Host": "localhost:9000"})[0] == 200  # forwarded by SSH to another port
    assert place.ask(f"{base}/state", {"Host": "[::1]:9000"})[0] == 200
    assert place.press({"Origin": f"http://127.0.0.1:{place.link.port}", "Sec-Fetch-Site": "same-origin"})[0] == 200
    assert len(read_presses(place.folder)) == 1


def test_without_the_token_nothing_is_told(place: Place) -> None:
    for path in ("/", "/state", f"/picture/{place.key}", f"/{place.link.token[:-1]}/", "/" + "x" * 32 + "/state", "//"):
        status, body, _ = place.ask(path)
        assert status == 403, path
        assert b"lacks its token" in body


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[", "0.0.0.0:80"])
def test_a_name_that_was_made_to_point_here_is_refused(place: Place, host: str) -> None:
    assert place.ask(f"/{place.link.token}/state", {"Host": host})[0] in (400, 403)
    assert place.press({"Host": host})[0] in (400, 403)
    assert not (place.folder / RATINGS).exists()


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "https://127.0.0.1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_origin_is_refused(place: Place, headers: dict[str, str]) -> None:
    assert place.ask(f"/{place.link.token}/state", headers)[0] == 403
    assert place.press(headers)[0] == 403
    assert not (place.folder / RATINGS).exists()


def test_a_form_cannot_press(place: Place) -> None:
    assert place.press({"Content-Type": "text/plain"})[0] == 403
    assert place.press({"Content-Type": "application/x-www-form-urlencoded"})[0] == 403
    assert place.ask(f"/{place.link.token}/press")[0] == 405
    assert place.ask(f"/{place.link.token}/state", method="DELETE")[0] == 405


def test_a_path_outside_the_folder_is_refused(place: Place) -> None:
    secret = place.folder.parent / "secret.png"
    for name in (
        "../secret.png",
        "../../secret.png",
        "..%2fsecret.png",
        "%2e%2e/secret.png",
        "%2e%2e%2fsecret.png",
        "%252e%252e%252fsecret.png",
        "..\\secret.png",
        "..%5csecret.png",
        str(secret),
        str(secret).replace("/", "%2f"),
        f"{place.key}/../../../secret.png",
        "..%00",
        "images/c00.png",
    ):
        for route in ("picture", "source", "page"):
            status, body, _ = place.ask(f"/{place.link.token}/{route}/{name}")
            assert status in (400, 404), (route, name)
            assert b"secret" not in body
    for name in ("../desk.py", "..%2fdesk.py", "%2e%2e%2fguard.py"):
        assert place.ask(f"/{place.link.token}/page/{name}")[0] in (400, 404)


def test_a_link_that_is_put_in_a_pictures_place_is_not_followed(place: Place) -> None:
    picture = place.desk.paintings[0].picture
    picture.unlink()
    picture.symlink_to(place.folder.parent / "secret.png")
    assert place.ask(f"/{place.link.token}/picture/{place.key}")[0] == 404
    assert place.ask(f"/{place.link.token}/picture/{place.key}?small")[0] == 404
    picture.unlink()
    assert place.ask(f"/{place.link.token}/picture/{place.key}")[0] == 404
    source = place.folder / "sources" / f"{picture.stem}.js"
    assert place.ask(f"/{place.link.token}/source/{place.key}")[:2] == (200, source.read_bytes())
    source.unlink()
    assert place.ask(f"/{place.link.token}/source/{place.key}")[0] == 404
    source.symlink_to(place.folder.parent / "secret.png")
    status, body, _ = place.ask(f"/{place.link.token}/source/{place.key}")
    assert status == 404
    assert b"leads elsewhere" in body


@pytest.mark.parametrize(
    "changed",
    [
        {"keys": []},
        {"keys": ["0" * 24]},
        {"keys": "all"},
        {"keys": [None]},
        {"answer": "left"},
        {"answer": ["love"]},
        {"answer": None},
        {"press": "short"},
        {"press": "ä" * 16},
        {"press": 7},
        {"seen": -1},
        {"seen": True},
        {"since": "0"},
    ],
)
def test_what_is_no_press_is_refused(place: Place, changed: dict[str, Any]) -> None:
    status, body, _ = place.press(**changed)
    assert status == 400
    assert json.loads(body)["error"]
    assert not (place.folder / RATINGS).exists()


def test_what_is_no_json_is_refused(place: Place) -> None:
    for body in (b"", b"{", b"[]", b"\xff", b"[" * 9000):
        assert place.ask(f"/{place.link.token}/press", {"Content-Type": "application/json"}, "POST", body)[0] == 400
    assert (
        place.ask(f"/{place.link.token}/press", {"Content-Type": "application/json"}, "POST", b" " * 20_000)[0] == 413
    )


def test_a_press_sent_again_counts_once_and_an_overtaken_one_not_at_all(place: Place) -> None:
    assert [place.press()[0] for _ in range(3)] == [200, 200, 200]
    assert place.press(press="b" * 32)[0] == 409
    assert place.press(press="b" * 32, seen=1, answer="nope")[0] == 200
    assert [str(each.answer) for each in read_presses(place.folder)] == ["love", "nope"]


def test_odd_times_are_left_out(place: Place) -> None:
    for number, seconds in enumerate((-1, "1", True, None, float("inf"), float("nan"))):
        assert place.press(press=str(number) * 32, seen=number, seconds=seconds)[0] == 200
    assert [each.seconds for each in read_presses(place.folder)] == [None] * 6


def test_a_disk_that_takes_nothing_is_told(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    (place.folder / RATINGS).mkdir()
    status, body, _ = place.press()
    assert status == 507
    assert RATINGS in json.loads(body)["error"]


def test_the_link_is_kept_closed_and_a_folder_keeps_it(place: Place, tmp_path: Path) -> None:
    [kept] = (tmp_path / "cache/rate").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.parent.stat().st_mode & 0o777 == 0o700
    listening, link = listen(place.folder, None)  # while the port is in use
    listening.close()
    assert link.port != place.link.port
    assert link.token == place.link.token
    with pytest.raises(ConfigError, match=f"--port {place.link.port}"):
        listen(place.folder, place.link.port)
    shutil.rmtree(kept.parent)
    listening, link = listen(place.folder, None)
    listening.close()
    assert link.token != place.link.token


HOSTILE = """async ([base, key]) => {
  const loads = (element) => new Promise((done) => {
    element.onload = () => done('loaded');
    element.onerror = () => done('refused');
    document.body.append(element);
  });
  const asks = (path, init) => fetch(base + path, init).then((answer) => answer.type, () => 'refused');
  const body = JSON.stringify({keys: [key], answer: 'nope', press: 'e'.repeat(32), seconds: 1, seen: 0, since: 0});
  return [
    await asks('state'),
    await asks('press', {method: 'POST', headers: {'Content-Type': 'application/json'}, body}),
    await asks('press', {method: 'POST', mode: 'no-cors', headers: {'Content-Type': 'text/plain'}, body}),
    await loads(Object.assign(new Image(), {src: base + 'picture/' + key})),
    await loads(Object.assign(document.createElement('script'), {src: base + 'page/one.js'})),
  ];
}"""


class Blank(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Elsewhere</title><body></body>")

    def log_message(self, *_: Any) -> None:
        pass


@pytest.mark.browser
def test_a_page_of_another_origin_that_knows_the_link_can_do_nothing(place: Place) -> None:
    elsewhere = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Blank)
    threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_chromium())
            for name in ("127.0.0.1", "localhost"):
                page = browser.new_page()
                page.goto(f"http://{name}:{elsewhere.server_port}/")
                found = page.evaluate(HOSTILE, [place.link.url, place.key])
                assert found == ["refused"] * 5
                page.evaluate(
                    "url => document.body.append(Object.assign(document.createElement('iframe'), {src: url}))",
                    place.link.url,
                )
                page.wait_for_function("frames.length === 1")
                page.wait_for_timeout(300)
                assert not any(frame.query_selector("#keys") for frame in page.frames)
                page.close()
            browser.close()
    finally:
        elsewhere.shutdown()
        elsewhere.server_close()
    assert not (place.folder / RATINGS).exists()
    assert place.press()[0] == 200
