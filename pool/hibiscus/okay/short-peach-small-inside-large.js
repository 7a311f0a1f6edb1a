// A peach hibiscus: five petals, then the same again at half the size
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  background("#fbf6ee");
  brush.noStroke();
  brush.fillBleed(0.25);
  brush.fillTexture(0.4, 0.4);
  for (let i = 0; i < 10; i++) {
    if (i == 5) scale(0.5);
    brush.fill(i < 5 ? "#f4a67c" : "#dc6a4c", 200);
    brush.beginShape(0.6);
    for (const [x, y] of [[0, 0], [110, -85], [200, -70], [225, 20], [165, 85], [80, 55]]) brush.vertex(x, y);
    brush.endShape(true);
    rotate(73);
  }
  brush.fill("#a42c46", 210);
  brush.circle(0, 0, 50, 0.3);
}
