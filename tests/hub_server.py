"""A hub for tests: the four requests that creating a repository and uploading a folder make, over real HTTP."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


@dataclass
class HubServer:
    """What was made and uploaded: repositories by (kind, name) with their settings, and their files."""

    url: str = ""
    key: str = ""
    repos: dict[tuple[str, str], dict[str, object]] = field(default_factory=dict)
    files: dict[tuple[str, str], dict[str, bytes]] = field(default_factory=dict)

    async def answer(self, request: Request) -> Response:
        """Any request."""
        if request.headers.get("authorization") != f"Bearer {self.key}":
            return JSONResponse({"error": "Invalid username or password."}, 401)
        path = request.url.path
        if path == "/api/repos/create":
            body = await request.json()
            kind, name = body.get("type", "model"), f"{body['organization']}/{body['name']}"
            self.repos[kind, name] = body
            prefix = "" if kind == "model" else f"{kind}s/"
            return JSONResponse({"url": f"{self.url}/{prefix}{name}", "name": name})
        if path == "/api/validate-yaml":
            return JSONResponse({"errors": [], "warnings": []})
        kinds, name = path.split("/")[2], "/".join(path.split("/")[3:5])
        key = kinds.removesuffix("s"), name
        if "/preupload/" in path:
            asked = (await request.json())["files"]
            modes = [{"path": file["path"], "uploadMode": "regular", "shouldIgnore": False} for file in asked]
            return JSONResponse({"files": modes})
        if "/commit/" in path:
            for line in (await request.body()).decode().splitlines():
                entry = json.loads(line)
                if entry["key"] == "file":
                    content = base64.b64decode(entry["value"]["content"])
                    self.files.setdefault(key, {})[entry["value"]["path"]] = content
            return JSONResponse({"commitUrl": f"{self.url}/{name}/commit/0", "commitOid": "0", "success": True})
        return JSONResponse({"error": f"no such thing: {path}"}, 404)


@contextmanager
def serving_hub(hub: HubServer) -> Iterator[HubServer]:
    """Serve on a free port of this machine, in a thread, until the block ends."""
    app = Starlette(routes=[Route("/{path:path}", hub.answer, methods=["GET", "POST", "HEAD"])])
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", lifespan="off", ws="none")
    )
    thread = threading.Thread(target=server.run, name="hub server", daemon=True)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started:
        if time.monotonic() > deadline or not thread.is_alive():
            raise RuntimeError("the hub server did not start")
        time.sleep(0.005)
    hub.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    try:
        yield hub
    finally:
        server.should_exit = server.force_exit = True
        thread.join(20)
