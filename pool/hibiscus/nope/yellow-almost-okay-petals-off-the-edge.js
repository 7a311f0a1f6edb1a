// A fair yellow hibiscus set so far left that two petals run off the sheet
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function ruffle(turn, long, colour, opacity) {
  brush.fill(colour, opacity);
  brush.beginShape(0.6);
  brush.vertex(135, 310);
  for (let d = -36; d <= 36; d += 9) {
    const r = long * (0.9 + 0.1 * cos(d * 10));
    brush.vertex(135 + r * cos(turn + d), 310 + r * sin(turn + d));
  }
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ea");
  brush.noStroke();
  brush.fillBleed(0.2);
  brush.fillTexture(0.5, 0.4);
  for (const turn of [-80, -6, 66, 140, 212]) {
    ruffle(turn, 230, "#f2cb45", 180);
    ruffle(turn + 4, 140, "#e2a028", 150);
  }
  brush.fill("#a8283a", 210);
  brush.circle(135, 310, 32, 0.3);
  brush.fillBleed(0.08);
  brush.fill("#f6d880", 235);
  for (let i = 0; i < 7; i++) brush.circle(160 + i * 12, 290 - i * 9, 8, 0.3);
}
