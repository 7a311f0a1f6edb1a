// Five coral petals that keep well away from the eye and from each other
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
  brush.fillBleed(0.2);
  brush.fillTexture(0.4, 0.4);
  translate(300, 300);
  for (const turn of [-90, -16, 58, 124, 196]) {
    push();
    rotate(turn);
    brush.fill("#ee7862", 190);
    brush.beginShape(0.7);
    for (const [u, v] of [[150, 0], [185, -48], [240, -40], [252, 10], [220, 50], [175, 36]]) brush.vertex(u, v);
    brush.endShape(true);
    pop();
  }
  brush.fill("#9a2440", 220);
  brush.circle(0, 0, 34, 0.3);
}
