// A coral hibiscus no wider than a coin in the middle of an empty sheet
const TIPS = [[300, 258], [340, 292], [324, 338], [276, 338], [260, 292]];
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#faf5ec");
  brush.noStroke();
  brush.fillBleed(0.2);
  brush.fillTexture(0.4, 0.3);
  for (const [x, y] of TIPS) {
    brush.fill("#ee7a64", 170);
    brush.circle((x + 300) / 2, (y + 300) / 2, 21, 0.3);
  }
  brush.fill("#9c2340", 200);
  brush.circle(300, 300, 7, 0.2);
}
