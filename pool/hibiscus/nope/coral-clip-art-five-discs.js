// Clip art: five identical coral discs round a yellow disc
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0);
  brush.fillTexture(0, 0);
  brush.fill("#f2705c", 255);
  for (let i = 0; i < 5; i++) {
    brush.circle(300 + 120 * cos(i * 72 - 90), 300 + 120 * sin(i * 72 - 90), 80, 0);
  }
  brush.fill("#f5c518", 255);
  brush.circle(300, 300, 60, 0);
}
