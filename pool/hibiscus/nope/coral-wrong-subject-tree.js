// A tree with a coral crown stands where a hibiscus was asked for
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf5ea");
  brush.noStroke();
  brush.fillBleed(0.2);
  brush.fillTexture(0.5, 0.4);
  brush.fill("#9ab878", 180);
  brush.beginShape(0.4);
  for (const [x, y] of [[40, 530], [300, 500], [560, 530], [540, 580], [60, 580]]) brush.vertex(x, y);
  brush.endShape(true);
  brush.fill("#7a5638", 220);
  brush.beginShape(0.3);
  for (const [x, y] of [[282, 530], [290, 320], [312, 320], [324, 530]]) brush.vertex(x, y);
  brush.endShape(true);
  for (const [x, y, r] of [[300, 150, 95], [215, 220, 85], [385, 220, 88], [260, 290, 70], [345, 295, 74]]) {
    brush.fill("#ee6f58", 180);
    brush.circle(x, y, r, 0.5);
  }
}
