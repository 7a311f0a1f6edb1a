// A second thread for the painting machine, where the browser gives one.
//
// This thread runs the sketch and p5.brush's geometry, and writes what is to be painted as orders into a ring of shared
// memory; the other (thread.js) carries them out in that order. Nothing waits for it before something wants to see the
// picture. It has one mask and one painting; any further ones are painted in this thread.

const { load, store, notify, waitAsync } = Atomics;
const bufferOf = getterOf(TypedArray, "buffer");
const lengthOf = getterOf(TypedArray, "length");
const CHUNK_WORDS = 1 << 14; // orders are handed over when there are so many of them, or a mark is laid

class Thread {
  #memory;
  #header;
  #words;
  #floats;
  #written = 0; // words, those not yet handed over included
  #handedOver = 0;
  #at = 0;
  closed = false;
  mask = null;
  easel = null;

  constructor(source) {
    this.#memory = new SharedArrayBuffer(RING_BYTES);
    const { header, words, floats } = viewsOf(this.#memory);
    this.#header = header;
    this.#words = words;
    this.#floats = floats;
    new Worker(source).postMessage(this.#memory);
  }

  get isReady() {
    return !this.closed && load(this.#header, READY) === 1;
  }

  // Begins an order of so many words at most, arguments included. What follows puts them one after the other.
  begin(order, most) {
    const left = RING_WORDS - (this.#at & (RING_WORDS - 1));
    const needed = most + 1 > left ? left + most + 1 : most + 1;
    if (RING_WORDS - ((this.#at - load(this.#header, CARRIED_OUT)) | 0) < needed) this.#waitForRoom(needed);
    if (most + 1 > left) {
      this.#words[this.#at & (RING_WORDS - 1)] = SKIP;
      this.#at = (this.#at + left) | 0;
    }
    this.word(order);
  }

  word(value) {
    this.#words[this.#at & (RING_WORDS - 1)] = value;
    this.#at = (this.#at + 1) | 0;
  }

  float(value) {
    this.#floats[this.#at & (RING_WORDS - 1)] = value;
    this.#at = (this.#at + 1) | 0;
  }

  // The first `count` of a Float32Array.
  floats(values, count) {
    setBytes(this.#floats, new Float32Array(bufferOf(values), 0, count), this.#at & (RING_WORDS - 1));
    this.#at = (this.#at + count) | 0;
  }

  // Where `count` bytes may be written.
  room(count) {
    const at = 4 * (HEADER_WORDS + (this.#at & (RING_WORDS - 1)));
    this.#at = (this.#at + ((count + 3) >> 2)) | 0;
    return new Uint8Array(this.#memory, at, count);
  }

  // What the other thread shows.
  shown(count, at = 0) {
    return new Uint8Array(this.#memory, 4 * (HEADER_WORDS + RING_WORDS) + at, count);
  }

  // The order is complete.
  end(hurry) {
    this.#written = this.#at;
    if (hurry || ((this.#written - this.#handedOver) | 0) > CHUNK_WORDS) this.handOver();
  }

  order(order, ...words) {
    this.begin(order, words.length);
    for (let i = 0; i < words.length; i++) this.word(words[i]);
    this.end(false);
  }

  handOver() {
    if (this.#handedOver === this.#written) return;
    this.#handedOver = this.#written;
    store(this.#header, WRITTEN, this.#written);
    notify(this.#header, WRITTEN);
  }

  #waitForRoom(needed) {
    this.handOver();
    while (RING_WORDS - ((this.#at - load(this.#header, CARRIED_OUT)) | 0) < needed);
  }

  // Waits until all is carried out. A page's own thread may not sleep.
  finish() {
    this.handOver();
    while (load(this.#header, CARRIED_OUT) !== this.#written);
    return load(this.#header, ANSWER);
  }

  // The same without holding up the page. Further orders are refused.
  async close() {
    this.handOver();
    this.closed = true;
    for (;;) {
      const carriedOut = load(this.#header, CARRIED_OUT);
      if (carriedOut === this.#written) return;
      const { async, value } = waitAsync(this.#header, CARRIED_OUT, carriedOut);
      if (async) await value;
    }
  }
}

let thread = null;
try {
  thread = THREAD ? new Thread(THREAD) : null;
} catch {
  // No shared memory or no workers here: all is painted in this thread.
}

// A mask in the other thread. It has the same methods as Mask.
class DistantMask {
  points;
  contourEnds;
  contourClosed;
  #sent = [0, 0, 0]; // the path that the other thread has: its number, points and contours
  #paint = new Float32Array(8);
  #last = null; // the coverage that the other thread holds

  make(width, height) {
    if (!thread?.isReady || thread.mask || width * height > MOST_PIXELS) return false;
    thread.mask = this;
    this.points = new Float32Array(2 * MAX_POINTS);
    this.contourEnds = new Int32Array(MAX_CONTOURS);
    this.contourClosed = new Uint8Array(MAX_CONTOURS);
    thread.order(MAKE_MASK, width, height);
    return true;
  }

  paint(alpha, erases, a, b, c, d, e, f) {
    const paint = this.#paint;
    paint[0] = alpha;
    paint[1] = erases;
    paint[2] = a;
    paint[3] = b;
    paint[4] = c;
    paint[5] = d;
    paint[6] = e;
    paint[7] = f;
  }

  path(number, count, contours) {
    const sent = this.#sent;
    if (sent[0] === number && sent[1] === count && sent[2] === contours) return;
    this.#sent = [number, count, contours];
    thread.begin(PATH, 2 + 2 * contours + 2 * count);
    thread.word(contours);
    thread.word(count);
    for (let i = 0; i < contours; i++) {
      thread.word(this.contourEnds[i]);
      thread.word(this.contourClosed[i]);
    }
    thread.floats(this.points, 2 * count);
    thread.end(false);
  }

  #begin(order, more) {
    thread.begin(order, 8 + more);
    thread.floats(this.#paint, 8);
  }

  fill(contours) {
    this.#begin(FILL, 1);
    thread.word(contours);
    thread.end(false);
  }

  disc(x, y, r) {
    this.#begin(DISC, 3);
    thread.float(x);
    thread.float(y);
    thread.float(r);
    thread.end(false);
  }

  stroke(contours, width, cap, join, miter) {
    this.#begin(STROKE, 5);
    thread.word(contours);
    thread.float(width);
    thread.word(cap);
    thread.word(join);
    thread.float(miter);
    thread.end(false);
  }

  clear() {
    thread.order(CLEAR);
  }

  cover(x, y, width, height) {
    this.#last?.outlive();
    this.#last = new DistantCoverage(width, height);
    thread.order(COVER, x, y, width, height);
    return this.#last;
  }
}

// What the other thread has covered. Of the last one it knows the bytes anyway; of earlier ones it keeps those that
// somebody may still ask for, so that nothing waits for it. p5.brush leaves such a one behind in a canvas of its own
// whenever a shape has another size than the one before.
class DistantCoverage {
  #bytes = null;
  #number = 0; // where the other thread keeps it, or 0
  width;
  height;
  isLaid = false;
  isHeld = true;

  constructor(width, height) {
    this.width = width;
    this.height = height;
  }

  // Whether it is the last one.
  get isLast() {
    return this.#bytes === null && this.#number === 0;
  }

  get bytes() {
    if (this.#bytes === null) {
      if (this.#number) thread.order(SHOW_KEPT, this.#number);
      else thread.order(SHOW_COVERAGE);
      thread.finish();
      this.#bytes = new Uint8Array(thread.shown(this.width * this.height));
    }
    return this.#bytes;
  }

  // The other thread is about to cover something else.
  outlive() {
    if (this.isLaid && !this.isHeld) return;
    const count = this.width * this.height;
    if (!this.isLaid || keptBytes + count > MOST_KEPT_BYTES) {
      this.bytes;
      return;
    }
    keptBytes += count;
    this.#number = ++keptNumber;
    thread.order(KEEP, this.#number);
    whenGone(this, { number: this.#number, count });
  }
}

const MOST_KEPT_BYTES = 1 << 26;
let keptBytes = 0;
let keptNumber = 0;
const { register } = FinalizationRegistry.prototype;
const gone = new FinalizationRegistry(({ number, count }) => {
  keptBytes -= count;
  if (!thread.closed) thread.order(DROP, number);
});
const whenGone = (coverage, kept) => apply(register, gone, [coverage, kept]);

// A painting in the other thread. It has the same methods as Easel.
class DistantEasel {
  width;
  height;
  mixes = false;

  make(width, height) {
    if (!thread?.isReady || thread.easel || width * height > MOST_PIXELS) return false;
    thread.easel = this;
    this.width = width;
    this.height = height;
    thread.order(MAKE_EASEL, width, height);
    return true;
  }

  mix({ curves, toRgb }) {
    thread.begin(MIX, 2 + curves.length + toRgb.length);
    thread.word(curves.length);
    thread.floats(curves, curves.length);
    thread.word(toRgb.length);
    thread.floats(toRgb, toRgb.length);
    thread.end(false);
    this.mixes = true;
  }

  flood(rgba) {
    thread.order(FLOOD, rgba | 0);
  }

  #layBytes(x, y, width, height, r, g, b, isInk, write) {
    thread.begin(LAY_BYTES, 8 + ((width * height + 3) >> 2));
    this.#place(x, y, r, g, b, isInk);
    thread.word(width);
    thread.word(height);
    write(thread.room(width * height));
    thread.end(true);
  }

  #place(x, y, r, g, b, isInk) {
    thread.word(x);
    thread.word(y);
    thread.float(r);
    thread.float(g);
    thread.float(b);
    thread.word(isInk);
  }

  lay(coverage, x, y, r, g, b, isInk) {
    if (coverage instanceof DistantCoverage && coverage.isLast) {
      coverage.isLaid = true;
      thread.begin(LAY, 6);
      this.#place(x, y, r, g, b, isInk);
      thread.end(true);
      return;
    }
    const { width, height, bytes } = coverage;
    this.#layBytes(x, y, width, height, r, g, b, isInk, (room) => setBytes(room, bytes));
  }

  layInk(write, x, y, width, height, r, g, b) {
    const rgba = new Uint8Array(4 * width * height);
    write(rgba);
    this.#layBytes(x, y, width, height, r, g, b, 1, (room) => {
      for (let i = 0; i < width * height; i++) room[i] = rgba[4 * i + 3];
    });
  }

  take(write) {
    const rgba = new Uint8Array(4 * this.width * this.height);
    write(rgba);
    thread.finish();
    setBytes(thread.shown(lengthOf(rgba)), rgba);
    thread.order(TAKE);
    return thread.finish() === 1;
  }

  #show(order) {
    thread.order(order);
    thread.finish();
    return new Uint8Array(thread.shown(4 * this.width * this.height));
  }

  flipped() {
    return this.#show(SHOW_FLIPPED);
  }

  upright() {
    return this.#show(SHOW_UPRIGHT);
  }

  startRecord(rgba) {
    thread.order(START_RECORD, rgba | 0);
  }

  record(painter) {
    thread.order(RECORD, painter);
  }

  paintedBy(painter) {
    thread.order(SHOW_PAINTED, painter);
    thread.finish();
    return new Uint8Array(thread.shown((this.width * this.height + 7) >> 3, 4 * MOST_PIXELS));
  }

  // The painting and who painted it, once all is carried out; nothing more is painted.
  async last(painter) {
    const { width, height } = this;
    thread.order(SHOW_FLIPPED);
    thread.order(SHOW_PAINTED, painter);
    await thread.close();
    const bytes = new Uint8Array(thread.shown(4 * width * height));
    const brush = new Uint8Array(thread.shown((width * height + 7) >> 3, 4 * MOST_PIXELS));
    return { __proto__: null, width, height, bytes, brush };
  }
}

function makeMask(width, height) {
  const distant = new DistantMask();
  if (distant.make(width, height)) return distant;
  const mask = new Mask();
  return mask.make(width, height) ? mask : null;
}

function makeEasel(width, height) {
  const distant = new DistantEasel();
  if (distant.make(width, height)) return distant;
  const easel = new Easel();
  return easel.make(width, height) ? easel : null;
}
