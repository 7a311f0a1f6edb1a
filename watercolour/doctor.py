"""What this machine has and lacks for the work, each thing with the command that mends it.

`examine` looks at everything; `missing_for` is the short list that stops a run before its first step, to which the run
adds the terms of its reward.
"""

from __future__ import annotations

import asyncio
import os
import platform
import time
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from watercolour.errors import ConfigError, PrerequisiteError, WatercolourError

if TYPE_CHECKING:
    from watercolour.config import RunConfig
    from watercolour.painting import Painting
    from watercolour.render.backend import AskedBackend, Backend
    from watercolour.render.pool import RendererPool

TEST_SKETCH = """
function setup() { createCanvas(600, 600, WEBGL); noLoop(); }
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke(); brush.scaleBrushes(3);
  brush.fillBleed(0.2); brush.fillTexture(0.5, 0.4);
  brush.fill("#ee8f73", 170); brush.circle(300, 300, 120, 0.4);
}
"""

ESCAPE_SKETCH = """
async function setup() {
  createCanvas(600, 600, WEBGL);
  const url = "http://127.0.0.1:PORT/";
  await Promise.allSettled([
    fetch(url), fetch(url, { mode: "no-cors" }),
    new Promise((done) => { const i = new Image(); i.onload = i.onerror = done; i.src = url; }),
    new Promise((done) => {
      try { const s = new WebSocket(url.replace("http", "ws")); s.onopen = s.onerror = done; } catch { done(); }
    }),
  ]);
  navigator.sendBeacon(url, "x");
  noLoop();
}
"""


class State(StrEnum):
    """How a check came out."""

    OK = "ok"
    """It is there and works."""
    NOTE = "note"
    """Not needed by everyone, or worth knowing."""
    MISSING = "missing"
    """Nothing works without it, or the given configuration needs it."""


