// A giraffe whose head and half its body lie off the paper.
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
  brush.hatchStyle("HB", "#9a6a28", 1);
  brush.hatch(4, 40, { rand: 0.2 });
  brush.polygon([[380, 320], [480, 270], [640, 250], [760, 260], [760, 420], [600, 440], [420, 420]]);
  brush.polygon([[640, 260], [720, 40], [760, -120], [800, -120], [780, 260]]);
  brush.hatch(3.4, 85, { rand: 0.2 });
  brush.polygon([[392, 400], [436, 410], [428, 640], [400, 640]]);
  brush.polygon([[560, 420], [604, 424], [592, 640], [566, 640]]);
}
