// Asks for 64 pixels a unit, before and after its canvas.
function setup() {
  pixelDensity(64);
  createCanvas(600, 600, WEBGL);
  pixelDensity(64);
  background("#eee");
  brush.noStroke();
  brush.fillTexture(0.2, 0.4);
  brush.fill("#2040c0", 200);
  brush.circle(0, 0, 150);
  noLoop();
}
