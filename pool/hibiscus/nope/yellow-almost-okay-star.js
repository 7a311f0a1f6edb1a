// A yellow hibiscus as one soft star, with a red throat
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#faf6f0");
  brush.noStroke();
  brush.fillTexture(0.4, 0.4);
  for (const [c, k] of [["#f2d060", 1], ["#dca428", 0.6], ["#a02840", 0.2]]) {
    brush.fill(c, 180);
    brush.beginShape(0.6);
    for (let a = 0; a < 360; a += 36) {
      const r = k * (a % 72 ? 110 : 215);
      brush.vertex(300 + r * cos(a), 300 + r * sin(a));
    }
    brush.endShape(true);
  }
}
