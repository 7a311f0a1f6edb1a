// A plain peach hibiscus, seen from the front
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function petal(l, w) {
  brush.beginShape(0.6);
  for (const [u, v] of [[0, 0], [0.4, -0.7], [0.8, -1], [1, -0.4], [0.95, 0.1], [1, 0.5], [0.7, 1], [0.3, 0.6]]) brush.vertex(u * l, v * w);
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  translate(300, 290);
  brush.fillBleed(0.22); brush.fillTexture(0.5, 0.4);
  for (let i = 0; i < 5; i++) {
    brush.fill("#f0935f", 165); petal(210 + 10 * (i % 3), 88);
    brush.fill("#e06a50", 130); petal(130, 40);
    rotate(72);
  }
  brush.fill("#a82c46", 200); brush.circle(0, 0, 26, 0.3);
  rotate(-60); brush.fillBleed(0.06); brush.fill("#efb23c", 235); petal(100, 6);
}
