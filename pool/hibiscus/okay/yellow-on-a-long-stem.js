// A yellow hibiscus high on a long stem, two leaves below
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ea");
  brush.noStroke();
  brush.fillTexture(0.5, 0.4);
  brush.fillBleed(0.12);
  brush.fill("#6f9456", 190);
  brush.beginShape(0.5);
  for (const [x, y] of [[316, 300], [328, 300], [322, 440], [296, 590], [280, 588], [308, 440]]) brush.vertex(x, y);
  brush.endShape(true);
  for (const [side, y] of [[1, 450], [-1, 510]]) {
    for (const [k, colour] of [[1, "#86a86c"], [0.65, "#58824c"]]) {
      brush.fill(colour, 170);
      brush.beginShape(0.6);
      for (const [u, v] of [[0, 0], [60, -46], [120, -50], [170, -20], [120, 6], [56, 14]]) brush.vertex(310 + side * u * k, y + v * k);
      brush.endShape(true);
    }
  }
  brush.fillBleed(0.24);
  for (const [k, colour, opacity] of [[1, "#f4cf4e", 180], [0.55, "#e2a02e", 150]]) {
    [-90, -24, 40, 134, 200].forEach((turn, i) => {
      const long = 175 - 12 * (i % 2);
      brush.fill(colour, opacity);
      brush.beginShape(0.6);
      brush.vertex(320, 220);
      for (const [d, r] of [[-32, 0.7], [-26, 0.96], [-8, 1], [4, 0.94], [18, 1.02], [30, 0.8]]) {
        brush.vertex(320 + long * k * r * cos(turn + d), 220 + long * k * r * sin(turn + d));
      }
      brush.endShape(true);
    });
  }
  brush.fill("#a42a3c", 210);
  brush.circle(320, 220, 24, 0.3);
  brush.fillBleed(0.07);
  brush.fill("#f0b850", 235);
  for (let i = 0; i < 5; i++) brush.circle(332 + i * 9, 204 - i * 15, 8, 0.3);
}
