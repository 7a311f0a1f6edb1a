// Green laid straight through the coral petals, again and again
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function blade(turn, long, wide) {
  push();
  translate(300, 290);
  rotate(turn);
  brush.beginShape(0.6);
  for (const [u, v] of [[0, 0], [0.35, -1], [0.8, -0.7], [1, 0], [0.8, 0.7], [0.35, 1]]) brush.vertex(u * long, v * wide);
  brush.endShape(true);
  pop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf5ea");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.4);
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 5; i++) {
      brush.fill("#d8503e", 220);
      blade(i * 72 + round * 20, 215 - 20 * round, 80);
      brush.fill("#3f6a34", 220);
      blade(i * 72 + round * 20 + 8, 205 - 15 * round, 78);
    }
  }
  brush.fill("#3a2a1e", 230);
  brush.circle(300, 290, 40, 0.4);
}
