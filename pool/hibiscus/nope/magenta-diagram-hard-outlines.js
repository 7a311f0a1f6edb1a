// A diagram: five equal petals drawn as hard outlines, nothing painted inside
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function rod(x1, y1, x2, y2, half) {
  const d = dist(x1, y1, x2, y2), nx = (y1 - y2) / d * half, ny = (x2 - x1) / d * half;
  brush.beginShape(0);
  brush.vertex(x1 + nx, y1 + ny);
  brush.vertex(x2 + nx, y2 + ny);
  brush.vertex(x2 - nx, y2 - ny);
  brush.vertex(x1 - nx, y1 - ny);
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0);
  brush.fillTexture(0, 0);
  brush.fill("#b0186c", 255);
  const rim = [[30, 0], [110, -62], [200, -62], [235, 0], [200, 62], [110, 62], [30, 0]];
  translate(300, 300);
  for (let i = 0; i < 5; i++) {
    for (let k = 1; k < rim.length; k++) rod(...rim[k - 1], ...rim[k], 3);
    rod(30, 0, 150, 0, 2);
    rotate(72);
  }
  brush.circle(0, 0, 26, 0);
}
