// A yellow wash from edge to edge, and nothing in it
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fdf8ea");
  brush.noStroke();
  brush.fillBleed(0.3);
  brush.fillTexture(0.6, 0.3);
  for (const [colour, drop] of [["#f2cc4a", 0], ["#f0b840", 120], ["#eea04a", 300]]) {
    brush.fill(colour, 190);
    brush.beginShape(0.2);
    brush.vertex(-60, -60 + drop);
    brush.vertex(660, -40 + drop);
    brush.vertex(660, 660);
    brush.vertex(-60, 660);
    brush.endShape(true);
  }
}
