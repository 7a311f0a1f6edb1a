// Stands in for the OffscreenCanvas that p5.brush fills its shapes on, and for the one through which it uploads them.
//
// Both only ever hold red of some strength: one number a pixel. The mask is painted by the machine. The upload canvas
// keeps the bytes that were last drawn to it from a mask. At the first call that is not among those below, either
// becomes the real canvas with the same content, and stays it.

const { WeakMap, Map, Set, ImageData, DOMMatrix } = globalThis;
const tagOf = getterOf(TypedArray, Symbol.toStringTag);
const mapGet = uncurry(WeakMap.prototype.get);
const mapSet = uncurry(WeakMap.prototype.set);
const mapDelete = uncurry(WeakMap.prototype.delete);
const setAdd = uncurry(Set.prototype.add);
const setDelete = uncurry(Set.prototype.delete);
const setForEach = uncurry(Set.prototype.forEach);
const RealCanvas = OffscreenCanvas;
const RealContext = OffscreenCanvasRenderingContext2D;
const realGetContext = uncurry(RealCanvas.prototype.getContext);
const widthOf = getterOf(RealCanvas.prototype, "width");
const heightOf = getterOf(RealCanvas.prototype, "height");
const RED = /^rgb\(255 0 0 \/ ([0-9.]+(?:e-[0-9]+)?)(%?)\)$/;
const FULL_TURN = 2 * Math.PI;
const CAPS = { butt: 0, round: 1, square: 2 };
const JOINS = { miter: 0, round: 1, bevel: 2 };
const NOT_RED = -1;

// A colour's alpha, or NOT_RED for what is not a plain red. Chromium reads a plain number to eight bits, a percentage
// in full.
const alphas = { __proto__: null };
let alphasKnown = 0;
function alphaOf(style) {
  const known = alphas[style];
  if (known !== undefined) return known;
  const found = typeof style === "string" ? apply(RegExp.prototype.exec, RED, [style]) : null;
  let alpha = NOT_RED;
  if (found) alpha = found[2] ? Math.min(1, found[1] / 100) : Math.round(255 * Math.min(1, found[1])) / 255;
  if (typeof style === "string" && alphasKnown < 4096) {
    alphas[style] = alpha;
    alphasKnown += 1;
  }
  return alpha;
}

const START = {
  matrix: [1, 0, 0, 1, 0, 0],
  fillStyle: "#000000",
  strokeStyle: "#000000",
  lineWidth: 1,
  lineCap: "butt",
  lineJoin: "miter",
  miterLimit: 10,
  globalCompositeOperation: "source-over",
  imageSmoothingEnabled: true,
};

// Contexts by canvas, while the canvas is not a real one.
const standIns = new WeakMap();
const contexts = new WeakMap();

class MaskContext {
  #canvas;
  #attributes;
  #real = null; // the real context, once there is one
  #machine = null; // the mask, once something is painted
  #coverage = null; // for an upload canvas: its content
  #path = 0; // the path's number
  #state = { ...START };
  #stack = [];
  #points = null;
  #count = 0; // points in the path
  #contours = 0; // contours in the path before the current one
  #start = 0; // the current contour's first point
  #disc = null; // the path, if it is one full circle

  constructor(canvas, attributes) {
    this.#canvas = canvas;
    this.#attributes = attributes;
  }

  get canvas() {
    return this.#canvas;
  }

