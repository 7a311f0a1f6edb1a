// So close that a white hibiscus is only edges: no petal is whole and the eye is cut
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#d9d3c4");
  brush.noStroke();
  brush.fillBleed(0.2);
  brush.fillTexture(0.4, 0.4);
  for (let i = 0; i < 5; i++) {
    push();
    translate(40, 640);
    rotate(i * 72 - 62);
    brush.fill("#ffffff", 220);
    brush.beginShape(0.6);
    brush.vertex(0, 0);
    brush.vertex(300, -260);
    brush.vertex(640, -200);
    brush.vertex(700, 60);
    brush.vertex(360, 240);
    brush.endShape(true);
    brush.fill("#8fa0b8", 140);
    brush.beginShape(0.6);
    brush.vertex(60, 0);
    brush.vertex(320, -60);
    brush.vertex(560, 20);
    brush.vertex(300, 90);
    brush.endShape(true);
    pop();
  }
  brush.fill("#c02a40", 220);
  brush.circle(40, 640, 130, 0.3);
}
