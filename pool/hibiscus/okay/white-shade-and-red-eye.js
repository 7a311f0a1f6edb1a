// A white hibiscus told by its shadows: blue-grey along one side of each petal
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fdfaf2");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.5, 0.5);
  translate(300, 295);
  for (const turn of [-88, -18, 56, 122, 198]) {
    push();
    rotate(turn);
    brush.fill("#b8c2d4", 190);
    brush.beginShape(0.6);
    for (const [u, v] of [[10, 0], [95, -72], [180, -86], [215, -30], [206, 24], [170, 76], [80, 52]]) brush.vertex(u, v);
    brush.endShape(true);
    brush.fill("#98a4c0", 140);
    brush.beginShape(0.6);
    for (const [u, v] of [[20, 4], [110, 10], [190, 30], [165, 72], [80, 50]]) brush.vertex(u, v);
    brush.endShape(true);
    brush.fill("#d03850", 190);
    brush.beginShape(0.5);
    for (const [u, v] of [[0, -6], [50, -22], [92, 0], [50, 22], [0, 6]]) brush.vertex(u, v);
    brush.endShape(true);
    pop();
  }
  brush.fill("#8a1c38", 200);
  brush.circle(0, 0, 22, 0.3);
  brush.fillBleed(0.08);
  brush.fill("#f0b840", 235);
  for (let i = 0; i < 6; i++) brush.circle(10 + i * 10, -16 - i * 14, 9, 0.3);
}
