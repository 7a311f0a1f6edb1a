// A white hibiscus on sage paper, each petal with a lilac fold
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function petal(turn, k, narrow) {
  brush.beginShape(0.5);
  for (const [u, d] of [[0.05, 0], [0.5, -30], [0.88, -34], [1, -14], [0.93, 2], [1, 18], [0.84, 34], [0.45, 28]]) {
    brush.vertex(300 + 205 * k * u * cos(turn + d * narrow), 300 + 205 * k * u * sin(turn + d * narrow));
  }
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#93b09a");
  brush.noStroke();
  for (const turn of [-92, -20, 50, 124, 196]) {
    brush.fillBleed(0.14);
    brush.fillTexture(0.1, 0.6);
    brush.fill("#ffffff", 255);
    petal(turn, 1, 1);
    petal(turn + 2, 0.85, 1);
    brush.fillTexture(0.4, 0.3);
    brush.fill("#8a84b4", 120);
    petal(turn + 12, 0.8, 0.3);
  }
  brush.fill("#c8203c", 220);
  for (const turn of [-92, -20, 50, 124, 196]) petal(turn, 0.32, 1);
  brush.fillBleed(0.06);
  brush.fill("#f4c848", 240);
  for (let i = 0; i < 6; i++) brush.circle(308 + i * 11, 286 - i * 13, 9, 0.3);
}
