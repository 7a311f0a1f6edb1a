// Makes time stand still and randomness constant.
Date.now = () => 0;
performance.now = () => 0;
Math.random = () => 0.5;
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  brush.noStroke();
  brush.fillTexture(0.2, 0.4);
  brush.fill("#2040c0", 200);
  brush.circle(0, 0, 150);
  noLoop();
}
