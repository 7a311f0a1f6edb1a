// White petals shaded with black and brown: a dirty cloth
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#f4efe4");
  brush.noStroke();
  brush.fillBleed(0.15);
  brush.fillTexture(0.5, 0.4);
  for (let i = 0; i < 5; i++) {
    const a = i * 72 - 60, x = 300 + 115 * cos(a), y = 300 + 115 * sin(a);
    brush.fill("#8a8078", 200);
    brush.circle(x, y, 105, 0.4);
    brush.fill("#6a5a4a", 190);
    brush.circle(x + 20, y + 26, 84, 0.6);
    brush.fill("#5a5a4a", 180);
    brush.circle(x - 18, y + 8, 64, 0.6);
    brush.fill("#ffffff", 200);
    brush.circle(x, y - 10, 40, 0.6);
  }
  brush.fill("#6c2a2a", 230);
  brush.circle(300, 300, 60, 0.5);
}
