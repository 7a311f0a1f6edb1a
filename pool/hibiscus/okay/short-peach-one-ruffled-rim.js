// A peach hibiscus as one ruffled rim, glazed twice towards the heart
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  brush.fillBleed(0.24);
  brush.fillTexture(0.5, 0.4);
  for (const [size, colour] of [[225, "#f4ac84"], [150, "#e8845e"], [70, "#b43850"]]) {
    brush.fill(colour, 175);
    brush.beginShape(0.6);
    for (let a = 0; a < 360; a += 9) {
      const lobe = 0.5 + 0.5 * sqrt(abs(cos(a * 2.5)));
      const r = size * lobe * (1 + 0.05 * sin(a * 20 + size));
      brush.vertex(300 + r * cos(a + 14), 300 + r * sin(a + 14));
    }
    brush.endShape(true);
  }
  brush.fill("#f0b844", 235);
  for (let i = 0; i < 5; i++) brush.circle(306 + i * 9, 288 - i * 14, 9, 0.3);
}
