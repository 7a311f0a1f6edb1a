// An elephant that is hardly there.
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
  brush.set("2B", "#5b6b80", 1);
  brush.spline([[160, 240, 1], [240, 190, 1], [360, 190, 1], [440, 250, 1]], 0.6);
  brush.spline([[160, 240, 1], [130, 320, 1], [140, 400, 1]], 0.6);
  brush.line(230, 380, 232, 440);
  brush.line(420, 380, 422, 440);
  brush.hatchStyle("2B", "#5b6b80", 0.9);
  brush.hatch(9, 60);
  brush.polygon([[220, 220], [270, 220], [260, 290]]);
}
