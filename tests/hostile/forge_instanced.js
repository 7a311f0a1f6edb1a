// Draws by other calls than drawArrays(): an instanced one, and extensions' own.
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  brush.noStroke();
  brush.fillTexture(0.2, 0.4);
  brush.fill("#2040c0", 200);
  brush.circle(0, 0, 20);
  const gl = drawingContext;
  const program = gl.createProgram();
  for (const [type, text] of [
    [gl.VERTEX_SHADER, "#version 300 es\nvoid main() { gl_Position = vec4(4 * (gl_VertexID & 1) - 1, 2 * (gl_VertexID & 2) - 1, 0, 1); }"],
    [gl.FRAGMENT_SHADER, "#version 300 es\nprecision highp float; out vec4 colour; void main() { colour = vec4(fract(gl_FragCoord.xy / 90.0), 0.6, 1); }"],
  ]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindVertexArray(gl.createVertexArray());
  gl.getExtension("WEBGL_multi_draw")?.multiDrawArraysWEBGL(gl.TRIANGLES, [0], 0, [3], 0, 1);
  gl.drawArraysInstanced(gl.TRIANGLES, 0, 3, 1);
  noLoop();
}