@dataclass(frozen=True)
class Check:
    """One line of the doctor's report. `fix` is what to run or do; empty when all is well."""

    name: str
    state: State
    detail: str
    fix: str = ""

    def record(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def missing_for(config: RunConfig) -> list[Check]:
    """What the configuration needs and this machine lacks, without starting a browser or loading a model."""
    return [check for check in _static_checks(config) if check.state is State.MISSING]


async def examine(config: RunConfig | None) -> list[Check]:
    """Every check, with one sketch really painted and one really trying to get out.

    With a configuration, each weighted term of its reward scores a painting of the pool.
    """
    checks = _static_checks(config)
    paints = config is None or config.render.paint
    if paints and all(check.state is not State.MISSING for check in checks if check.name in ("chromium", "p5")):
        checks[3:3] = await _browser_checks(config.render.backend if config else "wasm")
    return checks + (await _terms(config) if config else [])


def _static_checks(config: RunConfig | None) -> list[Check]:
    return [
        Check("python", State.OK, f"{platform.python_version()} on {platform.system()} {platform.machine()}"),
        *([_libraries(), _chromium()] if config is None or config.render.paint else []),
        _torch(),
        *_policy_models(config),
        _encoder(),
        *([] if config else [_judge_key()]),
        _pool(config),
    ]


def _libraries() -> Check:
    from watercolour.render.libraries import LIBRARY_VERSIONS, library_sources

    try:
        library_sources()
    except WatercolourError as error:
        return Check("p5", State.MISSING, str(error), "make setup")
    return Check("p5", State.OK, ", ".join(f"{name} {version}" for name, version in LIBRARY_VERSIONS.items()))


def _chromium() -> Check:
    from watercolour.render.browser import HOW_TO_INSTALL, chromium_version, find_chromium

    try:
        path = find_chromium()
        return Check("chromium", State.OK, f"{chromium_version(path)} at {path}")
    except ConfigError as error:
        return Check("chromium", State.MISSING, str(error))
    except WatercolourError as error:
        return Check("chromium", State.MISSING, str(error), HOW_TO_INSTALL)


async def _browser_checks(asked: AskedBackend) -> list[Check]:
    from watercolour.render.backend import find_backend
    from watercolour.render.browser import find_chromium
    from watercolour.render.pool import RendererPool, RenderSettings

    try:
        backend = await find_backend(asked, find_chromium())
    except PrerequisiteError as error:
        return [Check("backend", State.MISSING, str(error), "set render.backend to wasm")]
    async with RendererPool(RenderSettings(timeout_s=30), workers=1, backend=backend) as pool:
        painting = await _paint(pool, TEST_SKETCH)
        if painting.outcome != "ok":
            fault = "; ".join(painting.errors) or painting.outcome.value
            return [Check("render", State.MISSING, f"a test sketch did not paint: {fault}", "watercolour -v doctor")]
        started = time.perf_counter()
        painting = await _paint(pool, TEST_SKETCH)
        seconds = time.perf_counter() - started
        hits = await _escape_hits(pool)
        webgl = await pool.gpu()
        sandboxed = pool.sandboxed
    checks = [
        Check("webgl2", State.OK, f"works, on {webgl}"),
        Check("backend", State.OK, _backend(backend)),
        Check("render", State.OK, f"a sketch of one shape in {seconds:.2f} s, {painting.coverage:.1%} paint"),
    ]
    if sandboxed:
        checks.append(Check("sandbox", State.OK, "on" + (", as user nobody" if os.geteuid() == 0 else "")))
    else:
        fix = "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1), or work in a container you can lose"
        checks.append(Check("sandbox", State.NOTE, "OFF: this machine does not let Chromium sandbox itself", fix))
    if hits == 0:
        checks.append(
            Check("network", State.OK, "cut: fetch, image, WebSocket and beacon all failed to reach a listener")
        )
    else:
        checks.append(
            Check(
                "network", State.MISSING, f"NOT cut: a sketch reached a listener {hits} times", "report this as a bug"
            )
        )
    return checks


def _backend(backend: Backend) -> str:
    from watercolour.render.backend import gpus_here

    if backend.name == "gl":
        return f"gl, on {backend.gpu}"
    return f"wasm, on the CPU; GPUs here: {', '.join(gpus_here()) or 'none'}"


async def _paint(pool: RendererPool, source: str) -> Painting:
    from watercolour.sketch import Sketch

    return await pool.paint(Sketch(source))


async def _escape_hits(pool: RendererPool) -> int:
    """How many connections a sketch that tries to get out made to a listener on this machine."""
    hits = 0

    async def on_connection(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal hits
        hits += 1
        writer.close()

    server = await asyncio.start_server(on_connection, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        await _paint(pool, ESCAPE_SKETCH.replace("PORT", str(port)))
        await asyncio.sleep(0.2)
    return hits


def _import_torch() -> Any:
    """torch, or None where it is missing or broken."""
    try:
        import torch
    except (ImportError, OSError):
        return None
    return torch


def _torch() -> Check:
    torch = _import_torch()
    if torch is None:
        return Check("torch", State.MISSING, "not installed, or it does not load", "make setup")
    if torch.cuda.is_available():
        free, total = torch.cuda.mem_get_info()
        device = f"{torch.cuda.get_device_name()}, {free / 2**30:.0f} of {total / 2**30:.0f} GiB free"
        return Check("torch", State.OK, f"{torch.__version__} on {device}")
    return Check("torch", State.OK, f"{torch.__version__} on the CPU ({torch.get_num_threads()} threads), no GPU")


def _policy_models(config: RunConfig | None) -> list[Check]:
    from watercolour.config import PolicySection
    from watercolour.policy.load import find_policy
    from watercolour.policy.smollm import NAME

    section = config.policy if config else PolicySection(model=NAME)
    place = find_policy(section)
    if place is None:
        fix = "make setup" if section.model == NAME else f"hf download {section.model}"
        return [Check("policy", State.MISSING, f"{section.model} is not on this machine", fix)]
    checks = [Check("policy", State.OK, f"{section.model} at {place}")]
    if short := _too_large(place, section.model):
        checks.append(short)
    return checks


def _encoder() -> Check:
    """The image encoder that the shipped taste stands on."""
    from watercolour.taste.encoder import INSTALL, find_weights

    try:
        find_weights()
    except WatercolourError:
        return Check("encoder", State.NOTE, "EfficientNet-Lite0 is not installed; the term taste needs it", INSTALL)
    return Check("encoder", State.OK, "EfficientNet-Lite0, an image encoder; the term taste needs it")


def _too_large(place: Path, name: str) -> Check | None:
    """A check that fails when the weights alone do not fit the device that would hold them."""
    torch = _import_torch()
    if torch is None:
        return None
    weights = sum(file.stat().st_size for file in place.glob("*.safetensors")) if place.is_dir() else 0
    if torch.cuda.is_available():
        room, where = torch.cuda.get_device_properties(0).total_memory, "the GPU has"
    else:
        room, where = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), "there is no GPU, and memory is"
    if weights <= 0.9 * room:
        return None
    detail = f"{name} is {weights / 2**30:.0f} GiB; {where} {room / 2**30:.0f} GiB"
    return Check("memory", State.MISSING, detail, "use a larger GPU, or a smaller policy.model")


async def _terms(config: RunConfig) -> list[Check]:
    """Each weighted term of the reward, really tried on a painting of the pool."""
    from watercolour.medium import load_medium
    from watercolour.policy.tokens import policy_count
    from watercolour.reward.build import TermBuilder, needs_tokens
    from watercolour.reward.preflight import check_settings

    try:
        count = policy_count(config.policy) if needs_tokens(config) else None
        builder = TermBuilder(config, load_medium(config.medium), count=count)
    except WatercolourError as error:
        return [Check("terms", State.MISSING, str(error))]
    return [
        Check(check.name, State.MISSING if check.value is None else State.OK, check.describe())
        for check in await check_settings(builder, config.reward.weighted, run_seed=config.seed)
    ]


def _judge_key() -> Check:
    is_set = bool(os.environ.get("HF_TOKEN"))
    return Check("judge", State.NOTE, f"not asked for; $HF_TOKEN is {'set' if is_set else 'not set'}")


def _pool(config: RunConfig | None) -> Check:
    from watercolour.medium import load_medium
    from watercolour.references import Tier, read_pool
    from watercolour.shipped import DEFAULT_MEDIUM, find_pool

    try:
        name = (config and config.pool) or load_medium(config.medium if config else DEFAULT_MEDIUM).pool
        folder = find_pool(name)
        references = read_pool(folder)
    except WatercolourError as error:
        return Check("pool", State.MISSING, str(error), "name a folder with pool.jsonl as `pool:`")
    tiers = ", ".join(f"{sum(ref.tier is tier for ref in references)} {tier}" for tier in Tier)
    return Check("pool", State.OK, f"{len(references)} paintings ({tiers}) in {folder}")
