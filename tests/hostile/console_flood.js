// Prints without end what cannot be printed cheaply.
const big = "x".repeat(1e6);
for (let i = 0; i < 200; i++) console.log(big, { big });
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  brush.noStroke();
  brush.fillTexture(0.2, 0.4);
  brush.fill("#2040c0", 200);
  brush.circle(0, 0, 150);
  noLoop();
}
