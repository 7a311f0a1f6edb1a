// Fair coral petals with a heart of green, violet and brown stirred together
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf5ea");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.5, 0.4);
  for (const [x, y, fat] of [[290, 82, 60], [508, 236, 66], [430, 478, 58], [176, 486, 64], [92, 232, 62]]) {
    const dx = x - 300, dy = y - 300;
    brush.fill("#f08068", 180);
    brush.beginShape(0.7);
    brush.vertex(300, 300);
    brush.vertex(300 + dx * 0.6 - dy * fat / 150, 300 + dy * 0.6 + dx * fat / 150);
    brush.vertex(x, y);
    brush.vertex(300 + dx * 0.6 + dy * fat / 150, 300 + dy * 0.6 - dx * fat / 150);
    brush.endShape(true);
  }
  brush.fillBleed(0.15);
  brush.fillTexture(0.3, 0.3);
  ["#4f7a4a", "#6a4a86", "#7a5a2a", "#3f6a4a", "#5a3a3a"].forEach((colour, i) => {
    brush.fill(colour, 225);
    brush.circle(300 + 16 * cos(i * 100), 300 + 16 * sin(i * 100), 125 - 15 * i, 0.6);
  });
}
