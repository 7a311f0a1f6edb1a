// A white hibiscus turned a little to the right, on a dusk blue sheet
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#a9bccb");
  brush.noStroke();
  brush.fillBleed(0.16);
  brush.fillTexture(0.3, 0.4);
  brush.fill("#5f8a6a", 200);
  brush.beginShape(0.5);
  for (const [x, y] of [[286, 330], [300, 330], [276, 460], [270, 585], [254, 585], [262, 450]]) brush.vertex(x, y);
  brush.endShape(true);
  const petals = [[250, 90, 70], [420, 150, 62], [440, 330, 58], [290, 440, 66], [120, 270, 74]];
  for (const pass of [["#ffffff", 235, 1], ["#ffffff", 190, 0.75]]) {
    brush.fill(pass[0], pass[1]);
    for (const [x, y, fat] of petals) {
      const dx = (x - 310) * pass[2], dy = (y - 280) * pass[2], k = fat / 130;
      brush.beginShape(0.6);
      brush.vertex(310, 280);
      brush.vertex(310 + dx * 0.6 - dy * k, 280 + dy * 0.6 + dx * k);
      brush.vertex(310 + dx - dy * k * 0.5, 280 + dy + dx * k * 0.5);
      brush.vertex(310 + dx * 1.03, 280 + dy * 1.03);
      brush.vertex(310 + dx * 0.6 + dy * k, 280 + dy * 0.6 - dx * k);
      brush.endShape(true);
    }
  }
  brush.fill("#c82c48", 215);
  for (const [x, y] of petals) brush.circle(310 + (x - 310) * 0.16, 280 + (y - 280) * 0.16, 24, 0.4);
  brush.fillBleed(0.06);
  brush.fill("#f4cc60", 240);
  brush.beginShape(0.4);
  for (const [x, y] of [[306, 276], [314, 284], [420, 236], [414, 226]]) brush.vertex(x, y);
  brush.endShape(true);
}
