// A magenta hibiscus, front view, in a wash and a glaze
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function petals(size, colour, opacity) {
  for (let i = 0; i < 5; i++) {
    const turn = i * 72 - 70, r = size * (1 + 0.08 * sin(i * 150));
    brush.fill(colour, opacity);
    brush.beginShape(0.7);
    brush.vertex(300, 295);
    for (const d of [-36, -20, 0, 18, 34]) {
      const out = d % 20 ? 0.9 : 1;
      brush.vertex(300 + r * out * cos(turn + d), 295 + r * out * sin(turn + d));
    }
    brush.endShape(true);
  }
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6f2");
  brush.noStroke();
  brush.fillBleed(0.26);
  brush.fillTexture(0.5, 0.4);
  petals(210, "#e05aa0", 180);
  petals(120, "#b0206c", 160);
  brush.fill("#f0bc44", 235);
  for (let i = 0; i < 4; i++) brush.circle(308 + i * 11, 280 - i * 18, 11, 0.3);
}
