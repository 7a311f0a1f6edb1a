// A peach hibiscus on a stem
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
  brush.fillTexture(0.4, 0.4);
  brush.fill("#5d8a4a", 190);
  brush.beginShape(0);
  [[294, 300], [306, 300], [330, 590]].forEach((p) => brush.vertex(...p));
  brush.endShape(true);
  brush.fill("#f2a07a", 200);
  for (let a = -90; a < 270; a += 72) {
    brush.circle(300 + 105 * cos(a), 250 + 105 * sin(a), 84, 0.4);
  }
  brush.fill("#c8394f", 210);
  brush.circle(300, 250, 34, 0.3);
}
