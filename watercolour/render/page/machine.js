// The painting machine: paint.wasm, instantiated once for each mask and once for each painting.
//
// This file runs in a scope that the sketch cannot see, before p5 and p5.brush, and once more in the thread of thread.js.
// What is used of the browser is taken here, before the sketch runs and can replace it.
"use strict";

const { Uint8Array, Float32Array, Int32Array } = globalThis;
const { Module, Instance, Memory } = WebAssembly;
const { apply, getPrototypeOf, getOwnPropertyDescriptor, ownKeys } = Reflect;
const { defineProperty } = Object;
const uncurry =
  (method) =>
  (self, ...args) =>
    apply(method, self, args);
const getterOf = (prototype, name) => uncurry(getOwnPropertyDescriptor(prototype, name).get);
const TypedArray = getPrototypeOf(Uint8Array.prototype);
const setBytes = uncurry(TypedArray.set);
const memoryBuffer = getterOf(Memory.prototype, "buffer");

const MAX_SIDE = 4096;
const MAX_POINTS = 1 << 17;
const MAX_CONTOURS = 1 << 12;

class Machine {
  static #module = new Module(Uint8Array.fromBase64(PAINT_WASM));

  // Declared, here and below, so that a setter of the same name on Object.prototype does not get hold of us.
  exports;
  memory;

  constructor() {
    const { exports } = new Instance(Machine.#module);
    this.exports = TRACES ? timedExports(exports) : exports;
    this.memory = exports.memory;
  }

  // Views of the machine's memory. A machine that grows its memory needs new ones.
  bytes(at, length) {
    return new Uint8Array(memoryBuffer(this.memory), at, length);
  }
}

// A mask that is painted here and now. `points`, `contourEnds` and `contourClosed` take the path.
class Mask extends Machine {
  points;
  contourEnds;
  contourClosed;

  // Answers whether there is memory for it.
  make(width, height) {
    if (!this.exports.make_mask(width, height)) return false;
    const buffer = memoryBuffer(this.memory);
    this.points = new Float32Array(buffer, this.exports.points_at(), 2 * MAX_POINTS);
    this.contourEnds = new Int32Array(buffer, this.exports.contour_ends_at(), MAX_CONTOURS);
    this.contourClosed = new Uint8Array(buffer, this.exports.contour_closed_at(), MAX_CONTOURS);
    return true;
  }

  paint(alpha, erases, a, b, c, d, e, f) {
    this.exports.set_matrix(a, b, c, d, e, f);
    this.exports.set_paint(alpha, erases);
  }

  // The path that is filled or stroked next. It lies in `points` already.
  path() {}

  fill(contours) {
    this.exports.fill_path(contours);
  }

  disc(x, y, r) {
    this.exports.fill_disc(x, y, r);
  }

  stroke(contours, width, cap, join, miter) {
    this.exports.stroke_path(contours, width, cap, join, miter);
  }

  clear() {
    this.exports.clear_mask();
  }

  // The coverage of a rectangle, one byte a pixel, in memory that the next call writes over.
  resolve(x, y, width, height) {
    const { exports } = this;
    exports.resolve(exports.scratch_at(), x, y, width, height);
    return this.bytes(exports.scratch_at(), width * height);
  }

  cover(x, y, width, height) {
    return new Coverage(width, height, new Uint8Array(this.resolve(x, y, width, height)));
  }
}

// What a mask holds in a rectangle, one byte a pixel.
class Coverage {
  width;
  height;
  bytes;
  isHeld = true;

  constructor(width, height, bytes) {
    this.width = width;
    this.height = height;
    this.bytes = bytes;
  }
}

// A painting that is painted here and now: RGBA, opaque, top row first.
class Easel extends Machine {
  width;
  height;
  scratch;
  mixes = false;

  // Answers whether there is memory for it.
  make(width, height) {
    const { exports } = this;
    if (!exports.make_painting(width, height)) return false;
    this.width = width;
    this.height = height;
    this.scratch = this.bytes(exports.scratch_at(), 4 * width * height);
    return true;
  }

  // From here on it can lay colours.
  mix({ curves, toRgb }) {
    const { exports } = this;
    const put = (at, values) => setBytes(new Float32Array(memoryBuffer(this.memory), at, values.length), values);
    put(exports.curves_at(), curves);
    put(exports.xyz_to_rgb_at(), toRgb);
    exports.spectral_init();
    this.mixes = true;
  }

  flood(rgba) {
    this.exports.fill_painting(rgba);
  }

  // Lays a colour through a coverage whose corner lies at (x, y).
  lay({ width, height, bytes }, x, y, r, g, b, isBrush) {
    setBytes(this.scratch, bytes);
    this.exports.lay(this.exports.scratch_at(), x, y, width, height, r, g, b, isBrush);
  }

  // The same with the alpha of RGBA bytes, that `write` puts into the bytes it is given, as an ink.
  layInk(write, x, y, width, height, r, g, b) {
    const { exports } = this;
    write(this.scratch);
    exports.keep_alpha(width * height);
    exports.lay(exports.scratch_at(), x, y, width, height, r, g, b, 1);
  }

  // Takes over a picture as WebGL gives it, bottom row first, that `write` puts into the bytes it is given. Answers
  // whether it is opaque.
  take(write) {
    write(this.scratch);
    this.exports.copy_flipped(1);
    return !!this.exports.is_opaque();
  }

  // The painting, bottom row first.
  flipped() {
    this.exports.copy_flipped(0);
    return this.scratch;
  }

  // The painting, top row first.
  upright() {
    return this.bytes(this.exports.painting_at(), 4 * this.width * this.height);
  }

  // Nobody has painted anything on this colour yet.
  startRecord(rgba) {
    this.exports.start_record(rgba);
  }

  // Whoever has painted since the record was last brought up to date, it was this painter.
  record(painter) {
    this.exports.record(painter);
  }

  // The pixels that this painter and no other has changed: one bit each, the top row first.
  paintedBy(painter) {
    const { exports, width, height } = this;
    exports.pixels_of(painter);
    return this.bytes(exports.scratch_at(), (width * height + 7) >> 3);
  }
}
