// A snail hatched until nothing of the hatching is left.
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
  const rim = Array.from({ length: 30 }, (_, i) => [340 + 140 * cos(i * 12), 300 + 140 * sin(i * 12)]);
  for (const angle of [0, 60, 120]) {
    brush.hatchStyle("2B", "#2c3118", 1.6);
    brush.hatch(1.6, angle);
    brush.polygon(rim);
    brush.polygon([[60, 470], [120, 380], [240, 420], [560, 450], [560, 490], [90, 490]]);
  }
}