  // The real context in our place, with our content, state and path.
  becomeReal() {
    if (this.#real) return this.#real;
    const real = (this.#real = realGetContext(this.#canvas, "2d", this.#attributes));
    mapDelete(standIns, this.#canvas);
    const { width, height } = this.#canvas;
    const content = (this.#coverage ?? this.#machine?.cover(0, 0, width, height))?.bytes;
    if (content) {
      const image = new ImageData(width, height);
      for (let i = 0; i < content.length; i++) {
        image.data[4 * i] = 255;
        image.data[4 * i + 3] = content[i];
      }
      real.putImageData(image, 0, 0);
    }
    for (const state of [...this.#stack, this.#state]) {
      const { matrix, ...rest } = state;
      Object.assign(real, rest);
      real.setTransform(...matrix);
      if (state !== this.#state) real.save();
    }
    this.#replayPath(real);
    this.#hold(null);
    this.#machine = null;
    return real;
  }

  #replayPath(real) {
    if (this.#disc) {
      const { x, y, r } = this.#disc;
      real.moveTo(x + r, y);
      real.arc(x, y, r, 0, FULL_TURN);
      return;
    }
    let at = 0;
    for (let contour = 0; contour <= this.#contours; contour++) {
      const end = contour < this.#contours ? this.#machine.contourEnds[contour] : this.#count;
      for (let i = at; i < end; i++) real[i === at ? "moveTo" : "lineTo"](this.#points[2 * i], this.#points[2 * i + 1]);
      if (contour < this.#contours && this.#machine.contourClosed[contour]) real.closePath();
      at = end;
    }
  }

  // Whether the machine is there to paint with; if not, we have become the real context.
  #ready() {
    if (this.#real) return false;
    if (this.#machine) return true;
    const width = widthOf(this.#canvas);
    const height = heightOf(this.#canvas);
    const fits = width >= 1 && height >= 1 && width <= MAX_SIDE && height <= MAX_SIDE;
    const machine = this.#coverage || !fits ? null : makeMask(width, height);
    if (!machine) {
      this.becomeReal();
      return false;
    }
    this.#machine = machine;
    this.#points = machine.points;
    return true;
  }

  // Has another content, or none.
  #hold(coverage) {
    if (this.#coverage) this.#coverage.isHeld = false;
    this.#coverage = coverage;
  }

  save() {
    if (this.#real) return this.#real.save();
    this.#stack.push(this.#state);
    this.#state = { ...this.#state };
  }

  restore() {
    if (this.#real) return this.#real.restore();
    if (this.#stack.length) this.#state = this.#stack.pop();
  }

  setTransform(a, b, c, d, e, f) {
    if (this.#real || arguments.length !== 6) return apply(setTransform, this.becomeReal(), arguments);
    if (Number.isFinite(a + b + c + d + e + f)) this.#state.matrix = [+a, +b, +c, +d, +e, +f];
  }

  getTransform() {
    return this.#real ? this.#real.getTransform() : new DOMMatrix(this.#state.matrix);
  }

  beginPath() {
    if (this.#real) return this.#real.beginPath();
    this.#count = this.#contours = this.#start = 0;
    this.#disc = null;
    this.#path += 1;
  }

  moveTo(x, y) {
    if (!this.#ready() || this.#disc) return this.becomeReal().moveTo(x, y);
    if (this.#count - this.#start === 1) this.#count = this.#start;
    else if (this.#count > this.#start && !this.#endContour(false)) return this.becomeReal().moveTo(x, y);
    this.#add(x, y);
  }

  lineTo(x, y) {
    if (this.#real || this.#disc || !this.#points) {
      if (!this.#ready() || this.#disc) return this.becomeReal().lineTo(x, y);
    }
    const count = this.#count;
    if (count >= MAX_POINTS || x - x !== 0 || y - y !== 0) return this.becomeReal().lineTo(x, y);
    const points = this.#points;
    points[2 * count] = x;
    points[2 * count + 1] = y;
    this.#count = count + 1;
  }

  #add(x, y) {
    if (this.#count >= MAX_POINTS || x - x !== 0 || y - y !== 0) return this.becomeReal().lineTo(x, y);
    this.#points[2 * this.#count] = x;
    this.#points[2 * this.#count + 1] = y;
    this.#count += 1;
  }

  #endContour(closed) {
    if (this.#contours >= MAX_CONTOURS) return false;
    this.#machine.contourEnds[this.#contours] = this.#count;
    this.#machine.contourClosed[this.#contours] = closed ? 1 : 0;
    this.#contours += 1;
    this.#start = this.#count;
    return true;
  }

  closePath() {
    if (!this.#ready() || this.#disc) return this.becomeReal().closePath();
    if (this.#count === this.#start) return;
    const x = this.#points[2 * this.#start];
    const y = this.#points[2 * this.#start + 1];
    if (!this.#endContour(true)) return this.becomeReal().closePath();
    this.#add(x, y);
  }

  arc(x, y, r, from, to, back) {
    const points = this.#points;
    const starts = this.#count === 1 && this.#contours === 0 && !this.#disc;
    if (!this.#ready() || !starts || from !== 0 || to !== FULL_TURN || back || !(r > 0) || x - x !== 0 || y - y !== 0) {
      return this.becomeReal().arc(x, y, r, from, to, back);
    }
    if (points[0] !== Math.fround(x + r) || points[1] !== Math.fround(y)) {
      return this.becomeReal().arc(x, y, r, from, to, back);
    }
    this.#disc = { x, y, r };
  }

  // Ends the path for painting: the number of its contours, or -1 when the machine cannot paint it.
  #prepare(style) {
    const alpha = alphaOf(style);
    const operation = this.#state.globalCompositeOperation;
    const known = alpha !== NOT_RED && (operation === "source-over" || operation === "destination-out");
    if (!this.#ready() || !known) return -1;
    const { contourEnds, contourClosed } = this.#machine;
    if (this.#contours >= MAX_CONTOURS) return -1;
    let contours = this.#contours;
    if (this.#count > this.#start) {
      contourEnds[contours] = this.#count;
      contourClosed[contours] = 0;
      contours += 1;
    }
    const [a, b, c, d, e, f] = this.#state.matrix;
    this.#machine.paint(alpha, operation === "destination-out" ? 1 : 0, a, b, c, d, e, f);
    if (!this.#disc) this.#machine.path(this.#path, this.#count, contours);
    return contours;
  }

  fill() {
    const contours = arguments.length ? -1 : this.#prepare(this.#state.fillStyle);
    if (contours < 0) return apply(fill, this.becomeReal(), arguments);
    if (this.#disc) this.#machine.disc(this.#disc.x, this.#disc.y, this.#disc.r);
    else this.#machine.fill(contours);
  }

  stroke() {
    const contours = arguments.length || this.#disc ? -1 : this.#prepare(this.#state.strokeStyle);
    if (contours < 0) return apply(stroke, this.becomeReal(), arguments);
    const { lineWidth, lineCap, lineJoin, miterLimit } = this.#state;
    this.#machine.stroke(contours, lineWidth, CAPS[lineCap], JOINS[lineJoin], miterLimit);
  }

  clearRect(x, y, width, height) {
    if (this.#real) return this.#real.clearRect(x, y, width, height);
    const [a, b, c, d, e, f] = this.#state.matrix;
    const plain = a === 1 && b === 0 && c === 0 && d === 1 && e === 0 && f === 0;
    const whole = x <= 0 && y <= 0 && x + width >= widthOf(this.#canvas) && y + height >= heightOf(this.#canvas);
    if (!plain || !whole) return this.becomeReal().clearRect(x, y, width, height);
    this.#hold(null);
    this.#machine?.clear();
  }

  drawImage(source, ...box) {
    const mask = this.#real ? null : mapGet(standIns, source);
    const [sx, sy, width, height, x, y, toWidth, toHeight] = box;
    const copies =
      mask?.#machine &&
      box.length === 8 &&
      x === 0 &&
      y === 0 &&
      width === toWidth &&
      height === toHeight &&
      width === widthOf(this.#canvas) &&
      height === heightOf(this.#canvas) &&
      Number.isInteger(sx + sy) &&
      sx >= 0 &&
      sy >= 0 &&
      sx + width <= widthOf(source) &&
      sy + height <= heightOf(source) &&
      !this.#machine &&
      !this.#coverage &&
      this.#state.globalCompositeOperation === "source-over" &&
      this.#state.matrix.every((value, i) => value === START.matrix[i]);
    if (!copies) {
      mask?.becomeReal();
      return apply(drawImage, this.becomeReal(), [source, ...box]);
    }
    this.#coverage = mask.#machine.cover(sx, sy, width, height);
  }

  // An upload canvas's content, or null.
  get coverage() {
    return this.#real ? null : this.#coverage;
  }

  static {
    const { prototype } = MaskContext;
    // What p5.brush never sets differently is still kept, so that a real context can take over.
    const settable = {
      fillStyle: (value) => typeof value === "string" && alphaOf(value) !== NOT_RED,
      strokeStyle: (value) => typeof value === "string" && alphaOf(value) !== NOT_RED,
      lineWidth: (value) => typeof value === "number" && value > 0 && value < Infinity,
      lineCap: (value) => typeof value === "string" && value in CAPS,
      lineJoin: (value) => typeof value === "string" && value in JOINS,
      miterLimit: (value) => typeof value === "number" && value > 0 && value < Infinity,
      globalCompositeOperation: (value) => value === "source-over" || value === "destination-out",
      imageSmoothingEnabled: (value) => typeof value === "boolean",
    };
    for (const name of ownKeys(settable)) {
      const understood = settable[name];
      defineProperty(prototype, name, {
        configurable: true,
        enumerable: true,
        get() {
          return this.#real ? this.#real[name] : this.#state[name];
        },
        set(value) {
          if (!this.#real && understood(value)) this.#state[name] = value;
          // Widths that are not are ignored by the standard.
          else if (this.#real || name !== "lineWidth" || typeof value !== "number") this.becomeReal()[name] = value;
        },
      });
    }
  }
}

const { setTransform, fill, stroke, drawImage } = RealContext.prototype;

// Everything else that a context can do, it does as the real one.
for (const name of ownKeys(RealContext.prototype)) {
  if (typeof name === "symbol" || name in MaskContext.prototype) continue;
  const { value, get, set } = getOwnPropertyDescriptor(RealContext.prototype, name);
  const forward = (method) =>
    method &&
    function (...args) {
      return apply(method, this.becomeReal(), args);
    };
  defineProperty(
    MaskContext.prototype,
    name,
    typeof value === "function"
      ? { value: forward(value), configurable: true, writable: true }
      : { get: forward(get), set: forward(set), configurable: true },
  );
}
Object.setPrototypeOf(MaskContext.prototype, RealContext.prototype);

class StandInCanvas extends RealCanvas {
  getContext(kind, attributes) {
    const known = mapGet(contexts, this);
    if (known) return kind === "2d" ? known : realGetContext(known.becomeReal().canvas, kind, attributes);
    if (kind !== "2d") return realGetContext(this, kind, attributes);
    const context = new MaskContext(this, attributes);
    mapSet(contexts, this, context);
    mapSet(standIns, this, context);
    return context;
  }

  get width() {
    return widthOf(this);
  }

  set width(value) {
    realCanvas(this);
    setWidth(this, value);
  }

  get height() {
    return heightOf(this);
  }

  set height(value) {
    realCanvas(this);
    setHeight(this, value);
  }
}
const setWidth = uncurry(getOwnPropertyDescriptor(RealCanvas.prototype, "width").set);
const setHeight = uncurry(getOwnPropertyDescriptor(RealCanvas.prototype, "height").set);
defineProperty(StandInCanvas, "name", { value: "OffscreenCanvas" });
defineProperty(globalThis, "OffscreenCanvas", { value: StandInCanvas, configurable: true, writable: true });

// Before anything but us reads a canvas it must be a real one.
function realCanvas(source) {
  if (typeof source === "object" && source !== null) mapGet(standIns, source)?.becomeReal();
}

// Runs `before` with the arguments of each call of a method.
function precede(owner, name, before) {
  const original = owner[name];
  if (typeof original !== "function") return;
  const hooked = {
    [name](...args) {
      before(this, args);
      return apply(original, this, args);
    },
  }[name];
  defineProperty(owner, name, { value: hooked, configurable: true, writable: true, enumerable: true });
}
