// A peach hibiscus that never gets further than five faint dabs
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
  brush.fillBleed(0.3);
  brush.fillTexture(0.5, 0.2);
  const dabs = [[300, 214, 26], [372, 280, 22], [350, 362, 24], [252, 366, 20], [226, 276, 25]];
  for (const [x, y, r] of dabs) {
    brush.fill("#ea8a5c", 150);
    brush.circle(x, y, r, 0.3);
  }
}
