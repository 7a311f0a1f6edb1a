// A rabbit crouching: an oval body, an oval head, all hatched alike, and a cotton tail.
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}
function oval(x, y, a, b, turn, angle, gap, hex) {
  const rim = [];
  for (let t = 0; t < 360; t += 15) rim.push([x + a * cos(t) * cos(turn) - b * sin(t) * sin(turn), y + a * cos(t) * sin(turn) + b * sin(t) * cos(turn)]);
  brush.hatchStyle("pen", hex, 1);
  brush.hatch(gap, angle, { rand: 0.35 });
  brush.polygon(rim);
  brush.noHatch();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  brush.noStroke();
  randomSeed(2);
  oval(350, 370, 150, 104, 8, 25, 4, "#7d6a4a");
  oval(400, 400, 92, 78, 0, 70, 4.4, "#57462b");
  oval(350, 430, 130, 40, 4, 5, 3.6, "#3f311c");
  oval(196, 320, 72, 58, -14, 50, 4, "#7d6a4a");
  oval(214, 356, 50, 26, 10, 10, 3.6, "#57462b");
  oval(250, 226, 70, 17, 118, 70, 3.4, "#57462b");
  oval(214, 218, 70, 16, 100, 90, 4.2, "#7d6a4a");
  oval(400, 476, 66, 14, 0, 10, 3.2, "#57462b");
  oval(240, 470, 36, 14, 0, 10, 3.4, "#57462b");
  brush.set("HB", "#3f311c", 1);
  for (let a = 0; a < 360; a += 12) brush.flowLine(506, 392, 24, a);
  oval(172, 308, 8, 8, 0, 0, 1.2, "#2a1f10");
  brush.set("rotring", "#57462b", 0.8);
  for (const k of [-10, 2, 14]) brush.line(140, 336, 90, 336 + 2 * k);
  brush.set("HB", "#3f311c", 0.8);
  brush.line(150, 492, 500, 492);
}
