// The sun of a child's drawing: a disc with rays
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  brush.fillBleed(0.12);
  brush.fillTexture(0.4, 0.3);
  for (let a = 0; a < 360; a += 20) {
    brush.fill("#f0b428", 220);
    brush.beginShape(0);
    brush.vertex(300 + 145 * cos(a - 4), 300 + 145 * sin(a - 4));
    brush.vertex(300 + (a % 40 ? 205 : 250) * cos(a), 300 + (a % 40 ? 205 : 250) * sin(a));
    brush.vertex(300 + 145 * cos(a + 4), 300 + 145 * sin(a + 4));
    brush.endShape(true);
  }
  for (const r of [125, 100]) {
    brush.fill("#f2c232", 200);
    brush.circle(300, 300, r, 0.2);
  }
}
