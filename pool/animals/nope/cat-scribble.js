// Scribble where a cat should be.
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  brush.noStroke();
  randomSeed(9);
  brush.set("charcoal", "#333a44", 0.7);
  for (let i = 0; i < 26; i++) {
    const points = [];
    for (let k = 0; k < 9; k++) points.push([300 + random(-1, 1) * random(220), 310 + random(-1, 1) * random(180), 1]);
    brush.spline(points, 0.7);
  }
}
