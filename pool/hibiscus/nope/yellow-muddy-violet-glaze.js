// A yellow hibiscus with violet glazed over all of it: it dies to khaki
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#f8f4ea");
  brush.noStroke();
  brush.fillBleed(0.12);
  brush.fillTexture(0.3, 0.3);
  const spots = [[300, 180], [415, 262], [372, 398], [230, 400], [184, 264]];
  for (const [colour, pull, size] of [["#f0c030", 0, 105], ["#6a4a9c", 0.06, 100], ["#8a7a2a", 0.12, 96], ["#5a4a80", 0.2, 84], ["#6a5a2a", 0.3, 70]]) {
    brush.fill(colour, 230);
    for (const [x, y] of spots) brush.circle(x + (300 - x) * pull, y + (300 - y) * pull, size, 0.5);
  }
  brush.fill("#40304a", 230);
  brush.circle(300, 300, 46, 0.4);
}
