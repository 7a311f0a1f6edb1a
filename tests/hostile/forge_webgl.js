// Clears a part of the canvas by WebGL.
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  const gl = drawingContext;
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(100, 100, 300, 300);
  gl.clearColor(0.1, 0.2, 0.7, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.disable(gl.SCISSOR_TEST);
  gl.clearColor(0.93, 0.93, 0.93, 1);
  noLoop();
}
