// Two eyes and a smile on a peach disc
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
  brush.fillBleed(0.15);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#f2a57c", 210);
  brush.circle(300, 300, 210, 0.2);
  brush.fill("#a03048", 225);
  brush.circle(225, 240, 28, 0.2);
  brush.circle(375, 240, 28, 0.2);
  brush.beginShape(0.6);
  for (let a = 20; a <= 160; a += 20) brush.vertex(300 + 130 * cos(a), 300 + 130 * sin(a));
  for (let a = 160; a >= 20; a -= 20) brush.vertex(300 + 112 * cos(a), 300 + 95 * sin(a));
  brush.endShape(true);
}
