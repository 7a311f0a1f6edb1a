"""Names of p5.brush, p5 and the browser that the gate's rules speak of.

`BRUSH_METHODS` is all that p5.brush 2.2.2 exports (src/index.shared.js); p5's names are those of p5 2.3.4, in global
mode.
"""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


BRUSH_METHODS = _names(
    """
    wRand seed noiseSeed load instance field noField addField refreshField listFields Position wiggle Polygon Plot rect
    circle arc beginShape vertex endShape beginStroke move endStroke spline polygon add box scaleBrushes pick stroke
    strokeWeight set noStroke clip noClip line flowLine hatch hatchStyle noHatch hatchArray mass noMass massArray fill
    noFill fillTexture fillBleed wash noWash
    """
)

BRUSH_NAMES = _names("pen rotring 2B HB 2H cpencil pastel crayon charcoal spray marker")
"""The brushes that p5.brush comes with."""

PAINTING_METHODS = _names(
    """
    rect circle arc endShape endStroke spline polygon line flowLine hatchArray massArray Polygon Plot
    """
)
"""Methods of the brush that lay paint; the others set how. `Polygon` and `Plot` make shapes that paint themselves."""

BARE_DRAWING = _names(
    """
    arc circle ellipse line point quad rect square triangle bezier curve spline plane box sphere cylinder cone ellipsoid
    torus model image beginShape vertex endShape bezierVertex quadraticVertex curveVertex splineVertex beginContour
    endContour set updatePixels copy blend filter panorama debugMode shader imageShader strokeShader createShader
    createFilterShader baseColorShader baseFilterShader baseMaterialShader baseNormalShader baseStrokeShader
    buildColorShader buildFilterShader buildMaterialShader buildNormalShader buildStrokeShader
    """
)
"""Functions of p5 that put something on the canvas without the brush. Settings (fill, background) may stay."""

SURFACE_MAKERS = _names("createGraphics createImage createFramebuffer")
"""What they make can be drawn on as the canvas can, and laid over it."""

TYPED_ARRAY_WRITERS = frozenset({"set", "fill", "copyWithin", "reverse", "sort"})

LOADERS = _names(
    """
    loadImage loadJSON loadStrings loadTable loadXML loadBytes loadBlob loadFont loadModel loadSound loadShader
    loadColorShader loadFilterShader loadMaterialShader loadNormalShader loadStrokeShader httpGet httpPost httpDo
    """
)
PAGE_ELEMENTS = _names(
    "createA createAudio createCapture createDiv createElement createFileInput createImg createP createSpan createVideo"
)
STORERS = _names(
    """
    save saveCanvas saveFrames saveGif saveJSON saveObj saveStl saveStrings saveTable createWriter getItem storeItem
    removeItem clearStorage
    """
)

OUTSIDE = _names(
    """
    fetch fetchLater XMLHttpRequest WebSocket WebSocketStream WebTransport EventSource Image Audio Worker SharedWorker
    importScripts RTCPeerConnection webkitRTCPeerConnection BroadcastChannel Notification FontFace Request localStorage
    sessionStorage indexedDB caches cookieStore location history parent top opener frameElement postMessage
    """
)
"""Globals of the browser that reach the network, storage, other pages or the page around the sketch."""

OUTSIDE_MEMBERS = _names(
    """
    document.write document.writeln document.open document.createElement document.createElementNS document.location
    document.cookie document.head document.body document.documentElement document.scripts document.images
    document.forms document.links document.embeds document.implementation document.createRange document.importNode
    document.adoptNode document.execCommand document.currentScript document.domain document.fonts
    navigator.sendBeacon navigator.serviceWorker navigator.clipboard navigator.geolocation navigator.mediaDevices
    navigator.getUserMedia navigator.credentials navigator.storage navigator.locks
    """
)
MARKUP_MEMBERS = frozenset({"innerHTML", "outerHTML", "insertAdjacentHTML", "srcdoc"})

CODE_FROM_TEXT = frozenset({"eval", "Function"})
TIMERS = frozenset({"setTimeout", "setInterval"})
CALLBACK_TAKERS = TIMERS | _names(
    "forEach map flatMap filter reduce some every find findIndex then requestAnimationFrame queueMicrotask"
)

CANVAS_INTERNALS = _names(
    """
    HTMLCanvasElement OffscreenCanvas WebGLRenderingContext WebGL2RenderingContext CanvasRenderingContext2D
    OffscreenCanvasRenderingContext2D ImageData createImageBitmap drawingContext _renderer
    """
)
PICTURE_READERS = _names(
    """
    toDataURL toBlob readPixels getContext getImageData convertToBlob transferToImageBitmap captureStream
    """
)
"""What a picture is read through: to replace one of these is to hand in another picture."""

TEXT_WRITERS = frozenset({"fillText", "strokeText"})

WEBGL_NAMES = frozenset({"WEBGL", "WEBGL2", "webgl", "webgl2"})

INSTANCE_MEMBERS = (
    BARE_DRAWING
    | LOADERS
    | PAGE_ELEMENTS
    | STORERS
    | WEBGL_NAMES
    | SURFACE_MAKERS
    | _names("text createCanvas resizeCanvas background pixels drawingContext P2D WEBGPU")
)
"""Names that mean the same on a p5 instance or graphics as they do as globals."""
