// White petals on white paper: nothing is left to see but a faint eye
const PAPER = "#fdfcf8";
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function petal(turn) {
  push();
  translate(300, 300);
  rotate(turn);
  brush.beginShape(0.5);
  brush.vertex(10, 0);
  brush.vertex(90, -70);
  brush.vertex(205, -50);
  brush.vertex(225, 20);
  brush.vertex(120, 80);
  brush.endShape(true);
  pop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background(PAPER);
  brush.noStroke();
  brush.fillBleed(0.2);
  brush.fillTexture(0.3, 0.2);
  brush.fill("#ffffff", 220);
  for (let i = 0; i < 5; i++) petal(i * 72 - 90);
  brush.fill("#dc7a80", 150);
  brush.circle(300, 300, 34, 0.2);
}
