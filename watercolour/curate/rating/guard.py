"""Who may ask the rating page's server.

What this covers: pages of other origins (their Origin or Sec-Fetch-Site gives them away, CSP and CORP keep them from
framing or embedding ours), names that were made to point at this machine (DNS rebinding: the Host must be a loopback
name, on any port, since SSH forwards other ports), and other users of this machine (every path begins with a random
token). What it does not cover: whoever may read this user's files or memory, or sees the link.
"""

from __future__ import annotations

import hmac
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Lets through what begins with the token and comes from our own page, and takes the token off the path."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        token, _, rest = str(scope["path"]).removeprefix("/").partition("/")
        if why := refuse(scope["method"], headers, is_page=not rest):
            await PlainTextResponse(f"{why}\n", 403, HEADERS)(scope, receive, send)
        elif not hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode()):
            told = "This link lacks its token. Open the link that `watercolour pool rate` printed.\n"
            await PlainTextResponse(told, 403, HEADERS)(scope, receive, send)
        else:
            await self.app({**scope, "path": f"/{rest}", "raw_path": None}, receive, _with_headers(send))


def refuse(method: str, headers: Headers, *, is_page: bool) -> str | None:
    """Why a request is refused, or None. `is_page`: for the page itself, to which a link may lead from anywhere."""
    host = headers.get("host", "")
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        name = None
    if name not in LOOPBACK_NAMES:
        return f"The host {host[:80]!r} is not this machine's own; use localhost or 127.0.0.1."
    if (origin := headers.get("origin")) is not None and origin != f"http://{host}":
        return "Pages of another origin may not ask."
    is_visit = is_page and headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and not is_visit:
        return "Pages of another origin may not ask."
    if method == "POST" and headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return "Only JSON may be posted."
    return None


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
