// The blend of p5.brush's masks into the painting, on the machine instead of by WebGL.
//
// The painting is the default framebuffer of a WebGL context. While p5.brush is the only one to paint on it, it lives
// in the machine, and the GPU is not asked; as soon as anything else draws on it or reads it, it is put there first.
// What is not an opaque painting, or not the default framebuffer, is left to the library's own shader.
//
// Beside the painting goes a record of who has painted which pixel: the brush's blend, or anything else. It is brought
// up to date only when one has drawn and the other is about to. A sketch that drives p5.brush's own WebGL program by
// hand, textures and all, is not told from the brush.

const GL = WebGL2RenderingContext;
const gpu = { __proto__: null }; // WebGL's methods as they were, the context as the first argument
for (const name of ownKeys(GL.prototype)) {
  const { value } = getOwnPropertyDescriptor(GL.prototype, name);
  if (typeof value === "function" && typeof name === "string") gpu[name] = uncurry(value);
}
const canvasOf = getterOf(GL.prototype, "canvas");
const bufferWidth = getterOf(GL.prototype, "drawingBufferWidth");
const bufferHeight = getterOf(GL.prototype, "drawingBufferHeight");

let spectrum = null;
const blendShaders = new WeakMap();
const blendPrograms = new WeakMap(); // program -> its uniforms by name
const brushShaders = new WeakMap();
const brushPrograms = new WeakMap(); // those whose shader is p5.brush's to the letter
const uniformNames = new WeakMap(); // location -> [those uniforms, name]

// Who draws on the default framebuffer, as bits of the record.
const BRUSH = 1;
const OTHER = 2;

class Painting {
  static #all = new WeakMap();
  static #last = null;
  static unsent = new Set(); // paintings that the GPU has not got yet

  static of(gl) {
    if (Painting.#last?.gl === gl) return Painting.#last;
    let painting = mapGet(Painting.#all, gl);
    if (!painting) mapSet(Painting.#all, gl, (painting = new Painting(gl)));
    return (Painting.#last = painting);
  }

  gl;
  keeps;

  // What WebGL would answer if it were asked.
  drawTarget = null;
  readTarget = null;
  scissors = false;
  scissorBox = [0, 0, 0, 0];
  clearColor = [0, 0, 0, 0];
  allChannels = true;
  program = null;
  unit = 0;
  textures = [];
  targetOf = new Map(); // texture -> framebuffer that it belongs to
  textureOf = new Map();
  empty = new Set(); // framebuffers with nothing in them but zeros

  // Calls put off, since the blend that they are for may not need them.
  blit = null;
  upload = null;
  blendSources = new Set(); // framebuffers that only ever hold a copy of the painting for the blend

  knownWidth = 0;
  knownHeight = 0;
  machine = null;
  inMachine = false; // whether the machine's painting is the true one
  onGpu = true;
  flat = null; // the opaque colour that the GPU's painting was cleared to, if it is still nothing else
  transparent = false; // seen to be so; asked again after something else has drawn
  dirty = null;

  painter = null; // who has drawn since the record was brought up to date
  clearedTo = 0; // as RGBA, red in the lowest byte
  hasRecord = false; // of what was painted since the last clear

  constructor(gl) {
    this.gl = gl;
    this.keeps = gpu.getContextAttributes(gl)?.preserveDrawingBuffer === true;
  }

  get width() {
    return bufferWidth(this.gl);
  }

  get height() {
    return bufferHeight(this.gl);
  }

  #prepareMachine() {
    const { width, height } = this;
    if (this.machine?.width !== width || this.machine.height !== height) {
      this.inMachine = this.hasRecord = false;
      this.machine = null;
      if (width > MAX_SIDE || height > MAX_SIDE || !width || !height) return false;
      this.machine = makeEasel(width, height);
      if (!this.machine) return false;
    }
    if (spectrum && !this.machine.mixes) this.machine.mix(spectrum);
    return true;
  }

  // The default framebuffer is about to be cleared.
  clear() {
    this.#checkSize();
    if (this.scissors || !this.allChannels) return this.touched(OTHER);
    const [r, g, b, a] = this.clearColor.map((value) => Math.round(255 * Math.min(1, Math.max(0, value))));
    this.clearedTo = ((a << 24) | (b << 16) | (g << 8) | r) >>> 0;
    this.flat = a === 255 ? this.clearedTo : null;
    this.transparent = a !== 255;
    this.painter = null;
    this.inMachine = this.hasRecord = false;
    this.#isOnGpu();
  }

  // A canvas that changes its size starts anew.
  #checkSize() {
    if (this.knownWidth === this.width && this.knownHeight === this.height) return;
    this.knownWidth = this.width;
    this.knownHeight = this.height;
    this.inMachine = this.transparent = this.hasRecord = false;
    this.flat = this.painter = null;
    this.clearedTo = 0;
    this.#isOnGpu();
  }

  #isOnGpu() {
    this.onGpu = true;
    this.dirty = null;
    setDelete(Painting.unsent, this);
  }

  // WebGL is about to draw on the default framebuffer.
  touched(painter) {
    this.#checkSize();
    this.#drawnBy(painter);
    this.send();
    this.inMachine = this.transparent = false;
    this.flat = null;
  }

  #drawnBy(painter) {
    if (this.painter === painter) return;
    this.#record();
    this.painter = painter;
  }

