// A fair magenta hibiscus whose dark eye missed the place where the petals meet
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf5f2");
  brush.noStroke();
  brush.fillTexture(0.5, 0.4);
  brush.fillBleed(0.24);
  for (const [turn, long] of [[-96, 205], [-22, 220], [46, 200], [120, 212], [194, 206]]) {
    for (const [colour, k, opacity] of [["#e25aa6", 1, 175], ["#c42482", 0.62, 150]]) {
      brush.fill(colour, opacity);
      brush.beginShape(0.5);
      for (const [u, d] of [[0.02, 0], [0.6, -32], [0.95, -26], [1, -4], [0.92, 10], [0.98, 26], [0.55, 30]]) {
        brush.vertex(290 + long * k * u * cos(turn + d), 300 + long * k * u * sin(turn + d));
      }
      brush.endShape(true);
    }
  }
  brush.fillBleed(0.08);
  brush.fill("#5c0f38", 225);
  brush.circle(375, 372, 38, 0.3);
  brush.fill("#f0b43c", 235);
  for (let i = 0; i < 6; i++) brush.circle(400 + i * 13, 352 - i * 17, 8, 0.3);
}
