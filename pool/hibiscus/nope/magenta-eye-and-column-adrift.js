// The eye and the column have drifted away from the magenta petals they belong to
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6f2");
  brush.noStroke();
  brush.fillBleed(0.2);
  brush.fillTexture(0.5, 0.4);
  for (const [x, y, r] of [[200, 330, 84], [262, 428, 80], [168, 460, 86], [86, 408, 78], [104, 318, 76]]) {
    brush.fill("#dc4f9c", 190);
    brush.circle(x, y, r, 0.5);
  }
  brush.fill("#7a1446", 220);
  brush.circle(442, 176, 46, 0.3);
  brush.fill("#f0b83a", 230);
  brush.beginShape(0.3);
  brush.vertex(470, 300);
  brush.vertex(556, 268);
  brush.vertex(560, 282);
  brush.vertex(474, 314);
  brush.endShape(true);
}
