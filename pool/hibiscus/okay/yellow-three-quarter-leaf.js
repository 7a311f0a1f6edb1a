// A yellow hibiscus turned to the left, with one leaf
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function petal(x, y, tipX, tipY, fat, colour) {
  const dx = tipX - x, dy = tipY - y;
  brush.fill(colour, 180);
  brush.beginShape(0.6);
  for (const [u, v] of [[0, 0.02], [0.45, fat], [0.85, fat], [1, fat * 0.3], [0.96, -fat * 0.3], [0.8, -fat], [0.4, -fat * 0.9]]) {
    brush.vertex(x + dx * u - dy * v, y + dy * u + dx * v);
  }
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ea");
  brush.noStroke();
  brush.fillTexture(0.5, 0.4);
  brush.fillBleed(0.15);
  petal(340, 400, 500, 540, 0.28, "#7fa060");
  petal(350, 410, 460, 510, 0.16, "#557f4a");
  brush.fillBleed(0.24);
  const tips = [[340, 86, 0.42], [470, 200, 0.4], [430, 400, 0.4], [220, 470, 0.36], [96, 230, 0.42]];
  for (const [x, y, fat] of tips) petal(290, 280, x, y, fat, "#f2cc48");
  for (const [x, y, fat] of tips) petal(290, 280, 290 + (x - 290) * 0.6, 280 + (y - 280) * 0.6, fat * 0.8, "#e0a42c");
  for (const [x, y] of tips) petal(290, 280, 290 + (x - 290) * 0.3, 280 + (y - 280) * 0.3, 0.3, "#b02e3c");
  brush.fillBleed(0.07);
  brush.fill("#f6d890", 235);
  for (let i = 0; i < 7; i++) brush.circle(276 - i * 14, 270 - i * 7, 8, 0.3);
}
