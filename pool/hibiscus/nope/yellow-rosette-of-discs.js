// A rosette: two rings of discs turned about one point
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
  brush.fillBleed(0.1);
  brush.fillTexture(0.3, 0.2);
  translate(300, 300);
  for (let i = 0; i < 12; i++) {
    brush.fill("#f0c840", 200);
    brush.circle(170, 0, 48, 0);
    rotate(30);
  }
  for (let i = 0; i < 8; i++) {
    brush.fill("#e09a28", 200);
    brush.circle(88, 0, 38, 0);
    rotate(45);
  }
  brush.fill("#a02a3a", 220);
  brush.circle(0, 0, 40, 0);
}
