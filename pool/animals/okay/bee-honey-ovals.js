// A bee from the side: three ovals, stripes by closer hatching, two wings in outline.
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}
const oval = (x, y, a, b) => Array.from({ length: 24 }, (_, i) => [x + a * cos(i * 15), y + b * sin(i * 15)]);

function tone(points, angle, gap, hex) {
  brush.noStroke();
  brush.hatchStyle("2B", hex, 0.9);
  brush.hatch(gap, angle, { rand: 0.2 });
  brush.polygon(points);
  brush.noHatch();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  brush.noStroke();
  const pale = "#c99a3c", dark = "#4a2f0c";
  tone(oval(380, 340, 128, 78), 84, 4.6, pale);
  for (const x of [300, 352, 404, 456]) {
    const h = 78 * sqrt(1 - ((x + 12 - 380) / 128) ** 2);
    tone([[x, 340 - h], [x + 26, 340 - h * 0.96], [x + 30, 340], [x + 26, 340 + h * 0.96], [x, 340 + h], [x + 5, 340]], 80, 2.6, dark);
  }
  tone(oval(236, 310, 64, 60), 35, 3.6, pale);
  tone(oval(236, 310, 62, 58), 120, 4.4, dark);
  tone(oval(156, 320, 36, 38), 60, 3, dark);
  tone(oval(146, 314, 11, 15), 0, 1.5, dark);
  brush.set("rotring", dark, 1);
  for (const wing of [[[250, 256, 1], [270, 160, 1], [340, 90, 1], [370, 130, 1], [330, 210, 1], [256, 258, 1]], [[262, 258, 1], [350, 180, 1], [440, 130, 1], [452, 176, 1], [380, 236, 1], [266, 262, 1]]]) brush.spline(wing, 0.6);
  brush.set("rotring", pale, 1);
  for (let i = 0; i < 6; i++) { brush.line(262, 240, 300 + i * 12, 140 + i * 10); brush.line(280, 252, 380 + i * 10, 170 + i * 10); }
  brush.set("2B", dark, 1.2);
  for (const [x, d] of [[212, -30], [244, 0], [276, 34]]) { brush.line(x, 364, x + d * 0.6, 404); brush.line(x + d * 0.6, 404, x + d * 0.6 + 14, 448); }
  brush.line(144, 286, 118, 250);
  brush.line(158, 284, 150, 244);
  brush.line(506, 346, 524, 350);
}
