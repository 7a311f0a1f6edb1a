"""A local copy of iNaturalist's API as far as photographs go: its JSON's shape over real HTTP, and pictures to fetch.

Faults are used up one a request, in order. Every request is kept.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PIL import Image
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.judge_server import serving_app

HIBISCUS: dict[str, Any] = {
    "id": 48623,
    "name": "Hibiscus",
    "rank": "genus",
    "preferred_common_name": "hibiscuses",
    "observations_count": 190000,
}
MOSCHEUTOS: dict[str, Any] = {
    "id": 117433,
    "name": "Hibiscus moscheutos",
    "rank": "species",
    "preferred_common_name": "swamp rose mallow",
    "observations_count": 20000,
}


@dataclass
class PhotoServer:
    """What the API knows, what goes wrong, and what it was asked."""

    url: str = ""
    taxa: list[Any] = field(default_factory=lambda: [HIBISCUS, MOSCHEUTOS])
    observations: list[Any] = field(default_factory=list)
    size: tuple[int, int] = (1000, 800)
    faults: list[Response] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)

    @property
    def api(self) -> str:
        """Its base address."""
        return f"{self.url}/v1"

    def paths(self, start: str) -> list[str]:
        """The paths asked for that start so, in order."""
        return [request.url.path for request in self.requests if request.url.path.startswith(start)]

    def observe(self, number: int, licence: str | None = "cc-by", **others: Any) -> dict[str, Any]:
        """Add an observation with one photograph."""
        photo = {
            "id": 1000 + number,
            "license_code": licence,
            "url": f"{self.url}/photos/{1000 + number}/square.jpg",
            "attribution": f"(c) Painter {number}, some rights reserved",
            "original_dimensions": {"width": 2048, "height": 1600},
        }
        observation = {
            "id": number,
            "quality_grade": "research",
            "uri": f"https://www.inaturalist.org/observations/{number}",
            "user": {"login": f"painter{number}", "name": f"Painter {number}"},
            "taxon": {"id": 117433, "name": "Hibiscus moscheutos", "preferred_common_name": "swamp rose mallow"},
            "photos": [photo],
            **others,
        }
        self.observations.append(observation)
        return observation

    async def answer(self, request: Request) -> Response:
        self.requests.append(request)
        if self.faults:
            return self.faults.pop(0)
        path = request.url.path
        if path.startswith("/photos/"):
            return Response(self.jpeg(int(path.split("/")[2])), media_type="image/jpeg")
        if path == "/v1/taxa":
            asked = request.query_params["q"].lower()
            found = [each for each in self.taxa if not isinstance(each, dict) or asked in str(each).lower()]
            return JSONResponse({"total_results": len(found), "results": found})
        if path.startswith("/v1/taxa/"):
            found = [each for each in self.taxa if str(each["id"]) == path.rpartition("/")[2]]
            return JSONResponse({"total_results": len(found), "results": found})
        page, count = (int(request.query_params[name]) for name in ("page", "per_page"))
        shown = self.observations[(page - 1) * count : page * count]
        return JSONResponse({"total_results": len(self.observations), "page": page, "results": shown})

    def jpeg(self, number: int) -> bytes:
        """A picture of its own for each number."""
        width, height = self.size
        pixels = np.random.default_rng(number).integers(0, 256, (8, 10, 3), dtype=np.uint8)
        buffer = io.BytesIO()
        Image.fromarray(pixels).resize((width, height)).save(buffer, "JPEG")
        return buffer.getvalue()


@contextmanager
def serving_photos(server: PhotoServer) -> Iterator[PhotoServer]:
    """Serve on a free port of this machine, in a thread, until the block ends."""
    app = Starlette(routes=[Route("/{path:path}", server.answer)])
    with serving_app(app) as url:
        server.url = url
        yield server
