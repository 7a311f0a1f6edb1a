"""What paints: our own painter on the CPU (`wasm`), or the library's own path on a GPU (`gl`).

`wasm` is the default: its pictures are the same bytes on every machine of the same browser build, and the shipped pools
were painted by it. `gl` leaves p5.brush its canvas and its shader, on a GPU that ANGLE reaches through EGL or Vulkan.
Two backends' pictures differ a little, so a run and its references keep to one.

A GPU that turns out to be software (SwiftShader, llvmpipe) is never taken for one, not even when `gl` is asked for: it
would take half a minute a picture.
"""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from watercolour.errors import PrerequisiteError, WatercolourError

if TYPE_CHECKING:
    from watercolour.render.pool import RendererPool

logger = logging.getLogger(__name__)

BackendName = Literal["wasm", "gl"]
AskedBackend = Literal["auto", "wasm", "gl"]

ANGLE_ON_GPUS = ("gl-egl", "vulkan")
"""What ANGLE is tried on, in this order."""
SOFTWARE_WORDS = ("swiftshader", "llvmpipe", "softpipe", "lavapipe", "software", "basic render")

BENCHMARK_SKETCH = """
function setup() { createCanvas(600, 600, WEBGL); noLoop(); }
function draw() {
  background("#fbf6ee");
  brush.noStroke(); brush.fillBleed(0.2); brush.fillTexture(0.5, 0.4);
  for (let i = 0; i < 6; i++) { brush.fill("#ee8f73", 170); brush.circle(70 * i - 175, 40 * i - 100, 110, 0.4); }
}
"""


@dataclass(frozen=True)
class Backend:
    """What a pool paints with. `angle` is what WebGL stands on; `gpu` is the GPU's name for itself, None for wasm."""

    name: BackendName
    angle: str = "swiftshader"
    gpu: str | None = None


WASM = Backend("wasm")


@dataclass(frozen=True)
class Measured:
    """What was found on this machine. `tried` says for each way to a GPU what was there; seconds are a picture's."""

    tried: dict[str, str]
    gl: Backend | None = None
    wasm_s: float | None = None
    gl_s: float | None = None

    @property
    def fastest(self) -> Backend:
        """The faster of what works; wasm in doubt."""
        faster = self.gl_s is not None and (self.wasm_s is None or self.gl_s < self.wasm_s)
        return self.gl if self.gl and faster else WASM


async def find_backend(asked: AskedBackend, chromium: Path) -> Backend:
    """The backend to paint with. `auto` takes the faster of those that work here, measured once and remembered.

    Raises PrerequisiteError when `gl` is asked for and there is no GPU that the browser can paint on.
    """
    if asked == "wasm":
        return WASM
    gpus = gpus_here()
    measured = await _remembered(chromium, gpus) if gpus else Measured({})
    if asked == "auto":
        return measured.fastest
    if measured.gl is not None:
        return measured.gl
    found = "; ".join(f"{angle}: {what}" for angle, what in measured.tried.items())
    shown = f"{', '.join(gpus)}, but not for the browser ({found})" if gpus else "this machine shows none"
    raise PrerequisiteError(f"backend gl needs a GPU: {shown}; mend its driver, or paint with backend wasm")


def is_software(renderer: str) -> bool:
    """Whether a WebGL renderer's name is that of a program that plays a GPU."""
    return any(word in renderer.lower() for word in SOFTWARE_WORDS)


def gpus_here(root: Path = Path("/")) -> list[str]:
    """The GPUs that Linux shows, as strings that change when a GPU or NVIDIA's driver does; empty without any."""
    found = []
    for node in sorted((root / "sys/class/drm").glob("renderD*")):
        ids = [_first_line(node / "device" / name) or "?" for name in ("vendor", "device")]
        found.append(f"{node.name} {':'.join(ids)}")
    nvidia = [f"NVIDIA {node.name}" for node in sorted((root / "dev").glob("nvidia[0-9]*"))]
    if nvidia and (version := _first_line(root / "proc/driver/nvidia/version")):
        nvidia.append(version)
    return found + nvidia


def _first_line(path: Path) -> str | None:
    try:
        return path.read_text("utf-8", "replace").split("\n", 1)[0].strip() or None
    except OSError:
        return None


async def _remembered(chromium: Path, gpus: list[str]) -> Measured:
    """What was measured here before, or measured now. Only a GPU that works is remembered: a driver may be mended."""
    from watercolour.files import write_whole
    from watercolour.policy.cache import cache_path, cached_folder
    from watercolour.render.browser import chromium_version
    from watercolour.render.libraries import LIBRARY_VERSIONS

    inputs = {"browser": chromium_version(chromium), "gpus": gpus, "libraries": LIBRARY_VERSIONS}
    try:
        known: dict[str, Any] = json.loads((cache_path("backend", inputs) / "measured.json").read_text("utf-8"))
        return Measured(**{**known, "gl": Backend(**known["gl"])})
    except (OSError, ValueError, TypeError, KeyError):
        pass
    measured = await measure(chromium)
    if measured.gl is not None:
        text = json.dumps(asdict(measured)).encode()
        try:
            cached_folder("backend", inputs, lambda folder: write_whole(folder / "measured.json", text))
        except WatercolourError as error:
            logger.debug("what was measured is not remembered: %s", error)
    return measured


async def measure(chromium: Path) -> Measured:
    """Look for a GPU that the browser can paint on, and paint the same sketch on it and on the CPU."""
    tried: dict[str, str] = {}
    for angle in ANGLE_ON_GPUS:
        gpu, seconds = await _try(chromium, Backend("gl", angle))
        tried[angle] = gpu or "no WebGL"
        if gpu and not is_software(gpu) and seconds is not None:
            _, wasm_s = await _try(chromium, WASM)
            logger.info("backends: gl %.2f s on %s, wasm %.2f s", seconds, gpu, wasm_s or float("nan"))
            return Measured(tried, Backend("gl", angle, gpu), wasm_s, seconds)
    return Measured(tried)


async def _try(chromium: Path, backend: Backend) -> tuple[str | None, float | None]:
    """The name of what WebGL stands on, and the seconds of a picture where it is worth painting one."""
    from watercolour.render.pool import RendererPool, RenderSettings

    async with RendererPool(RenderSettings(timeout_s=60), workers=1, chromium=chromium, backend=backend) as pool:
        try:
            gpu = await pool.gpu()
        except WatercolourError as error:
            logger.debug("%s: %s", backend.angle, error)
            return None, None
        if gpu is None or (backend.name == "gl" and is_software(gpu)):
            return gpu, None
        return gpu, await _seconds(pool)


async def _seconds(pool: RendererPool) -> float | None:
    """Seconds of a picture in a browser that is warm; None when it does not paint."""
    from watercolour.painting import RenderOutcome
    from watercolour.sketch import Sketch

    seconds = None
    for _ in range(2):
        painting = await pool.paint(Sketch(BENCHMARK_SKETCH))
        if painting.outcome is not RenderOutcome.OK:
            return None
        seconds = painting.seconds
        await pool.ready()
    return seconds
