// White and grey washes pile up into fog; the flower has drowned in it
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#f2efe8");
  brush.noStroke();
  brush.fillBleed(0.25);
  brush.fillTexture(0.6, 0.5);
  for (let i = 0; i < 16; i++) {
    brush.fill(["#7f8a90", "#ffffff", "#9a9488", "#6f7a78"][i % 4], 200);
    brush.circle(300 + 200 * cos(i * 137), 300 + 200 * sin(i * 101), 190, 0.7);
  }
  brush.fill("#b06a70", 150);
  brush.circle(300, 300, 40, 0.6);
}
