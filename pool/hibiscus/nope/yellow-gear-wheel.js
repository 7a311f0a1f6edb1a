// A yellow gear wheel with a red hub
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fdf8ee");
  brush.noStroke();
  brush.fillBleed(0);
  brush.fillTexture(0.1, 0.1);
  brush.fill("#e8b820", 240);
  brush.beginShape(0);
  for (let tooth = 0; tooth < 12; tooth++) {
    for (const [turn, r] of [[-10, 165], [-7, 215], [7, 215], [10, 165]]) {
      brush.vertex(300 + r * cos(tooth * 30 + turn), 300 + r * sin(tooth * 30 + turn));
    }
  }
  brush.endShape(true);
  brush.fill("#c03030", 240);
  brush.circle(300, 300, 70, 0);
  brush.fill("#fdf8ee", 255);
  brush.circle(300, 300, 28, 0);
}
