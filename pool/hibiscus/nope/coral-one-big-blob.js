// One coral blob: no petal, no eye, nothing to hold on to
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
  brush.fillBleed(0.3);
  brush.fillTexture(0.5, 0.3);
  for (const opacity of [200, 170, 140]) {
    brush.fill("#ea6a54", opacity);
    brush.beginShape(0.9);
    for (const [x, y] of [[120, 200], [300, 110], [480, 180], [510, 360], [380, 500], [180, 470], [90, 340]]) brush.vertex(x, y);
    brush.endShape(true);
  }
}
