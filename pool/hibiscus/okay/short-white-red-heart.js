// A white hibiscus with a red heart
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#b4c6b2");
  brush.noStroke();
  brush.fillTexture(0.2, 0.5);
  for (const [c, k] of [["#ffffff", 230], ["#ffffff", 180], ["#d03850", 85]]) {
    brush.fill(c, 250);
    brush.beginShape(0.6);
    for (let a = 0; a < 360; a += 12) {
      const r = k * (0.5 + 0.5 * sqrt(abs(sin(a * 2.5))));
      brush.vertex(300 + r * cos(a), 300 + r * sin(a));
    }
    brush.endShape(true);
  }
}
