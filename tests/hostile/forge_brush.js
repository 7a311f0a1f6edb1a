// Replaces the brush with p5's own circle.
brush = new Proxy({}, { get: () => () => {} });
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  fill(32, 64, 192);
  circle(0, 0, 300);
  brush.circle(0, 0, 150);
  noLoop();
}
