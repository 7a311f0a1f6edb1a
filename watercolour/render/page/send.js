// Draws a picture onto a WebGL context's default framebuffer, and leaves the context's state as it was.

const SEND_VERTEX = `#version 300 es
void main() { gl_Position = vec4(4 * (gl_VertexID & 1) - 1, 2 * (gl_VertexID & 2) - 1, 0, 1); }`;
const SEND_FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D picture;
out vec4 colour;
void main() {
  ivec2 size = textureSize(picture, 0);
  colour = texelFetch(picture, ivec2(int(gl_FragCoord.x), size.y - 1 - int(gl_FragCoord.y)), 0);
}`;
const senders = new WeakMap();

function senderOf(gl) {
  let sender = mapGet(senders, gl);
  if (sender) return sender;
  const program = gpu.createProgram(gl);
  for (const [type, source] of [
    [GL.VERTEX_SHADER, SEND_VERTEX],
    [GL.FRAGMENT_SHADER, SEND_FRAGMENT],
  ]) {
    const shader = gpu.createShader(gl, type);
    gpu.shaderSource(gl, shader, source);
    gpu.compileShader(gl, shader);
    gpu.attachShader(gl, program, shader);
  }
  gpu.linkProgram(gl, program);
  sender = { program, texture: gpu.createTexture(gl), vertices: gpu.createVertexArray(gl), width: 0, height: 0 };
  mapSet(senders, gl, sender);
  return sender;
}

// `box` is [left, top, right, bottom] of what is new in `pixels`, RGBA with the top row first.
function sendPicture(gl, pixels, width, height, box) {
  const get = (name) => gpu.getParameter(gl, name);
  const sender = senderOf(gl);
  const flags = [GL.BLEND, GL.DEPTH_TEST, GL.CULL_FACE, GL.STENCIL_TEST, GL.SCISSOR_TEST, GL.RASTERIZER_DISCARD];
  const wasOn = flags.map((flag) => gpu.isEnabled(gl, flag));
  const stores = [
    GL.UNPACK_FLIP_Y_WEBGL,
    GL.UNPACK_PREMULTIPLY_ALPHA_WEBGL,
    GL.UNPACK_ALIGNMENT,
    GL.UNPACK_ROW_LENGTH,
    GL.UNPACK_SKIP_PIXELS,
    GL.UNPACK_SKIP_ROWS,
  ];
  const stored = stores.map(get);
  const program = get(GL.CURRENT_PROGRAM);
  const vertices = get(GL.VERTEX_ARRAY_BINDING);
  const unit = get(GL.ACTIVE_TEXTURE);
  const viewport = get(GL.VIEWPORT);
  const scissor = get(GL.SCISSOR_BOX);
  const channels = get(GL.COLOR_WRITEMASK);
  const target = get(GL.DRAW_FRAMEBUFFER_BINDING);
  const unpackBuffer = get(GL.PIXEL_UNPACK_BUFFER_BINDING);
  gpu.activeTexture(gl, GL.TEXTURE0);
  const texture = get(GL.TEXTURE_BINDING_2D);
  const sampler = get(GL.SAMPLER_BINDING);

  gpu.bindBuffer(gl, GL.PIXEL_UNPACK_BUFFER, null);
  stores.forEach((name, i) => gpu.pixelStorei(gl, name, i === 2 ? 4 : 0));
  gpu.bindTexture(gl, GL.TEXTURE_2D, sender.texture);
  gpu.bindSampler(gl, 0, null);
  if (sender.width !== width || sender.height !== height) {
    gpu.texImage2D(gl, GL.TEXTURE_2D, 0, GL.RGBA8, width, height, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
    gpu.texParameteri(gl, GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.NEAREST);
    gpu.texParameteri(gl, GL.TEXTURE_2D, GL.TEXTURE_MAG_FILTER, GL.NEAREST);
    sender.width = width;
    sender.height = height;
  }
  const [left, top, right, bottom] = box;
  gpu.pixelStorei(gl, GL.UNPACK_ROW_LENGTH, width);
  gpu.pixelStorei(gl, GL.UNPACK_SKIP_PIXELS, left);
  gpu.pixelStorei(gl, GL.UNPACK_SKIP_ROWS, top);
  gpu.texSubImage2D(gl, GL.TEXTURE_2D, 0, left, top, right - left, bottom - top, GL.RGBA, GL.UNSIGNED_BYTE, pixels);
  flags.forEach((flag) => gpu.disable(gl, flag));
  gpu.enable(gl, GL.SCISSOR_TEST);
  gpu.scissor(gl, left, height - bottom, right - left, bottom - top);
  gpu.viewport(gl, 0, 0, width, height);
  gpu.colorMask(gl, true, true, true, true);
  gpu.bindFramebuffer(gl, GL.DRAW_FRAMEBUFFER, null);
  gpu.useProgram(gl, sender.program);
  gpu.bindVertexArray(gl, sender.vertices);
  gpu.drawArrays(gl, GL.TRIANGLES, 0, 3);

  gpu.bindVertexArray(gl, vertices);
  gpu.useProgram(gl, program);
  gpu.bindFramebuffer(gl, GL.DRAW_FRAMEBUFFER, target);
  gpu.colorMask(gl, ...channels);
  gpu.viewport(gl, ...viewport);
  gpu.scissor(gl, ...scissor);
  flags.forEach((flag, i) => (wasOn[i] ? gpu.enable : gpu.disable)(gl, flag));
  gpu.bindTexture(gl, GL.TEXTURE_2D, texture);
  gpu.bindSampler(gl, 0, sampler);
  gpu.activeTexture(gl, unit);
  stores.forEach((name, i) => gpu.pixelStorei(gl, name, stored[i]));
  gpu.bindBuffer(gl, GL.PIXEL_UNPACK_BUFFER, unpackBuffer);
}
