// Two magenta petals and a stem; the painter went home
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6f0");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.5, 0.4);
  brush.fill("#6f9456", 190);
  brush.beginShape(0.4);
  for (const [x, y] of [[294, 310], [306, 310], [322, 570], [308, 572]]) brush.vertex(x, y);
  brush.endShape(true);
  for (const [colour, k] of [["#e05aa2", 1], ["#bc1f74", 0.6]]) {
    brush.fill(colour, 180);
    for (const [tx, ty, sx, sy] of [[-30, -220, 90, -150], [200, -90, 180, 40]]) {
      brush.beginShape(0.6);
      brush.vertex(300, 300);
      brush.vertex(300 + (tx - 40) * k * 0.8, 300 + (ty + 30) * k * 0.8);
      brush.vertex(300 + tx * k, 300 + ty * k);
      brush.vertex(300 + sx * k, 300 + sy * k);
      brush.endShape(true);
    }
  }
}
