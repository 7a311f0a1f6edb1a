// A peach hibiscus crowded against the left edge, its petals cut, the rest of the sheet idle
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function fan(x, y, turn, r) {
  brush.beginShape(0.7);
  brush.vertex(x, y);
  for (const d of [-38, -16, 8, 34]) brush.vertex(x + r * cos(turn + d), y + r * sin(turn + d));
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  brush.fillBleed(0.25);
  brush.fillTexture(0.5, 0.3);
  for (const turn of [-100, -30, 42, 112, 185]) {
    brush.fill("#f4a57c", 185);
    fan(72, 190, turn, 150);
    brush.fill("#e2744e", 160);
    fan(72, 190, turn + 6, 90);
  }
  brush.fill("#a02c46", 210);
  brush.circle(72, 190, 20, 0.3);
}
