// A whole magenta hibiscus, so thin that it is a ghost on the paper
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function leafOf(x1, y1, x2, y2, fat) {
  const nx = (y2 - y1) * fat, ny = (x1 - x2) * fat;
  brush.beginShape(0.7);
  brush.vertex(x1, y1);
  brush.vertex((x1 + x2) / 2 + nx, (y1 + y2) / 2 + ny);
  brush.vertex(x2, y2);
  brush.vertex((x1 + x2) / 2 - nx, (y1 + y2) / 2 - ny);
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6f2");
  brush.noStroke();
  brush.fillBleed(0.3);
  brush.fillTexture(0.2, 0);
  for (const turn of [-90, -20, 50, 128, 200]) {
    brush.fill("#d83f93", 44);
    leafOf(300, 300, 300 + 210 * cos(turn), 300 + 210 * sin(turn), 0.35);
  }
  brush.fill("#8f1c50", 70);
  brush.circle(300, 300, 20, 0.2);
}
