// Glaze upon glaze until the sheet is one dark magenta mass
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
  brush.fillBleed(0.15);
  brush.fillTexture(0.3, 0.3);
  const glazes = ["#a01860", "#701048", "#8a1454", "#3f0a30"];
  glazes.forEach((colour, i) => {
    brush.fill(colour, 235);
    for (let k = 0; k < 9; k++) {
      brush.circle(100 + k % 3 * 200 + 30 * sin(i * 90), 100 + floor(k / 3) * 200 + 30 * cos(i * 70), 165 - 10 * i, 0.5);
    }
  });
  brush.fill("#1c0a18", 235);
  brush.circle(300, 300, 130, 0.5);
}
