// A magenta hibiscus whose centre lies on the right edge: half of it is off the paper
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function petal(turn, colour, long, wide) {
  push();
  translate(590, 320);
  rotate(turn);
  brush.fill(colour, 180);
  brush.beginShape(0.5);
  for (const [u, v] of [[0, 0], [0.3, -0.6], [0.75, -1], [1, -0.5], [0.94, 0], [1, 0.5], [0.7, 0.95], [0.3, 0.5]]) brush.vertex(u * long, v * wide);
  brush.endShape(true);
  pop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6f4");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.5, 0.4);
  for (const turn of [-95, -28, 48, 118, 190]) {
    petal(turn, "#e0559f", 220, 95);
    petal(turn + 4, "#b8186c", 140, 50);
  }
  brush.fill("#6e1240", 210);
  brush.circle(590, 320, 30, 0.3);
}
