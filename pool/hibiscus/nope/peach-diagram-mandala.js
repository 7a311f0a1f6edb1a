// A mandala in peach: every mark repeated ten times with a ruler's care
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function kite(r1, r2, half, colour) {
  brush.fill(colour, 220);
  brush.beginShape(0);
  brush.vertex(r1, 0);
  brush.vertex((r1 + r2) / 2, -half);
  brush.vertex(r2, 0);
  brush.vertex((r1 + r2) / 2, half);
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fffaf2");
  brush.noStroke();
  brush.fillBleed(0);
  brush.fillTexture(0.1, 0.2);
  translate(300, 300);
  for (let i = 0; i < 10; i++) {
    kite(130, 250, 34, "#f0a078");
    kite(60, 150, 22, "#d86a4a");
    push();
    rotate(18);
    kite(110, 200, 20, "#e8c09a");
    brush.circle(232, 0, 12, 0);
    pop();
    rotate(36);
  }
  brush.fill("#902838", 230);
  brush.circle(0, 0, 48, 0);
}