  // Whose program is in use.
  get user() {
    return mapGet(brushPrograms, this.program) ? BRUSH : OTHER;
  }

  // Brings the record up to date. Answers whether there is one.
  #record() {
    if (this.painter === null) return this.hasRecord;
    if (!this.#prepareMachine()) return false;
    const { machine, width, height } = this;
    if (!this.hasRecord) machine.startRecord(this.clearedTo);
    this.hasRecord = true;
    if (!this.inMachine) machine.take((bytes) => this.#readDefault(bytes));
    machine.record(this.painter);
    return true;
  }

  #readDefault(out) {
    const { gl, width, height } = this;
    const buffer = gpu.getParameter(gl, GL.PIXEL_PACK_BUFFER_BINDING);
    if (buffer) gpu.bindBuffer(gl, GL.PIXEL_PACK_BUFFER, null);
    this.readGpu(null, 0, 0, width, height, out);
    if (buffer) gpu.bindBuffer(gl, GL.PIXEL_PACK_BUFFER, buffer);
  }

  // The painting as WebGL has it, the lowest row first, and as `brush` the pixels that nothing but the brush has changed
  // since the last clear: one bit each, the top row first; null for a canvas too large for a record. Or a promise of
  // that, and then nothing more is painted.
  read() {
    this.#checkSize();
    const hasRecord = this.#record();
    const { width, height, machine } = this;
    if (hasRecord && this.inMachine && machine instanceof DistantEasel) return machine.last(BRUSH);
    const bytes = new Uint8Array(4 * width * height);
    if (this.inMachine) setBytes(bytes, machine.flipped());
    else this.#readDefault(bytes);
    const brush = this.painter === null || hasRecord ? new Uint8Array((width * height + 7) >> 3) : null;
    if (hasRecord) setBytes(brush, machine.paintedBy(BRUSH));
    return { __proto__: null, width, height, bytes, brush };
  }

  // Has the machine take over the painting, if it is opaque.
  #fetch() {
    this.#checkSize();
    if (this.inMachine) return true;
    if (this.transparent || !this.keeps || !this.#prepareMachine() || !this.machine.mixes) return false;
    const { width, height, machine, flat } = this;
    if (flat !== null) {
      machine.flood(flat);
      this.flat = null;
      return (this.inMachine = true);
    }
    if (gpu.getParameter(this.gl, GL.PIXEL_PACK_BUFFER_BINDING)) return false;
    this.transparent = !machine.take((bytes) => this.readGpu(null, 0, 0, width, height, bytes));
    return (this.inMachine = !this.transparent);
  }

  // Answers readPixels of the whole painting without the GPU.
  readMachine([x, y, width, height, format, type, out, ...rest]) {
    this.#checkSize();
    const { gl, machine, inMachine } = this;
    const whole = x === 0 && y === 0 && width === this.width && height === this.height;
    if (!inMachine || !whole || format !== GL.RGBA || type !== GL.UNSIGNED_BYTE || rest.length) return false;
    if (tagOf(out) !== "Uint8Array" || lengthOf(out) < 4 * width * height) return false;
    for (const name of [GL.PACK_ROW_LENGTH, GL.PACK_SKIP_PIXELS, GL.PACK_SKIP_ROWS, GL.PIXEL_PACK_BUFFER_BINDING]) {
      if (gpu.getParameter(gl, name)) return false;
    }
    setBytes(out, machine.flipped());
    return true;
  }

