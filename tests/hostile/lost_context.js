// Loses its WebGL context after it has painted.
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  brush.noStroke();
  brush.fillTexture(0.2, 0.4);
  brush.fill("#2040c0", 200);
  brush.circle(0, 0, 150);
  drawingContext.getExtension("WEBGL_lose_context").loseContext();
  noLoop();
}
