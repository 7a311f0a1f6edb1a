// A coral hibiscus in two glazes
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  brush.fillBleed(0.25);
  for (const [c, r, d] of [["#f58a74", 88, 122], ["#d8523f", 46, 70]]) {
    brush.fill(c, 170);
    for (let a = 18; a < 360; a += 72) {
      brush.circle(300 + d * cos(a), 290 + d * sin(a), r, 0.4);
    }
  }
  brush.fill("#8c1f3c", 220);
  brush.circle(300, 290, 26, 0.3);
}
