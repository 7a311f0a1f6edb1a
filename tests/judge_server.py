"""An OpenAI-compatible server for tests: a real one over HTTP, whose taste and whose faults are scripted.

Its taste is a number a picture, by the hash of the picture's pixels; of two equals it chooses the one shown first, as
vision models do. Faults are used up one a request, in order. Every request is kept, as it arrived.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import uvicorn
from PIL import Image
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from watercolour.painting import hash_pixels

MODEL = "test/judge"
Fault = Callable[["Asked"], Awaitable[Response | None]]


@dataclass(frozen=True)
class Asked:
    """One request: its JSON body, the raw bytes, and the hashes of its pictures in order."""

    body: dict[str, Any]
    raw: bytes
    pictures: tuple[str, ...]


@dataclass
class JudgeServer:
    """What the server thinks, what goes wrong, and what it was asked. Set before asking, read after."""

    url: str = ""
    taste: dict[str, float] = field(default_factory=dict)
    delay_s: float = 0.0
    key: str | None = None
    models: frozenset[str] = frozenset({MODEL})
    takes_schema: bool = True
    looks: bool = True
    """Whether it decodes the pictures at all; a benchmark spares itself that."""
    reply: Callable[[Asked], str | None] | None = None
    faults: list[Fault] = field(default_factory=list)
    requests: list[Asked] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0

    @property
    def calls(self) -> int:
        """Requests that arrived."""
        return len(self.requests)

    @property
    def questions(self) -> list[tuple[str, ...]]:
        """The pictures of each request, in order of arrival."""
        return [asked.pictures for asked in self.requests]

    async def complete(self, request: Request) -> Response:
        """POST /v1/chat/completions"""
        raw = await request.body()
        body = json.loads(raw)
        urls = urls_in(body)
        hashes = await asyncio.to_thread(lambda: [hash_of(url) for url in urls]) if self.looks else [""] * len(urls)
        asked = Asked(body, raw, tuple(hashes))
        self.requests.append(asked)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            return await self._answer(asked, request.headers.get("authorization"))
        finally:
            self.in_flight -= 1

    async def _answer(self, asked: Asked, authorization: str | None) -> Response:
        if self.faults and (response := await self.faults.pop(0)(asked)):
            return response
        if self.key and authorization != f"Bearer {self.key}":
            return error(401, f"Incorrect API key provided: {authorization}")
        if asked.body["model"] not in self.models:
            return error(404, f"The model `{asked.body['model']}` does not exist", code="model_not_found")
        if "response_format" in asked.body and not self.takes_schema:
            return error(400, "response_format: json_schema is not supported")
        await asyncio.sleep(self.delay_s)
        scripted = self.reply(asked) if self.reply else None
        return completion(scripted if scripted is not None else self._opinion(asked))

    def _opinion(self, asked: Asked) -> str:
        likes = [self.taste.get(picture, 0.0) for picture in asked.pictures]
        if len(likes) == 2:
            return json.dumps({"winner": "B" if likes[1] > likes[0] else "A", "reason": "softer washes"})
        schema = asked.body["response_format"]["json_schema"]["schema"]
        names = schema["properties"]["ratings"]["required"]
        return json.dumps({"ratings": dict.fromkeys(names, likes[0]), "reason": "thin paint"})


def completion(text: str | None, finish_reason: str = "stop", **message: Any) -> Response:
    """A chat completion that says `text`, at 1000 tokens in and 20 out."""
    choice = {"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", "content": text, **message}}
    usage = {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020}
    return JSONResponse({"id": "c", "object": "chat.completion", "created": 0, "choices": [choice], "usage": usage})


def error(status: int, message: str, *, code: str | None = None, **headers: str) -> Response:
    """An error in the protocol's form; a header's name is written with underscores."""
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return JSONResponse({"error": {"message": message, "code": code}}, status, headers=told)


def says(response: Response) -> Fault:
    """A fault that answers with this."""

    async def fault(_: Asked) -> Response:
        return response

    return fault


def busy(retry_after: str | None = None) -> Fault:
    """429, with or without Retry-After."""
    return says(error(429, "slow down", **({"retry_after": retry_after} if retry_after else {})))


def html(status: int = 200) -> Fault:
    """A web page where JSON should be."""
    return says(Response("<html><body>Welcome</body></html>", status, media_type="text/html"))


def cut_json() -> Fault:
    """A whole HTTP response whose JSON stops half-way."""
    return says(Response('{"id": "c", "choices": [{"mess', media_type="application/json"))


def text(body: str, content_type: str = "application/json") -> Fault:
    """Any body."""
    return says(PlainTextResponse(body, media_type=content_type))


def dropped() -> Fault:
    """A response that promises more than it sends before the connection closes."""
    return says(StreamingResponse(_pieces(0.0, 1), headers={"content-length": "5000"}, media_type="application/json"))


def trickling(seconds: float) -> Fault:
    """A response whose body arrives a byte at a time, for this long."""
    return says(StreamingResponse(_pieces(0.02, int(seconds / 0.02)), media_type="application/json"))


def slow(seconds: float) -> Fault:
    """Nothing for this long; then the usual answer."""

    async def fault(_: Asked) -> None:
        await asyncio.sleep(seconds)

    return fault


async def _pieces(pause_s: float, count: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield b" "
        await asyncio.sleep(pause_s)


def urls_in(body: dict[str, Any]) -> list[str]:
    """The pictures' URLs in a request."""
    parts = [
        part for message in body["messages"] if isinstance(message["content"], list) for part in message["content"]
    ]
    return [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]


def hash_of(url: str) -> str:
    """The hash of the pixels in a data: URL."""
    return hash_pixels(np.asarray(image_in(url).convert("RGB")))


def image_in(url: str) -> Image.Image:
    """The picture in a data: URL."""
    return Image.open(io.BytesIO(base64.b64decode(url.partition("base64,")[2])))


@contextmanager
def serving(judge: JudgeServer) -> Iterator[JudgeServer]:
    """Serve on a free port of this machine, in a thread, until the block ends."""
    app = Starlette(routes=[Route("/v1/chat/completions", judge.complete, methods=["POST"])])
    with serving_app(app) as url:
        judge.url = f"{url}/v1"
        yield judge


@contextmanager
def serving_app(app: Starlette) -> Iterator[str]:
    """Serve any application likewise; gives its address."""
    settings = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", lifespan="off", ws="none")
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, name="test server", daemon=True)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started:
        if time.monotonic() > deadline or not thread.is_alive():
            raise RuntimeError("the test server did not start")
        time.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.force_exit = True
        server.should_exit = True
        thread.join(20)
