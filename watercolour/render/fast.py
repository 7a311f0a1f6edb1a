"""The script that paints for p5.brush on the CPU, in place of the canvas and the WebGL that it calls.

p5 and p5.brush stay as npm ships them. The script runs before them and stands in for the browser objects that p5.brush
uses: the 2D canvas that shapes are filled on (page/mask.js), and the blend of that mask into the painting
(page/painting.js); the work is done in WebAssembly (wasm/*.c). Anything else that is asked of those objects gets the
real ones, with what has been painted so far.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any
from urllib.parse import quote

from watercolour.render.libraries import library_sources

SHARED_FILES = ("machine.js", "ring.js")
FILES = (*SHARED_FILES, "orders.js", "mask.js", "spectrum.js", "painting.js", "send.js", "hooks.js")
THREAD_FILES = (*SHARED_FILES, "thread.js")
FILM_FRAMES = 480
"""Frames that a page keeps of a painting at the most; with more, every second one goes."""
FILM_BYTES = 128 * 1024 * 1024
"""What those frames may take of the page's memory; with more, every second one goes too."""


def fast_path(*, blend: bool = True, trace: bool = False, film: bool = False, threaded: bool = False) -> str:
    """The script. It must run before the page's content policy forbids workers.

    Without `blend` it only fills shapes, and the library's own shader lays them on the painting. With `trace` it clocks
    its calls for the harness's report, with `film` it keeps the painting as it grows. With `threaded` the machine works
    in a thread of its own, beside the sketch's: a painting takes less time, and the same work. That goes with neither
    of the two before it.
    """
    page = resources.files("watercolour.render").joinpath("page")
    machine = {"PAINT_WASM": base64.b64encode(page.joinpath("paint.wasm").read_bytes()).decode(), "TRACES": trace}

    def script(names: Sequence[str], **constants: Any) -> str:
        lines = [f"const {name} = {json.dumps(value)};" for name, value in {**machine, **constants}.items()]
        return "\n".join(lines + [page.joinpath(name).read_text("utf-8") for name in names])

    files = [*FILES]
    if trace:
        files.insert(FILES.index("hooks.js"), "trace.js")  # before the hooks, which pass on what it clocks
    if film:
        files.append("film.js")
    thread = "data:text/javascript," + quote(script(THREAD_FILES)) if threaded and not trace and not film else None
    brush_shader = blend_shader(library_sources().brush)
    constants = {"FILM_FRAMES": FILM_FRAMES, "FILM_BYTES": FILM_BYTES, "BRUSH_SHADER": brush_shader}
    return f"(() => {{\n{script(files, BLENDS=blend, THREAD=thread, **constants)}\n}})();"


def blend_shader(brush_source: str) -> str:
    """The text of p5.brush's blend shader, as p5 hands it to WebGL. Its program is known by it from any other.

    Raises ValueError when there is none in `brush_source`.
    """
    found = re.search(r'"(?:[^"\\]|\\.)*spectral_mix(?:[^"\\]|\\.)*"', brush_source)
    if found is None:
        raise ValueError("p5.brush has no blend shader in it")
    # p5 starts a new line before main(), where it would put what it adds.
    return str(json.loads(found[0])).replace("void main", "\nvoid main", 1)
