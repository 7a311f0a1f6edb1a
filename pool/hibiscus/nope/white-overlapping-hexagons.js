// Seven hexagons for a white hibiscus, the middle one red
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function hexagon(x, y, r) {
  brush.beginShape(0);
  for (let k = 0; k < 6; k++) brush.vertex(x + r * cos(k * 60), y + r * sin(k * 60));
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#e9e2d4");
  brush.noStroke();
  brush.fillBleed(0.04);
  brush.fillTexture(0.2, 0.1);
  for (let k = 0; k < 6; k++) {
    brush.fill(k % 2 ? "#ffffff" : "#d5dbe2", 235);
    hexagon(300 + 120 * cos(k * 60 + 30), 300 + 120 * sin(k * 60 + 30), 95);
  }
  brush.fill("#c02838", 235);
  hexagon(300, 300, 60);
}
