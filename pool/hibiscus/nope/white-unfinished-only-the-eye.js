// The ground and the red eye are there; the white petals were never painted
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#f5efe2");
  brush.noStroke();
  brush.fillBleed(0.3);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#a9bfae", 150);
  brush.circle(300, 300, 120, 0.6);
  brush.fillBleed(0.1);
  for (let i = 0; i < 5; i++) {
    const a = i * 72 - 90;
    brush.fill("#c42840", 210);
    brush.beginShape(0.5);
    brush.vertex(300, 300);
    brush.vertex(300 + 40 * cos(a - 24), 300 + 40 * sin(a - 24));
    brush.vertex(300 + 72 * cos(a), 300 + 72 * sin(a));
    brush.vertex(300 + 40 * cos(a + 24), 300 + 40 * sin(a + 24));
    brush.endShape(true);
  }
}
