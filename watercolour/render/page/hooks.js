// Watches the calls that p5.brush, p5 and the sketch make, and has painting.js and mask.js do their part before them.

// Replaces a WebGL method; `run` gets the painting, the arguments and the method.
function hook(name, run) {
  const original = gpu[name];
  defineProperty(GL.prototype, name, {
    value: {
      [name](...args) {
        return run(Painting.of(this), args, original);
      },
    }[name],
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

// `args` is read by index and passed on as it is where the record depends on it: a sketch may replace array iterators.
const note = (name, remember) => {
  const method = GL.prototype[name];
  hook(name, (painting, args) => {
    remember(painting, args);
    return apply(method, painting.gl, args);
  });
};

note("enable", (painting, [flag]) => {
  if (flag === GL.SCISSOR_TEST) painting.scissors = true;
});
note("disable", (painting, [flag]) => {
  if (flag === GL.SCISSOR_TEST) painting.scissors = false;
});
note("scissor", (painting, box) => (painting.scissorBox = box));
note("clearColor", (painting, colour) => (painting.clearColor = colour));
note("colorMask", (painting, channels) => (painting.allChannels = channels.every(Boolean)));
note("useProgram", (painting, args) => (painting.program = args[0]));
note("activeTexture", (painting, [unit]) => (painting.unit = unit - GL.TEXTURE0));
note("bindTexture", (painting, [kind, texture]) => {
  if (kind === GL.TEXTURE_2D) painting.textures[painting.unit] = texture;
});
note("bindFramebuffer", (painting, args) => {
  const kind = args[0];
  const target = args[1];
  if (kind !== GL.READ_FRAMEBUFFER) painting.drawTarget = target ?? null;
  if (kind !== GL.DRAW_FRAMEBUFFER) painting.readTarget = target ?? null;
});
note("framebufferTexture2D", (painting, [kind, attachment, , texture]) => {
  const target = kind === GL.READ_FRAMEBUFFER ? painting.readTarget : painting.drawTarget;
  painting.empty.delete(target);
  if (attachment !== GL.COLOR_ATTACHMENT0 || !texture) return;
  painting.targetOf.set(texture, target);
  painting.textureOf.set(target, texture);
});
note("deleteFramebuffer", (painting, [target]) => {
  painting.settle();
  painting.targetOf.delete(painting.textureOf.get(target));
  painting.textureOf.delete(target);
  painting.blendSources.delete(target);
  painting.empty.delete(target);
  if (painting.drawTarget === target) painting.drawTarget = null;
  if (painting.readTarget === target) painting.readTarget = null;
});
note("deleteTexture", (painting, [texture]) => {
  painting.settle();
  painting.textureOf.delete(painting.targetOf.get(texture));
  painting.targetOf.delete(texture);
  painting.textures.forEach((bound, unit) => {
    if (bound === texture) painting.textures[unit] = null;
  });
});

note("shaderSource", (_, args) => {
  const shader = args[0];
  const text = (args[1] = `${args[1]}`);
  if (text === BRUSH_SHADER) mapSet(brushShaders, shader, true);
  else mapDelete(brushShaders, shader);
  if (!text.includes("spectral_mix")) return;
  spectrum ??= spectrumOf(text);
  mapSet(blendShaders, shader, true);
});
note("attachShader", (_, args) => {
  const program = args[0];
  const shader = args[1];
  if (mapGet(brushShaders, shader)) mapSet(brushPrograms, program, true);
  if (mapGet(blendShaders, shader)) mapSet(blendPrograms, program, { __proto__: null });
});
hook("getUniformLocation", ({ gl }, [program, name], original) => {
  const location = original(gl, program, name);
  const uniforms = mapGet(blendPrograms, program);
  if (uniforms && location) mapSet(uniformNames, location, [uniforms, name]);
  return location;
});
function noteUniform(name, valueOf) {
  note(name, (_, [location, ...values]) => {
    const known = location && mapGet(uniformNames, location);
    if (known) known[0][known[1]] = valueOf(values);
  });
}
noteUniform("uniform1i", ([value]) => value);
noteUniform("uniform1f", ([value]) => value);
noteUniform("uniform3f", (values) => values);
noteUniform("uniform3fv", ([values]) => [...values]);

hook("clear", (painting, [bits], original) => {
  const { gl, drawTarget } = painting;
  const colour = bits & GL.COLOR_BUFFER_BIT;
  if (drawTarget === null) {
    if (colour) {
      painting.clear();
      return original(gl, bits);
    }
    return original(gl, bits);
  }
  if (!colour) return original(gl, bits);
  const { upload } = painting;
  const whole = !painting.scissors && painting.allChannels;
  if (upload && painting.targetOf.get(upload.texture) === drawTarget) {
    if (whole) painting.upload = null;
    else painting.settleUpload();
  }
  const zero = whole && painting.clearColor.every((value) => value === 0);
  if (zero && bits === (GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT) && painting.empty.has(drawTarget)) return;
  original(gl, bits);
  if (zero) painting.empty.add(drawTarget);
  else painting.empty.delete(drawTarget);
});

function draws(name, mayBlend) {
  hook(name, (painting, args, original) => {
    if (painting.drawTarget === null) {
      if (mayBlend && painting.blend()) return;
      painting.settle();
      painting.touched(mayBlend ? painting.user : OTHER);
    } else {
      painting.settle();
      painting.empty.delete(painting.drawTarget);
    }
    return original(painting.gl, ...args);
  });
}
draws("drawArrays", true);
draws("drawElements", true);
for (const name of ["drawRangeElements", "drawArraysInstanced", "drawElementsInstanced"]) draws(name, false);
for (const name of ["clearBufferfv", "clearBufferiv", "clearBufferuiv", "clearBufferfi"]) draws(name, false);

hook("blitFramebuffer", (painting, args, original) => {
  const { gl, readTarget, drawTarget } = painting;
  if (readTarget === null && painting.inMachine && painting.blendSources.has(drawTarget)) {
    painting.blit = { target: drawTarget, args };
    painting.empty.delete(drawTarget);
    return;
  }
  painting.settle();
  if (drawTarget === null) painting.touched(OTHER);
  else painting.empty.delete(drawTarget);
  if (readTarget === null) painting.send();
  return original(gl, ...args);
});

hook("texSubImage2D", (painting, args, original) => {
  const source = args.length === 7 ? args[6] : null;
  const coverage = source && mapGet(standIns, source)?.coverage;
  const [kind, level, x, y, format, type] = args;
  const texture = painting.textures[painting.unit];
  if (coverage && kind === GL.TEXTURE_2D && level === 0 && format === GL.RGBA && type === GL.UNSIGNED_BYTE && texture) {
    painting.settleUpload();
    painting.upload = { texture, coverage, x, y };
    return;
  }
  prepareSources(args);
  if (painting.upload?.texture === texture) painting.settleUpload();
  painting.empty.delete(painting.targetOf.get(texture));
  return original(painting.gl, ...args);
});

hook("readPixels", (painting, args, original) => {
  if (painting.readTarget === null && painting.readMachine(args)) return;
  painting.settle();
  if (painting.readTarget === null) painting.send();
  return original(painting.gl, ...args);
});
for (const name of ["copyTexImage2D", "copyTexSubImage2D", "copyTexSubImage3D"]) {
  note(name, (painting) => {
    painting.settle();
    if (painting.readTarget === null) painting.send();
    painting.empty.clear();
  });
}

// Whatever reads a canvas must find on it what belongs there.
function prepareSources(values) {
  for (const value of values) realCanvas(value);
  sendAll();
}
function sendAll() {
  setForEach(Painting.unsent, (painting) => painting.send());
}
for (const name of ["texImage2D", "texImage3D", "texSubImage3D"]) {
  note(name, (painting, args) => {
    prepareSources(args);
    const texture = painting.textures[painting.unit];
    if (painting.upload?.texture === texture) painting.settleUpload();
    painting.empty.delete(painting.targetOf.get(texture));
  });
}
for (const context of [CanvasRenderingContext2D, RealContext, globalThis.WebGLRenderingContext]) {
  for (const name of ["drawImage", "createPattern", "texImage2D", "texSubImage2D"]) {
    if (context?.prototype[name]) precede(context.prototype, name, (_, args) => prepareSources(args));
  }
}
for (const name of ["toDataURL", "toBlob", "captureStream", "transferControlToOffscreen"]) {
  precede(HTMLCanvasElement.prototype, name, sendAll);
}
for (const name of ["transferToImageBitmap", "convertToBlob"]) {
  precede(RealCanvas.prototype, name, (canvas) => prepareSources([canvas]));
}
precede(globalThis, "createImageBitmap", (_, args) => prepareSources(args));

// These draw as well, and p5 has no use for them.
hook("getExtension", ({ gl }, args, original) =>
  /multi_draw|base_vertex/i.test(`${args[0]}`) ? null : original(gl, args[0]),
);

// For the harness, which takes it away again.
defineProperty(globalThis, "readPainting", { value: (gl) => Painting.of(gl).read(), configurable: true });
