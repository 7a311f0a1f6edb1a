// A pinwheel of eight triangles, each the last one turned
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf5f5");
  brush.noStroke();
  brush.fillBleed(0.03);
  brush.fillTexture(0.1, 0.1);
  for (let a = 0; a < 360; a += 45) {
    brush.fill(a % 90 ? "#e868b0" : "#b01868", 230);
    brush.beginShape(0);
    brush.vertex(300, 300);
    brush.vertex(300 + 235 * cos(a), 300 + 235 * sin(a));
    brush.vertex(300 + 150 * cos(a + 45), 300 + 150 * sin(a + 45));
    brush.endShape(true);
  }
}
