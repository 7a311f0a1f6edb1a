// A magenta hibiscus of six wide overlapping washes
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fdfaf4");
  brush.noStroke();
  brush.fillBleed(0.3);
  brush.fillTexture(0.5, 0.3);
  brush.fill("#d0458f", 150);
  for (let a = 10; a < 360; a += 60) {
    brush.circle(300 + 92 * cos(a), 300 + 92 * sin(a), 105, 0.5);
  }
  brush.fill("#6e1a34", 200);
  brush.circle(300, 300, 44, 0.4);
  brush.fill("#f2c230", 230);
  brush.circle(330, 262, 14, 0.3);
}
