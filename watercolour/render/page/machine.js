// The painting machine: paint.wasm, instantiated once for each mask and once for each painting.
//
// This file, mask.js and painting.js run in one scope that the sketch cannot see, before p5 and p5.brush. What they use
// of the browser is taken here, before the sketch runs and can replace it.
"use strict";

const { WeakMap, Map, Set, Uint8Array, Float32Array, Int32Array, ImageData, DOMMatrix } = globalThis;
const { Module, Instance, Memory } = WebAssembly;
const { apply, getPrototypeOf, getOwnPropertyDescriptor, ownKeys } = Reflect;
const { defineProperty } = Object;
const uncurry =
  (method) =>
  (self, ...args) =>
    apply(method, self, args);
const getterOf = (prototype, name) => uncurry(getOwnPropertyDescriptor(prototype, name).get);
const TypedArray = getPrototypeOf(Uint8Array.prototype);
const tagOf = getterOf(TypedArray, Symbol.toStringTag);
const lengthOf = getterOf(TypedArray, "length");
const setBytes = uncurry(TypedArray.set);
const memoryBuffer = getterOf(Memory.prototype, "buffer");
const mapGet = uncurry(WeakMap.prototype.get);
const mapSet = uncurry(WeakMap.prototype.set);
const mapDelete = uncurry(WeakMap.prototype.delete);
const setAdd = uncurry(Set.prototype.add);
const setDelete = uncurry(Set.prototype.delete);
const setForEach = uncurry(Set.prototype.forEach);

const MAX_SIDE = 4096;
const MAX_POINTS = 1 << 17;
const MAX_CONTOURS = 1 << 12;

class Machine {
  static #module = new Module(Uint8Array.fromBase64(PAINT_WASM));

  // Declared, so that a setter of the same name on Object.prototype does not get hold of us.
  exports;
  memory;
  points;
  contourEnds;
  contourClosed;
  scratch;
  width;
  height;
  mixes = false;

  constructor() {
    const { exports } = new Instance(Machine.#module);
    this.exports = TRACES ? timedExports(exports) : exports;
    this.memory = exports.memory;
  }

  // Views of the machine's memory. A machine that grows its memory needs new ones.
  bytes(at, length) {
    return new Uint8Array(memoryBuffer(this.memory), at, length);
  }

  makeMask(width, height) {
    if (!this.exports.make_mask(width, height)) return false;
    const buffer = memoryBuffer(this.memory);
    this.points = new Float32Array(buffer, this.exports.points_at(), 2 * MAX_POINTS);
    this.contourEnds = new Int32Array(buffer, this.exports.contour_ends_at(), MAX_CONTOURS);
    this.contourClosed = new Uint8Array(buffer, this.exports.contour_closed_at(), MAX_CONTOURS);
    return true;
  }

  makePainting(width, height) {
    if (!this.exports.make_painting(width, height)) return false;
    this.scratch = this.bytes(this.exports.scratch_at(), 4 * width * height);
    return true;
  }
}
