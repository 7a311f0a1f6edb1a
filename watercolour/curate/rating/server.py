"""The rating page's server: a few routes over a Desk, on a loopback port that stays the same for a folder."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
import os
import secrets
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from watercolour.curate.rating.desk import Desk, Refused
from watercolour.curate.rating.guard import Guard
from watercolour.errors import ConfigError, InfraError
from watercolour.files import cannot_write, write_whole
from watercolour.policy.cache import cache_dir

if TYPE_CHECKING:
    import uvicorn

PAGE = Path(__file__).parent / "page"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
LONGEST_BODY = 10_000
THUMB_PX = 240
THUMBS_KEPT = 4000
KEPT_BY_BROWSER = {"Cache-Control": "private, max-age=86400, immutable"}
HOST = "127.0.0.1"


@dataclass(frozen=True)
class Link:
    """Where the page is to be found."""

    port: int
    token: str

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}/{self.token}/"


def make_app(desk: Desk, token: str) -> Guard:
    """The application, behind its guard."""

    def state(request: Request) -> Response:
        since = request.query_params.get("since", "0")
        return JSONResponse(_about(desk) | desk.state(int(since) if since.isdecimal() else 0))

    async def press(request: Request) -> Response:
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > LONGEST_BODY:
                return PlainTextResponse("too long\n", 413)
        from starlette.concurrency import run_in_threadpool

        try:
            asked = json.loads(body)
            if not isinstance(asked, dict):
                raise Refused("must be a JSON object")
            taken, after = await run_in_threadpool(desk.take, asked)
        except (Refused, ValueError, RecursionError) as error:
            return JSONResponse({"error": str(error)}, 400)
        except InfraError as error:
            return JSONResponse({"error": str(error)}, 507)
        return JSONResponse(after, 200 if taken else 409)

    def picture(request: Request) -> Response:
        path = _picture(desk, request)
        if path is None:
            return PlainTextResponse("no such picture\n", 404)
        try:
            if "small" in request.query_params:
                return Response(_thumbnail(path), 200, KEPT_BY_BROWSER, "image/webp")
            return Response(path.read_bytes(), 200, KEPT_BY_BROWSER, "image/png")
        except (OSError, ValueError):
            return PlainTextResponse("this picture cannot be read\n", 404)

    def source(request: Request) -> Response:
        painting = desk.painting(request.path_params["key"])
        if painting is None or painting.code is None:
            return PlainTextResponse("no source is known\n", 404)
        try:
            return PlainTextResponse(painting.code())
        except (ConfigError, InfraError) as error:
            return PlainTextResponse(f"{error}\n", 404)

    routes = [
        Route("/", lambda request: _asset("index.html")),
        Route("/page/{name}", lambda request: _asset(request.path_params["name"])),
        Route("/state", state),
        Route("/press", press, methods=["POST"]),
        Route("/picture/{key}", picture),
        Route("/source/{key}", source),
    ]
    return Guard(Starlette(routes=routes), token)


def listen(folder: Path, port: int | None) -> tuple[socket.socket, Link]:
    """A socket, and the link. A folder keeps its port and token, so that a page left open goes on after a restart.

    Where the port is in use and was not asked for, another one is taken. Raises ConfigError for one that was.
    """
    kept = _kept_link(folder)
    wanted = port if port is not None else kept.port if kept else 0
    try:
        listening = _bind(wanted)
    except OSError as error:
        if port is not None:
            raise ConfigError(f"--port {port}: cannot be listened on ({error.strerror}); choose another") from None
        listening = _bind(0)
    link = Link(listening.getsockname()[1], kept.token if kept else secrets.token_urlsafe(24))
    if kept is None or (link != kept and wanted != kept.port):
        _keep_link(folder, link)
    return listening, link


def make_server(desk: Desk, link: Link) -> uvicorn.Server:
    """A server to `run(sockets=[...])`; it ends with Ctrl-C."""
    import uvicorn

    app = make_app(desk, link.token)
    settings = uvicorn.Config(
        app, log_level="critical", lifespan="off", ws="none", server_header=False, timeout_graceful_shutdown=2
    )
    return uvicorn.Server(settings)


def _about(desk: Desk) -> dict[str, object]:
    folder = str(desk.folder.resolve())
    return {
        "mode": desk.mode,
        "folder": Path(folder).name,
        # Under what the page keeps unsaved presses.
        "place": hashlib.blake2s(f"{folder}/{desk.rater}/{desk.mode}".encode(), digest_size=8).hexdigest(),
    }


def _picture(desk: Desk, request: Request) -> Path | None:
    """The picture's path, if it is still inside the folder: a link may have been put in its place."""
    painting = desk.painting(request.path_params["key"])
    if painting is None or not painting.picture.resolve().is_relative_to(desk.folder.resolve()):
        return None
    return painting.picture


@functools.lru_cache(maxsize=THUMBS_KEPT)
def _thumbnail(path: Path) -> bytes:
    with Image.open(path) as image:
        small = image.convert("RGB")
    small.thumbnail((THUMB_PX, THUMB_PX), Image.Resampling.LANCZOS)
    data = io.BytesIO()
    small.save(data, "WEBP", quality=82)
    return data.getvalue()


def _asset(name: str) -> Response:
    if name not in {path.name for path in PAGE.iterdir()}:
        return PlainTextResponse("no such file\n", 404)
    path = PAGE / name
    return Response(path.read_bytes(), media_type=TYPES.get(path.suffix, "application/octet-stream"))


def _bind(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen(64)
    except OSError:
        listening.close()
        raise
    return listening


def _link_path(folder: Path) -> Path:
    name = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return cache_dir() / "rate" / f"{name}.json"


def _kept_link(folder: Path) -> Link | None:
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        path = _link_path(folder)
        found = path.stat()
        if found.st_uid == os.getuid() and not found.st_mode & 0o077:
            kept = json.loads(path.read_bytes())
            link = Link(int(kept["port"]), str(kept["token"]))
            if 0 < link.port < 65536 and len(link.token) >= 32 and link.token.isascii():
                return link
    return None


def _keep_link(folder: Path, link: Link) -> None:
    """Raises InfraError. The folder is closed to other users before the token is in it."""
    path = _link_path(folder)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.parent.chmod(0o700)
        write_whole(path, json.dumps({"port": link.port, "token": link.token}).encode())
        path.chmod(0o600)
    except OSError as error:
        cannot_write(path, error)
