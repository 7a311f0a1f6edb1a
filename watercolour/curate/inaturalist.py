"""iNaturalist's API, asked politely: one request a second at most, with a name, and nothing in its answers trusted.

Covers: requests are spaced, retried in one layer with the wait that a busy server asks for; answers of another shape
are left out and counted, never followed. Does not cover: whether an observer owns the photograph that they licensed.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from watercolour import __version__
from watercolour.errors import ConfigError, InfraError
from watercolour.reward.judge.retry import TransientError, retry_after_s, with_retries
from watercolour.reward.judge.verdict import UnresolvedError, one_line

if TYPE_CHECKING:
    import httpx2

API = "https://api.inaturalist.org/v1"
INTERVAL_S = 1.0
"""The least time between the starts of two requests: what iNaturalist asks for."""
TIMEOUT_S = 30.0
MAX_TRIES = 5
PAGE = 50
"""Observations a request."""
MAX_PAGES = 40
"""Pages that are read at most: beyond 10 000 observations the API takes no page number."""
MAX_JSON_BYTES = 20_000_000
MAX_PHOTO_BYTES = 20_000_000
LISTED = 12
"""Taxa that are listed where a name means several."""

LICENCES = {
    "cc0": ("CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    "cc-by": ("CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/"),
    "cc-by-sa": ("CC-BY-SA-4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
}
"""The codes that are taken, as an SPDX identifier and the licence's page; the API's licences are of version 4.0."""


@dataclass(frozen=True)
class Taxon:
    """A kind of living thing. `observations` is how many the API knows, of any grade."""

    id: int
    name: str
    rank: str
    common_name: str
    observations: int

    def __str__(self) -> str:
        common = f" ({self.common_name})" if self.common_name else ""
        return f"{self.id}  {self.name}{common}, {self.rank}, {self.observations} observations"


@dataclass(frozen=True)
class Found:
    """A photograph that may be taken: where it is, whose it is, and under what licence."""

    id: str
    image_url: str
    url: str
    author: str
    licence: str
    licence_url: str
    attribution: str
    taxon: str
    common_name: str


class INaturalist:
    """`async with INaturalist() as api:`. `left_out` counts what its answers held and why it was not taken."""

    def __init__(self, base_url: str = API, contact: str = "") -> None:
        """`contact` is an address or a page that the API's keepers can turn to."""
        self.base_url = base_url.rstrip("/")
        self.left_out: Counter[str] = Counter()
        self._agent = f"watercolour/{__version__} (photographs to paint from{f'; {contact}' if contact else ''})"
        self._next_s = 0.0
        self._client: httpx2.AsyncClient

    async def __aenter__(self) -> INaturalist:
        import httpx2

        self._client = httpx2.AsyncClient(
            headers={"User-Agent": self._agent}, timeout=TIMEOUT_S, follow_redirects=True, max_redirects=3
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def taxon(self, asked: str) -> Taxon:
        """The taxon of a name, scientific or common, or of a number. Raises ConfigError where none or several fit."""
        if asked.isdigit():
            found = _taxa(await self._json(f"/taxa/{asked}", {}))
        else:
            found = _taxa(await self._json("/taxa", {"q": asked, "per_page": 30, "is_active": "true"}))
            wanted = " ".join(asked.lower().split())
            exact = [each for each in found if each.name.lower() == wanted]
            exact = exact or [each for each in found if each.common_name.lower() == wanted]
            if len(exact) == 1:
                return exact[0]
            found = exact or found
        if len(found) == 1:
            return found[0]
        if not found:
            raise ConfigError(f"{one_line(asked, 80)!r}: {self.base_url} knows no such taxon; try its scientific name")
        listed = "".join(f"\n  {each}" for each in found[:LISTED])
        raise ConfigError(f"{one_line(asked, 80)!r} may mean several taxa; give the number of one:{listed}")

    async def photographs(self, taxon: Taxon) -> AsyncIterator[Found]:
        """Photographs of research grade under an open licence, the best liked first, one an observation."""
        for page in range(1, MAX_PAGES + 1):
            asked = {
                "taxon_id": taxon.id,
                "quality_grade": "research",
                "photo_license": ",".join(LICENCES),
                "photos": "true",
                "order_by": "votes",
                "per_page": PAGE,
                "page": page,
            }
            results = _results(await self._json("/observations", asked))
            for result in results:
                found = _found(result)
                if isinstance(found, Found):
                    yield found
                else:
                    self.left_out[found] += 1
            if len(results) < PAGE:
                return

    async def picture(self, found: Found) -> bytes:
        """The bytes of a photograph. Raises UnresolvedError where they cannot be had."""
        return await with_retries(lambda: self._get(found.image_url, {}, MAX_PHOTO_BYTES), MAX_TRIES)

    async def _json(self, path: str, asked: dict[str, Any]) -> Any:
        """Raises InfraError where the API does not answer, or not in JSON."""
        try:
            body = await with_retries(lambda: self._get(self.base_url + path, asked, MAX_JSON_BYTES), MAX_TRIES)
            return json.loads(body)
        except (ValueError, RecursionError):
            raise InfraError(f"{self.base_url}{path}: did not answer in JSON; is it the API's address?") from None
        except UnresolvedError as error:
            raise InfraError(f"{self.base_url}{path}: {error}; the same command goes on from here") from None

    async def _get(self, url: str, asked: dict[str, Any], limit: int) -> bytes:
        """One try. Raises TransientError for what may pass, UnresolvedError for what will not."""
        import httpx2

        await self._wait_our_turn()
        try:
            async with self._client.stream("GET", url, params=asked or None) as response:
                status = response.status_code
                if status == 429 or status >= 500:
                    raise TransientError(f"the server said {status}", retry_after_s(response.headers))
                if status != 200:
                    raise UnresolvedError(f"the server said {status}")
                body = bytearray()
                async for piece in response.aiter_bytes():
                    body += piece
                    if len(body) > limit:
                        raise UnresolvedError(f"is larger than {limit // 1_000_000} MB")
                return bytes(body)
        except httpx2.InvalidURL as error:
            raise UnresolvedError(f"is no address ({error})") from None
        except httpx2.TooManyRedirects:
            raise UnresolvedError("is sent from address to address") from None
        except httpx2.HTTPError as error:
            raise TransientError(f"the connection failed: {type(error).__name__} {one_line(str(error), 120)}") from None

    async def _wait_our_turn(self) -> None:
        loop = asyncio.get_running_loop()
        turn_s = max(self._next_s, loop.time())
        self._next_s = turn_s + INTERVAL_S
        await asyncio.sleep(turn_s - loop.time())


def _results(answer: Any) -> list[Any]:
    """Raises InfraError for an answer without a list of results."""
    results = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(results, list):
        raise InfraError("the photo API's answer holds no list of results; is it the API's address?")
    return results


def _taxa(answer: Any) -> list[Taxon]:
    taxa = []
    for item in _results(answer):
        taxon_id, name = _get(item, "id"), _text(item, "name")
        if type(taxon_id) is int and name:
            count = _get(item, "observations_count")
            common = _text(item, "preferred_common_name")
            taxa.append(Taxon(taxon_id, name, _text(item, "rank"), common, count if type(count) is int else 0))
    return taxa


def _found(item: Any) -> Found | str:
    """The first photograph of an observation, or why it is left out."""
    observation_id = _get(item, "id")
    if type(observation_id) is not int:
        return "an answer of another shape"
    if _get(item, "quality_grade") != "research":
        return "not of research grade"
    photos = _get(item, "photos")
    if not isinstance(photos, list) or not photos:
        return "no photograph"
    photo = photos[0]
    photo_id, image_url = _get(photo, "id"), _text(photo, "url")
    if type(photo_id) is not int or not image_url:
        return "an answer of another shape"
    code = _text(photo, "license_code").lower()
    if code not in LICENCES:
        return f"licence {one_line(code, 20)}" if code else "no licence"
    user, taxon = _get(item, "user"), _get(item, "taxon")
    author = _text(user, "name") or _text(user, "login")
    if not author:
        return "no author"
    large = re.sub(r"/(?:square|thumb|small|medium)(?=\.\w{2,5}(?:\?|$))", "/large", image_url)
    if not _is_web(large):
        return "no address"
    uri = _text(item, "uri")
    spdx, licence_url = LICENCES[code]
    return Found(
        id=f"inaturalist-{photo_id}",
        image_url=large,
        url=uri if _is_web(uri) else f"https://www.inaturalist.org/observations/{observation_id}",
        author=author,
        licence=spdx,
        licence_url=licence_url,
        attribution=_text(photo, "attribution") or f"{author} ({spdx})",
        taxon=_text(taxon, "name"),
        common_name=_text(taxon, "preferred_common_name"),
    )


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it is what checks it
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _text(value: Any, key: str) -> str:
    """A text of an answer on one line; "" where it is none."""
    text = _get(value, key)
    return one_line(text, 300) if isinstance(text, str) else ""
