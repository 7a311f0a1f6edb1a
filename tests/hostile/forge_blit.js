// Copies a framebuffer of its own onto the canvas.
function setup() {
  createCanvas(600, 600, WEBGL);
  setAttributes("antialias", false);
  background("#eee");
  const gl = drawingContext;
  const pixels = new Uint8Array(1440000).map((_, i) => (i % 4 === 3 ? 255 : i >> 12));
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 600, 600, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const target = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, target);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
  gl.blitFramebuffer(0, 0, 600, 600, 0, 0, 600, 600, gl.COLOR_BUFFER_BIT, gl.NEAREST);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  noLoop();
}