  readGpu(target, x, y, width, height, out) {
    const { gl, readTarget } = this;
    const settings = [GL.PACK_ROW_LENGTH, GL.PACK_SKIP_PIXELS, GL.PACK_SKIP_ROWS, GL.PACK_ALIGNMENT];
    const before = settings.map((name) => gpu.getParameter(gl, name));
    settings.forEach((name, i) => gpu.pixelStorei(gl, name, i < 3 ? 0 : 4));
    gpu.bindFramebuffer(gl, GL.READ_FRAMEBUFFER, target);
    gpu.readPixels(gl, x, y, width, height, GL.RGBA, GL.UNSIGNED_BYTE, out);
    gpu.bindFramebuffer(gl, GL.READ_FRAMEBUFFER, readTarget);
    settings.forEach((name, i) => gpu.pixelStorei(gl, name, before[i]));
  }

  // Blends on the machine, if this is p5.brush's blend onto the opaque default framebuffer.
  blend() {
    const uniforms = BLENDS && this.drawTarget === null && mapGet(blendPrograms, this.program);
    if (!uniforms || !this.scissors || !this.allChannels || uniforms.u_targetIsFramebuffer) return false;
    const source = this.targetOf.get(this.textures[uniforms.u_source]);
    const maskTexture = this.textures[uniforms.u_mask];
    if (!source || !maskTexture) return false;
    this.blendSources.add(source);
    const [x, fromBottom, width, height] = this.scissorBox;
    const y = this.height - fromBottom - height;
    if (x < 0 || y < 0 || width < 1 || height < 1 || x + width > this.width || fromBottom < 0) return false;
    let coverage = null;
    if (!uniforms.u_isBrush) {
      const { upload } = this;
      if (!upload || upload.texture !== maskTexture || upload.x !== x || upload.y !== y) return false;
      if (upload.coverage.width !== width || upload.coverage.height !== height) return false;
      coverage = upload.coverage;
    }
    if (!this.#fetch()) return false;
    const [r, g, b] = uniforms.u_color;
    const target = coverage ? null : this.targetOf.get(maskTexture);
    if (!coverage && !target) return false;
    this.#drawnBy(this.user);
    if (coverage) {
      this.machine.lay(coverage, x, y, r, g, b, 0);
    } else {
      const read = (bytes) => this.readGpu(target, x, y, width, height, bytes);
      this.machine.layInk(read, x, y, width, height, r, g, b);
    }
    this.upload = this.blit = null;
    this.onGpu = false;
    setAdd(Painting.unsent, this);
    const box = this.dirty;
    this.dirty = box
      ? [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x + width), Math.max(box[3], y + height)]
      : [x, y, x + width, y + height];
    return true;
  }

  // Makes the calls that were put off.
  settle() {
    this.#settleBlit();
    this.settleUpload();
  }

  #settleBlit() {
    const { gl, blit } = this;
    if (blit) {
      this.blit = null;
      this.send();
      gpu.bindFramebuffer(gl, GL.READ_FRAMEBUFFER, null);
      gpu.bindFramebuffer(gl, GL.DRAW_FRAMEBUFFER, blit.target);
      if (this.scissors) gpu.disable(gl, GL.SCISSOR_TEST);
      gpu.blitFramebuffer(gl, ...blit.args);
      if (this.scissors) gpu.enable(gl, GL.SCISSOR_TEST);
      gpu.bindFramebuffer(gl, GL.READ_FRAMEBUFFER, this.readTarget);
      gpu.bindFramebuffer(gl, GL.DRAW_FRAMEBUFFER, this.drawTarget);
    }
  }

  settleUpload() {
    const { gl, upload } = this;
    if (upload) {
      this.upload = null;
      const { x, y, texture } = upload;
      const { width, height, bytes } = upload.coverage;
      const pixels = new Uint8Array(4 * bytes.length);
      for (let i = 0; i < bytes.length; i++) {
        pixels[4 * i] = 255;
        pixels[4 * i + 3] = bytes[i];
      }
      gpu.bindTexture(gl, GL.TEXTURE_2D, texture);
      gpu.texSubImage2D(gl, GL.TEXTURE_2D, 0, x, y, width, height, GL.RGBA, GL.UNSIGNED_BYTE, pixels);
      gpu.bindTexture(gl, GL.TEXTURE_2D, this.textures[this.unit] ?? null);
      this.empty.delete(this.targetOf.get(texture));
    }
  }

  // Puts the machine's painting onto the GPU, if it has anything new.
  send() {
    this.#checkSize();
    if (this.onGpu) return;
    const { machine, dirty } = this;
    this.#isOnGpu();
    sendPicture(this.gl, machine.upright(), machine.width, machine.height, dirty);
  }
}
