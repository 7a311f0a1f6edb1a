// A tortoise: half a circle of shell in wedges, four stumps and a head.
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}
function tone(points, angle, gap, hex) {
  brush.hatchStyle("charcoal", hex, 0.4);
  brush.hatch(gap, angle, { rand: 0.2 });
  brush.polygon(points);
  brush.noHatch();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  brush.noStroke();
  const at = (a, r) => [310 + 178 * r * cos(a), 410 - 160 * r * sin(a)];
  tone([[150, 410], [470, 410], [440, 440], [190, 440]], 0, 5, "#4a3a2c");
  for (const x of [176, 390]) tone([[x, 420], [x + 52, 420], [x + 46, 494], [x + 2, 494]], 80, 5, "#6d5844");
  tone([[160, 420], [120, 380], [70, 370], [50, 346], [62, 322], [96, 316], [130, 336], [160, 380]], 140, 5, "#6d5844");
  for (let i = 0; i < 6; i++) {
    const a = 180 - i * 30, b = a - 28, m = a - 14;
    tone([at(a, 0.62), at(m, 0.64), at(b, 0.62), at(b, 1), at(m, 1.02), at(a, 1)], m, 6, i > 2 ? "#4a3a2c" : "#8a745c");
    tone([at(a, 0.1), at(b, 0.1), at(b, 0.56), at(a, 0.56)], m + 90, 6, i > 2 ? "#6d5844" : "#8a745c");
  }
  tone([[480, 412], [520, 430], [532, 446], [490, 434]], 150, 4, "#4a3a2c");
  brush.set("charcoal", "#2f241a", 0.4);
  brush.line(78, 336, 86, 338);
  brush.line(54, 352, 80, 354);
  brush.line(110, 500, 520, 500);
}
