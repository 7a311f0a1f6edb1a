// A bee too small to look at, in a corner.
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
  brush.hatchStyle("pen", "#6b4510", 1);
  brush.hatch(2.4, 80, { rand: 0.2 });
  for (const [x, y, a, b] of [[520, 540, 34, 20], [476, 532, 16, 16], [456, 534, 9, 9]]) {
    brush.polygon(Array.from({ length: 16 }, (_, i) => [x + a * cos(i * 22.5), y + b * sin(i * 22.5)]));
  }
  brush.hatch(4, 60);
  brush.polygon([[478, 518], [490, 488], [510, 486], [506, 506]]);
}
