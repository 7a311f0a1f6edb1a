// Keeps the painting as it grows, a frame after each mark that is laid, for `watercolour render --film`. Left out
// otherwise. It only reads: the painting is the same with and without it.
//
// A frame is the tiles that differ from the frame before. When there are more frames than wanted, or more bytes than
// FILM_BYTES, every two neighbours become one, and from then on only every second mark (fourth, ...) makes a frame: the
// film stays evenly thinned, however many marks there are.

const TILE = 64;
const toBase64 = uncurry(Uint8Array.prototype.toBase64);

class Film {
  static #all = new WeakMap();
  static #bytes = 0; // of all films of this page

  static of(gl) {
    let film = mapGet(Film.#all, gl);
    if (!film) mapSet(Film.#all, gl, (film = new Film()));
    return film;
  }

  #width = 0;
  #height = 0;
  #frames = []; // Maps: tile -> its pixels, RGBA with the top row first
  #last = new Map(); // the same for the painting as last seen
  #touched = new Set();
  #marks = 0;
  #every = 1;

  // Something was drawn on the default framebuffer, inside `box` = [left, from the bottom, width, height] or anywhere.
  drawn(painting, box) {
    const { width, height } = painting;
    if (width !== this.#width || height !== this.#height) this.#restart(width, height);
    const [x, fromBottom, across, up] = box ?? [0, 0, width, height];
    const top = Math.max(0, height - fromBottom - up);
    const right = Math.min(width, x + across);
    const bottom = Math.min(height, height - fromBottom);
    for (let row = Math.floor(top / TILE); row * TILE < bottom; row++) {
      for (let column = Math.floor(Math.max(0, x) / TILE); column * TILE < right; column++) {
        this.#touched.add(row * this.#columns + column);
      }
    }
    this.#marks += 1;
    if (this.#marks % this.#every === 0) this.#keep(painting);
  }

  get #columns() {
    return Math.ceil(this.#width / TILE);
  }

  // A canvas of another size is another painting.
  #restart(width, height) {
    for (const frame of this.#frames) for (const pixels of frame.values()) Film.#bytes -= pixels.byteLength;
    this.#frames = [];
    this.#last.clear();
    this.#touched.clear();
    this.#width = width;
    this.#height = height;
  }

  #keep(painting) {
    const read = readerOf(painting);
    if (!read) return;
    const frame = new Map();
    for (const tile of this.#touched) {
      const pixels = this.#cut(read, tile);
      if (alike(pixels, this.#last.get(tile))) continue;
      frame.set(tile, pixels);
      this.#last.set(tile, pixels);
      Film.#bytes += pixels.byteLength;
    }
    this.#touched.clear();
    if (!frame.size) return;
    this.#frames.push(frame);
    while (this.#frames.length > 1 && (this.#frames.length > FILM_FRAMES || Film.#bytes > FILM_BYTES)) this.#thin();
  }

  #cut(read, tile) {
    const x = (tile % this.#columns) * TILE;
    const y = Math.floor(tile / this.#columns) * TILE;
    const width = Math.min(TILE, this.#width - x);
    const height = Math.min(TILE, this.#height - y);
    const pixels = new Uint8Array(4 * width * height);
    for (let row = 0; row < height; row++) setBytes(pixels, read(x, y + row, width), 4 * width * row);
    return pixels;
  }

  #thin() {
    const kept = [];
    for (let i = 0; i < this.#frames.length; i += 2) {
      const frame = this.#frames[i];
      for (const [tile, pixels] of this.#frames[i + 1] ?? []) {
        Film.#bytes -= frame.get(tile)?.byteLength ?? 0;
        frame.set(tile, pixels);
      }
      kept.push(frame);
    }
    this.#frames = kept;
    this.#every *= 2;
  }

  // Hands over the frames, one at a time.
  tell(send) {
    for (const frame of this.#frames) {
      const tiles = [];
      for (const [tile, pixels] of frame) tiles.push([tile, toBase64(pixels)]);
      send({ width: this.#width, height: this.#height, tile: TILE, tiles });
    }
  }
}

// A function that gives `length` pixels of the painting from (x, y) as bytes, the top row being 0; null when the GPU
// cannot be asked now.
function readerOf(painting) {
  const { gl, machine, width, height } = painting;
  if (painting.inMachine) {
    const pixels = machine.upright();
    return (x, y, length) => pixels.subarray(4 * (width * y + x), 4 * (width * y + x + length));
  }
  if (gpu.getParameter(gl, GL.PIXEL_PACK_BUFFER_BINDING)) return null;
  const pixels = new Uint8Array(4 * width * height);
  painting.readGpu(null, 0, 0, width, height, pixels);
  return (x, y, length) => {
    const at = 4 * (width * (height - 1 - y) + x);
    return pixels.subarray(at, at + 4 * length);
  };
}

function alike(pixels, others) {
  if (!others) return false;
  const [one, two] = [pixels, others].map((bytes) => new Int32Array(bytes.buffer));
  for (let i = 0; i < one.length; i++) if (one[i] !== two[i]) return false;
  return true;
}

for (const name of [
  "clear",
  "drawArrays",
  "drawElements",
  "drawRangeElements",
  "drawArraysInstanced",
  "drawElementsInstanced",
  "blitFramebuffer",
]) {
  const draw = GL.prototype[name];
  const filmed = {
    [name](...args) {
      const result = apply(draw, this, args);
      const painting = Painting.of(this);
      const paints = name !== "clear" || args[0] & GL.COLOR_BUFFER_BIT;
      if (paints && painting.drawTarget === null) {
        Film.of(this).drawn(painting, painting.scissors ? painting.scissorBox : null);
      }
      return result;
    },
  }[name];
  defineProperty(GL.prototype, name, { value: filmed, configurable: true, enumerable: true, writable: true });
}

// For harness.js, which takes it away before the sketch runs.
globalThis.watercolourFilm = (gl, send) => Film.of(gl).tell(send);
