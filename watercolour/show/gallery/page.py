"""The gallery's page as one file: its own script and style inside, and a policy that lets nothing else in.

What the policy covers: text of a model, a judge or a browser that got into the page as markup could load nothing, send
nothing and run nothing, since only the one script with this hash runs, and the data scripts that it asks for
('strict-dynamic'); there is no inline handler, no eval, no form and no frame. It is the second wall: the first is that
the script puts such text into the page as text alone. What it does not cover: somebody who can write into the folder.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

SCRIPTS = ("data.js", "order.js", "highlight.js", "wall.js", "terms.js", "detail.js", "main.js")
"""One script, in parts: each may use what the others define."""


@cache
def index_html() -> str:
    """The page, the same for every gallery: all it shows it reads from data/."""
    script = "(() => {\n'use strict';\n" + "".join(asset(name) for name in SCRIPTS) + "})();\n"
    style = asset("gallery.css")
    policy = (
        f"default-src 'none'; script-src 'strict-dynamic' {digest(script)}; style-src {digest(style)}; "
        "img-src file: 'self' data:; media-src file: 'self'; base-uri 'none'; form-action 'none'"
    )
    page = asset("index.html")
    for name, value in (("POLICY", policy), ("STYLE", style), ("SCRIPT", script)):
        page = page.replace(f"@@{name}@@", value)
    return page


def asset(name: str) -> str:
    """The text of a file in page/."""
    return (files("watercolour.show.gallery") / "page" / name).read_text("utf-8")


def digest(text: str) -> str:
    """What a Content-Security-Policy calls an inline script or style by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
