// Two coral hibiscus on one stem, the second a little smaller
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function flower(x, y, size, turn) {
  push();
  translate(x, y);
  rotate(turn);
  brush.fillBleed(0.24);
  for (let i = 0; i < 5; i++) {
    const r = size * (1 + 0.1 * sin(i * 130));
    for (const [colour, opacity, k] of [["#f29078", 175, 1], ["#e0604e", 140, 0.6]]) {
      brush.fill(colour, opacity);
      brush.beginShape(0.6);
      for (const [u, v] of [[0, 0], [0.45, -0.38], [0.9, -0.36], [1, 0.05], [0.86, 0.4], [0.4, 0.32]]) brush.vertex(u * r * k, v * r * k);
      brush.endShape(true);
    }
    rotate(72);
  }
  brush.fill("#98223e", 205);
  brush.circle(0, 0, size * 0.13, 0.3);
  brush.fillBleed(0.07);
  brush.fill("#f0b840", 235);
  for (let i = 0; i < 4; i++) brush.circle(size * (0.12 + 0.1 * i), -size * (0.1 + 0.09 * i), 8, 0.3);
  pop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf5ec");
  brush.noStroke();
  brush.fillTexture(0.5, 0.4);
  brush.fillBleed(0.1);
  brush.fill("#6f9456", 185);
  for (const stem of [[[218, 240], [230, 240], [318, 590], [300, 590]], [[420, 390], [430, 398], [318, 540], [306, 530]]]) {
    brush.beginShape(0.4);
    for (const [x, y] of stem) brush.vertex(x, y);
    brush.endShape(true);
  }
  flower(215, 215, 165, 10);
  flower(430, 370, 130, 40);
}
