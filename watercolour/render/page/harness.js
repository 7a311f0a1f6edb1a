// Runs one sketch in this page and reports once, by calling the binding, what came of it. Runs after p5 and p5.brush.
//
// Whatever the report needs of the browser is taken here, before the sketch runs and can replace it. `settings` is put
// in by pool.py: { binding, width, height, density, frames }.
"use strict";
(() => {
  const settings = SETTINGS;
  const report = globalThis[settings.binding];
  delete globalThis[settings.binding];
  const { watercolourStages: stagesNow, watercolourFilm: film } = globalThis; // trace.js, film.js
  delete globalThis.watercolourStages;
  delete globalThis.watercolourFilm;

  const { apply, defineProperty, setPrototypeOf } = Reflect;
  const { stringify } = JSON;
  const { readPixels, getParameter, bindFramebuffer, clear, isContextLost } = WebGL2RenderingContext.prototype;
  const { readPainting } = globalThis;
  delete globalThis.readPainting;
  const { getImageData } = CanvasRenderingContext2D.prototype;
  const { toBase64 } = Uint8Array.prototype;
  const { isPrototypeOf } = Object.prototype;
  const clock = performance.now.bind(performance);
  const later = setTimeout.bind(globalThis);
  const Later = Promise;
  const LOSS_IS_TOLD_MS = 50;
  const GL = WebGL2RenderingContext;
  const P5 = p5;
  const trim = (text) => apply(String.prototype.slice, `${text}`, [0, 500]);

  let finished = false;
  let sketchRan = false;
  let started = false;
  let setupRuns = false;
  let drawing = false;
  let framesLeft = settings.frames;
  let paper = null;
  let asked = null;
  let brushMarks = 0;
  let lost = false;
  let startedAt = 0;
  let lines = 1;
  const errors = [];

  function note(error, line) {
    if (errors.length >= 5) return;
    let text;
    try {
      text = error && error.message !== undefined ? `${error.name}: ${error.message}` : `${error}`;
    } catch {
      text = "an error that cannot be shown";
    }
    text = trim(text).replace("Failed to execute 'appendChild' on 'Node': ", "");
    errors[errors.length] = line ? `${text} (line ${line > lines ? lines : line})` : text;
  }

  // The paper is what the canvas was last cleared to: background() clears the default framebuffer.
  WebGL2RenderingContext.prototype.clear = function (mask) {
    if (mask & GL.COLOR_BUFFER_BIT && apply(getParameter, this, [GL.FRAMEBUFFER_BINDING]) === null) {
      const colour = apply(getParameter, this, [GL.COLOR_CLEAR_VALUE]);
      paper = [colour[0], colour[1], colour[2], colour[3]];
    }
    return apply(clear, this, [mask]);
  };

  // p5.brush's blend pass is the one program with a spectral mix in it: each draw with it lays one mark.
  const blendPrograms = new WeakSet();
  const blendShaders = new WeakSet();
  const hook = (name, after) => {
    const original = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...args) {
      after(this, args);
      return apply(original, this, args);
    };
  };
  const { has, add } = WeakSet.prototype;
  const { includes } = String.prototype;
  let current = null;
  hook("shaderSource", (_, [shader, source]) => {
    if (apply(includes, `${source}`, ["spectral_mix"])) apply(add, blendShaders, [shader]);
  });
  hook("attachShader", (_, [program, shader]) => {
    if (apply(has, blendShaders, [shader])) apply(add, blendPrograms, [program]);
  });
  hook("useProgram", (_, [program]) => {
    current = program;
  });
  const count = () => {
    if (current && apply(has, blendPrograms, [current])) brushMarks += 1;
  };
  hook("drawArrays", count);
  hook("drawElements", count);

  const { getContext } = HTMLCanvasElement.prototype;
  let latest = null;
  let refused = false;
  HTMLCanvasElement.prototype.getContext = function (kind, attributes) {
    const context = apply(getContext, this, [kind, attributes]);
    if (kind === "webgl2" && context) latest = context;
    else if (kind === "webgl2") refused = true;
    return context;
  };

  const canvasOf = (instance) => instance?._renderer?.canvas ?? instance?.canvas ?? null;

  // Without the fast path there is no record of what the brush painted.
  function readGpu(context) {
    const { drawingBufferWidth: width, drawingBufferHeight: height } = context;
    const bytes = new Uint8Array(4 * width * height);
    apply(bindFramebuffer, context, [GL.FRAMEBUFFER, null]);
    apply(readPixels, context, [0, 0, width, height, GL.RGBA, GL.UNSIGNED_BYTE, bytes]);
    return { width, height, bytes, brush: null };
  }

  // What is on the canvas now. It may take a while to be painted there.
  async function readCanvas(instance) {
    const context = instance?._renderer?.drawingContext;
    const canvas = canvasOf(instance);
    if (!context || !canvas) return null;
    if (apply(isPrototypeOf, GL.prototype, [context])) {
      const { width, height, bytes, brush } = await (readPainting ? readPainting(context) : readGpu(context));
      const base64 = apply(toBase64, bytes, []);
      return { __proto__: null, kind: "webgl2", width, height, base64, brush: brush && apply(toBase64, brush, []) };
    }
    const { width, height } = canvas;
    const bytes = new Uint8Array(apply(getImageData, context, [0, 0, width, height]).data.buffer);
    return { __proto__: null, kind: "2d", width, height, base64: apply(toBase64, bytes, []) };
  }

  async function finish(outcome, instance) {
    if (finished) return;
    finished = true;
    const paintedAt = clock();
    const stages_ms = stagesNow?.();
    const facts = { __proto__: null, outcome, errors, asked, paper, brushMarks };
    let picture = null;
    // JSON.stringify asks for toJSON, and the sketch may have put one on every object.
    setPrototypeOf(errors, null);
    if (asked) setPrototypeOf(asked, null);
    if (paper) setPrototypeOf(paper, null);
    if (outcome !== "syntax_error") {
      try {
        picture = await readCanvas(instance);
      } catch (error) {
        note(error);
      }
    }
    const read_ms = clock() - paintedAt;
    if (film && picture?.kind === "webgl2") {
      try {
        film(instance._renderer.drawingContext, (frame) => report(stringify({ frame })));
      } catch (error) {
        note(error);
      }
    }
    if (outcome === "threw") {
      // What throws for want of a context may do so before the page is told of the loss.
      await new Later((resolve) => later(resolve, LOSS_IS_TOLD_MS));
      if (refused || (latest && apply(isContextLost, latest, []))) lost = true;
    }
    if (lost) facts.outcome = "context_lost";
    report(stringify({ __proto__: null, ...facts, picture, sketch_ms: paintedAt - startedAt, read_ms, stages_ms }));
  }

  // What the sketch asks for is noted; what it gets is the medium's canvas at the density of the output.
  const { createCanvas, pixelDensity, resizeCanvas, _draw } = P5.prototype;
  const { max, min, floor } = Math;
  const fit = (value, limit) => max(1, min(floor(Number(value)) || limit, limit));
  P5.prototype.createCanvas = function (width, height, ...rest) {
    asked = [Number(width) || 0, Number(height) || 0];
    const canvas = apply(createCanvas, this, [fit(width, settings.width), fit(height, settings.height), ...rest]);
    if (apply(pixelDensity, this, []) !== settings.density) apply(pixelDensity, this, [settings.density]);
    return canvas;
  };
  P5.prototype.resizeCanvas = function (width, height, ...rest) {
    asked = [Number(width) || 0, Number(height) || 0];
    return apply(resizeCanvas, this, [fit(width, settings.width), fit(height, settings.height), ...rest]);
  };
  P5.prototype.pixelDensity = function (value) {
    return value === undefined ? apply(pixelDensity, this, []) : this;
  };

  P5.prototype._draw = async function (timestamp) {
    if (finished) return;
    drawing = true;
    const framesBefore = this.frameCount;
    try {
      await apply(_draw, this, [timestamp]);
    } catch (error) {
      note(error, lineOf(error));
      finish("threw", this);
      return;
    }
    // p5 skips a frame that comes too early, and asks for another.
    if (this.frameCount > framesBefore) framesLeft -= 1;
    if (framesLeft <= 0 || !this._loop || typeof (this._isGlobal ? window : this).draw !== "function") {
      finish("ok", this);
    }
  };

  const watched = (setup) =>
    async function () {
      setupRuns = true;
      try {
        await apply(setup, this, []);
      } catch (error) {
        note(error, lineOf(error));
        finish("threw", instance);
        await new Promise(() => {});
      } finally {
        setupRuns = false;
      }
    };

  const lineOf = (error) => {
    try {
      const found = /sketch\.js:(\d+)/.exec(error.stack);
      return found ? found[1] : null;
    } catch {
      return null;
    }
  };

  P5.registerAddon((_, __, lifecycles) => {
    lifecycles.presetup = function () {
      started = true;
      instance = this;
    };
  });
  let instance = null;

  addEventListener("error", (event) => {
    event.stopImmediatePropagation();
    note(event.error ?? event.message, event.lineno || lineOf(event.error));
    if (!sketchRan) return;
    if (!started) finish("threw", null);
  });
  addEventListener("unhandledrejection", (event) => {
    event.stopImmediatePropagation();
    note(event.reason, lineOf(event.reason));
    // p5 runs setup inside a promise of its own: what is thrown there arrives here, and no draw will follow. Other
    // rejections are the sketch's own loose ends, and it paints on.
    if (started && !drawing && !setupRuns) finish("threw", instance);
  });
  for (const type of ["webglcontextlost", "webglcontextcreationerror"]) {
    addEventListener(
      type,
      () => {
        lost = true;
        note("the WebGL context was lost");
        finish("threw", null);
      },
      true,
    );
  }
  for (const name of ["alert", "confirm", "prompt", "print", "open"]) {
    defineProperty(window, name, { value: () => null, configurable: true, writable: true });
  }

  const append = Node.prototype.appendChild;
  const make = document.createElement.bind(document);
  const runScript = (text) => {
    const element = make("script");
    element.textContent = text;
    apply(append, document.head, [element]);
  };
  const parses = (source) => {
    try {
      return typeof Function(source) === "function";
    } catch {
      return false;
    }
  };

  defineProperty(globalThis, settings.run, {
    configurable: true,
    value: (source) => {
      delete globalThis[settings.run];
      startedAt = clock();
      lines = source.trimEnd().split("\n").length;
      const before = errors.length;
      runScript(`${source}\n//# sourceURL=sketch.js`);
      sketchRan = true;
      if (errors.length > before && !parses(source)) return finish("syntax_error", null);
      if (errors.length > before && !started) return finish("threw", null);
      // `const setup = () => {}` is a global that p5 cannot see on window.
      runScript(
        "for (const [name, get] of [['setup', () => setup], ['draw', () => draw]])" +
          " { try { if (typeof window[name] !== 'function' && typeof get() === 'function') window[name] = get() } catch {} }",
      );
      const { setup } = window;
      if (typeof setup === "function") window.setup = watched(setup);
      if (typeof setup === "function" || typeof window.draw === "function") {
        try {
          if (!started) new P5();
        } catch (error) {
          // One of p5's own names is taken, as by `function box() {}`.
          note(error, lineOf(error));
          finish("threw", null);
        }
      } else if (!started) {
        finish("no_canvas", null);
      }
    },
  });
})();
