// A coral hibiscus tilted away: the far petals short, the near ones long
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
const PETALS = [[-150, 190, 62], [-88, 130, 54], [-30, 185, 60], [35, 225, 74], [140, 220, 76]];
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf5ea");
  brush.noStroke();
  brush.fillTexture(0.5, 0.4);
  brush.fillBleed(0.1);
  brush.fill("#6f9456", 190);
  brush.beginShape(0.5);
  for (const [x, y] of [[290, 270], [306, 270], [312, 420], [344, 585], [326, 588], [296, 430]]) brush.vertex(x, y);
  brush.endShape(true);
  brush.fillBleed(0.24);
  for (const [share, colour, opacity] of [[1, "#f08a6e", 180], [0.6, "#dc5648", 150]]) {
    for (const [turn, long, wide] of PETALS) {
      push();
      translate(300, 260);
      rotate(turn);
      brush.fill(colour, opacity);
      brush.beginShape(0.6);
      for (const [u, v] of [[0, 0], [0.4, -0.9], [0.8, -1.05], [1, -0.3], [0.95, 0.4], [0.78, 1], [0.36, 0.8]]) {
        brush.vertex(u * long * share, v * wide * share);
      }
      brush.endShape(true);
      pop();
    }
  }
  brush.fill("#8e1f3c", 205);
  brush.circle(300, 258, 24, 0.3);
  brush.fillBleed(0.07);
  brush.fill("#f0b840", 235);
  for (let i = 0; i < 7; i++) brush.circle(306 + i * 8, 240 - i * 15, 8, 0.3);
}
