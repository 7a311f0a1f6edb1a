// A deer as a diagram: boxes, circles and lines, no hatching at all.
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
  brush.set("rotring", "#7a4a22", 1.4);
  const frame = [[180, 270], [420, 270], [420, 380], [180, 380], [180, 270]];
  for (let i = 0; i < 4; i++) brush.line(...frame[i], ...frame[i + 1]);
  for (const x of [190, 230, 370, 410]) { brush.line(x, 380, x, 520); brush.line(x + 14, 380, x + 14, 520); brush.line(x, 520, x + 14, 520); }
  brush.line(180, 290, 130, 190);
  brush.line(220, 270, 160, 180);
  const head = Array.from({ length: 24 }, (_, i) => [135 + 34 * cos(i * 15), 175 + 24 * sin(i * 15)]);
  brush.polygon(head);
  for (const d of [0, 26]) { brush.line(136 + d, 152, 120 + d * 2, 80); brush.line(128 + d * 1.5, 116, 104 + d * 2, 100); }
  brush.line(420, 280, 450, 310);
  brush.line(124, 172, 128, 172);
}
