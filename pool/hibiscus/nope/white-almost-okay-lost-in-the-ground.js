// A white hibiscus whose petals and ground are one grey: only the eye can be found
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#efe9dd");
  brush.noStroke();
  brush.fillBleed(0.3);
  brush.fillTexture(0.5, 0.3);
  brush.fill("#c2c6bc", 190);
  brush.circle(300, 300, 230, 0.5);
  for (const turn of [-90, -18, 54, 126, 198]) {
    push();
    translate(300, 300);
    rotate(turn);
    brush.fill("#d2d4cc", 160);
    brush.beginShape(0.6);
    for (const [u, v] of [[0, 0], [90, -70], [190, -60], [215, 10], [180, 72], [90, 60]]) brush.vertex(u, v);
    brush.endShape(true);
    pop();
  }
  brush.fill("#b8384a", 190);
  brush.circle(300, 300, 42, 0.4);
  brush.fill("#e8c060", 220);
  brush.circle(340, 262, 12, 0.3);
}
