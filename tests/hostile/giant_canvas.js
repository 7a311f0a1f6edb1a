// Asks for a canvas of 20000 by 20000.
function setup() {
  createCanvas(20000, 20000, WEBGL);
  background("#eee");
  brush.noStroke();
  brush.fillTexture(0.2, 0.4);
  brush.fill("#2040c0", 200);
  brush.circle(0, 0, 150);
  noLoop();
}
