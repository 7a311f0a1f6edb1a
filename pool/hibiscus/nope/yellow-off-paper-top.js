// A yellow hibiscus that hangs off the top edge: two petal ends and a stem are all there is
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function tongue(x1, y1, x2, y2, wide) {
  const nx = (y2 - y1) / 200 * wide, ny = (x1 - x2) / 200 * wide;
  brush.beginShape(0.6);
  brush.vertex(x1, y1);
  brush.vertex(x1 * 0.4 + x2 * 0.6 + nx, y1 * 0.4 + y2 * 0.6 + ny);
  brush.vertex(x2 + nx * 0.4, y2 + ny * 0.4);
  brush.vertex(x2 - nx * 0.4, y2 - ny * 0.4);
  brush.vertex(x1 * 0.4 + x2 * 0.6 - nx, y1 * 0.4 + y2 * 0.6 - ny);
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  brush.fillBleed(0.2);
  brush.fillTexture(0.5, 0.4);
  brush.fill("#6f9456", 190);
  tongue(330, 10, 360, 420, 12);
  for (const [x, y] of [[130, 20], [210, 160], [420, 150], [510, 20], [310, -220]]) {
    brush.fill("#f2c63a", 185);
    tongue(320, -40, x, y, 85);
    brush.fill("#dc9a24", 150);
    tongue(320, -40, x * 0.6 + 128, y * 0.6 - 16, 60);
  }
  brush.fill("#a02a38", 210);
  brush.circle(320, -40, 40, 0.3);
}
