"""The choice of what paints. This machine's own GPU is left out of it: what is found is set, the browser is real."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import numpy as np
import pytest

from tests.render.conftest import Loop
from watercolour.errors import ConfigError, PrerequisiteError
from watercolour.painting import Painting, RenderOutcome
from watercolour.render import backend
from watercolour.render.backend import WASM, Backend, Measured, find_backend, gpus_here, is_software
from watercolour.render.browser import FLAGS, SOFTWARE_FLAGS, find_chromium, flags_of
from watercolour.render.pool import RendererPool, RenderSettings
from watercolour.sketch import Sketch

GPU = Backend("gl", "vulkan", "ANGLE (Some, GPU)")
DOT = (
    'function setup() { createCanvas(120, 120, WEBGL); background("#fbf6ee"); brush.noStroke(); '
    'brush.fillTexture(0.3, 0.4); brush.fill("#2040c0", 200); brush.circle(0, 0, 40); noLoop(); }'
)


@pytest.mark.browser
def test_library_on_webgl_paints_what_we_paint(loop: Loop) -> None:
    """SwiftShader plays the GPU: only a pool that is handed the backend itself takes it for one."""

    async def paint(chosen: Backend) -> Painting:
        settings = RenderSettings(canvas=(120, 120), timeout_s=100)
        async with RendererPool(settings, workers=1, backend=chosen) as pool:
            return await pool.paint(Sketch(DOT))

    ours, theirs = (loop.run(paint(chosen)) for chosen in (WASM, Backend("gl")))
    assert (ours.outcome, theirs.outcome) == (RenderOutcome.OK, RenderOutcome.OK)
    assert ours.brush_fills == theirs.brush_fills
    assert ours.sha256 != theirs.sha256, "the same bytes: it was not the library that painted"
    assert ours.pixels is not None
    assert theirs.pixels is not None
    assert np.abs(ours.pixels.astype(int) - theirs.pixels).mean() <= 0.5


@pytest.mark.browser
def test_gpu_that_is_software_is_never_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "is_software", lambda _: True)
    measured = asyncio.run(backend.measure(find_chromium()))
    assert (list(measured.tried), measured.gl, measured.gl_s) == (["gl-egl", "vulkan"], None, None)

    async def remembered(*_: object) -> Measured:
        return measured

    monkeypatch.setattr(backend, "gpus_here", lambda: ["renderD128 0x1:0x2"])
    monkeypatch.setattr(backend, "_remembered", remembered)
    assert asyncio.run(find_backend("auto", find_chromium())) == WASM
    with pytest.raises(PrerequisiteError, match=r"renderD128 0x1:0x2, but not for the browser \(gl-egl: .*; vulkan: "):
        asyncio.run(find_backend("gl", find_chromium()))


@pytest.mark.parametrize(
    ("measured", "auto"),
    [
        (Measured({}, GPU, wasm_s=0.5, gl_s=0.2), GPU),
        (Measured({}, GPU, wasm_s=0.2, gl_s=0.5), WASM),
        (Measured({}, GPU, wasm_s=None, gl_s=0.5), GPU),
        (Measured({"vulkan": "no WebGL"}), WASM),
    ],
)
def test_auto_takes_the_faster(monkeypatch: pytest.MonkeyPatch, measured: Measured, auto: Backend) -> None:
    async def remembered(*_: object) -> Measured:
        return measured

    monkeypatch.setattr(backend, "gpus_here", lambda: ["a GPU"])
    monkeypatch.setattr(backend, "_remembered", remembered)
    assert asyncio.run(find_backend("auto", Path("x"))) == auto
    assert asyncio.run(find_backend("wasm", Path("x"))) == WASM
    if measured.gl:
        assert asyncio.run(find_backend("gl", Path("x"))) == GPU


def test_measured_once_for_each_browser_and_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = tmp_path / "browser"
    found = [Measured({"gl-egl": "no WebGL"}), Measured({"vulkan": "x"}, GPU, 0.5, 0.2), Measured({}, GPU, 0.2, 0.5)]

    async def measure(_: Path) -> Measured:
        return found.pop(0)

    def version(text: str) -> None:
        browser.write_text(f"#!/bin/sh\necho {text}\n")
        browser.chmod(0o755)

    monkeypatch.setenv("WATERCOLOUR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(backend, "measure", measure)
    monkeypatch.setattr(backend, "gpus_here", lambda: ["a GPU"])
    version("Chromium 1")
    assert asyncio.run(find_backend("auto", browser)) == WASM, "no GPU works: not remembered"
    assert asyncio.run(find_backend("auto", browser)) == GPU
    assert asyncio.run(find_backend("auto", browser)) == GPU, "remembered"
    version("Chromium 2")
    assert asyncio.run(find_backend("auto", browser)) == WASM, "another browser is measured anew"
    assert found == []


def test_no_gpu_needs_no_browser_to_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "gpus_here", list)
    assert asyncio.run(find_backend("auto", Path("/no/such/browser"))) == WASM
    with pytest.raises(PrerequisiteError, match="backend gl needs a GPU: this machine shows none"):
        asyncio.run(find_backend("gl", Path("/no/such/browser")))


def test_gpus_that_linux_shows(tmp_path: Path) -> None:
    assert gpus_here(tmp_path) == []
    for path, text in {
        "sys/class/drm/renderD128/device/vendor": "0x1002\n",
        "sys/class/drm/renderD128/device/device": "0x73bf\n",
        "sys/class/drm/card0/device/vendor": "0x1234\n",
        "dev/nvidia0": "",
        "dev/nvidiactl": "",
        "proc/driver/nvidia/version": "NVRM version: 570\nGCC version: 12\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert gpus_here(tmp_path) == ["renderD128 0x1002:0x73bf", "NVIDIA nvidia0", "NVRM version: 570"]


@pytest.mark.parametrize(
    ("renderer", "software"),
    [
        ("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)", True),
        ("ANGLE (Mesa/X.org, llvmpipe (LLVM 15.0.6 256 bits), OpenGL ES 3.2)", True),
        ("ANGLE (NVIDIA Corporation, NVIDIA H200/PCIe/SSE2, OpenGL ES 3.2)", False),
    ],
)
def test_software_is_told_by_its_name(renderer: str, software: bool) -> None:
    assert is_software(renderer) is software


def test_every_backend_keeps_the_cut_network_and_only_wasm_the_software_canvas() -> None:
    safety = FLAGS[len(SOFTWARE_FLAGS) :]
    assert flags_of(WASM) == FLAGS
    for angle in ("gl-egl", "vulkan", "swiftshader"):
        flags = flags_of(Backend("gl", angle))
        assert flags[-len(safety) :] == safety
        assert "--disable-accelerated-2d-canvas" not in flags
        assert ("--enable-unsafe-swiftshader" in flags) is (angle == "swiftshader")


def test_film_on_a_gpu_is_refused(loop: Loop) -> None:
    pool = RendererPool(workers=1, backend=GPU, film=True, chromium=Path(os.devnull))
    with pytest.raises(ConfigError, match="backend gl keeps no film"):
        loop.run(pool.__aenter__())
