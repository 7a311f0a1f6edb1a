// A yellow hibiscus the size of a stamp, pushed into the lower left corner
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
  brush.fillBleed(0.15);
  brush.fillTexture(0.3, 0.3);
  translate(64, 540);
  for (let i = 0; i < 5; i++) {
    brush.fill("#edbc2e", 190);
    brush.beginShape(0.6);
    brush.vertex(2, 0);
    brush.vertex(24, -20);
    brush.vertex(48, -10);
    brush.vertex(46, 12);
    brush.vertex(20, 18);
    brush.endShape(true);
    rotate(72);
  }
  brush.fill("#a52a3a", 210);
  brush.circle(0, 0, 8, 0.2);
}
