"""The script that paints for p5.brush on the CPU, in place of the canvas and the WebGL that it calls.

p5 and p5.brush stay as npm ships them. The script runs before them and stands in for the browser objects that p5.brush
uses: the 2D canvas that shapes are filled on (page/mask.js), and the blend of that mask into the painting
(page/painting.js); the work is done in WebAssembly (wasm/*.c). Anything else that is asked of those objects gets the
real ones, with what has been painted so far.
"""

from __future__ import annotations

import base64
import json
from importlib import resources

FILES = ("machine.js", "mask.js", "spectrum.js", "painting.js", "send.js", "hooks.js")


def fast_path(*, blend: bool = True) -> str:
    """The script. Without `blend` it only fills shapes, and the library's own shader lays them on the painting."""
    page = resources.files("watercolour.render").joinpath("page")
    wasm = base64.b64encode(page.joinpath("paint.wasm").read_bytes()).decode()
    body = "\n".join(page.joinpath(name).read_text("utf-8") for name in FILES)
    return f'(() => {{\nconst PAINT_WASM = "{wasm}";\nconst BLENDS = {json.dumps(blend)};\n{body}\n}})();'
