// A giraffe of straight parts, with square patches in rows.
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}
function block(points, angle, gap, hex) {
  brush.hatchStyle("cpencil", hex, 1.2);
  brush.hatch(gap, angle, { rand: 0.15 });
  brush.polygon(points);
  brush.noHatch();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  brush.noStroke();
  randomSeed(6);
  const light = "#b98a4e", dark = "#6b3f14";
  for (const x of [248, 392]) block([[x, 360], [x + 26, 360], [x + 22, 548], [x + 2, 548]], 88, 2.6, dark);
  block([[196, 300], [230, 282], [350, 262], [420, 258], [424, 350], [330, 380], [220, 378]], 20, 4.6, light);
  block([[352, 268], [392, 190], [424, 96], [458, 106], [442, 200], [424, 300]], 70, 4.6, light);
  block([[422, 96], [434, 66], [460, 58], [516, 92], [516, 108], [458, 112]], 155, 3.4, dark);
  for (const x of [210, 352]) block([[x, 350], [x + 36, 350], [x + 26, 550], [x + 6, 550]], 80, 4, light);
  for (let i = 0; i < 6; i++) for (let j = 0; j < 3; j++) {
    const x = 216 + i * 34 + random(-4, 4), y = 296 - i * 3 + j * 27 + random(-3, 3);
    block([[x, y], [x + 24, y - 3], [x + 25, y + 18], [x + 2, y + 20]], 100, 2.6, dark);
  }
  for (let j = 0; j < 6; j++) for (let i = 0; i < 2; i++) {
    const x = 388 + j * 9 - (5 - j) * 2 + i * 24 - j * 2, y = 254 - j * 26;
    block([[x, y], [x + 17, y - 2], [x + 17, y + 15], [x, y + 17]], 100, 2.6, dark);
  }
  block([[420, 84], [396, 76], [402, 92], [420, 98]], 10, 2.4, dark);
  brush.set("2B", dark, 1.1);
  for (const x of [442, 458]) { brush.line(x, 62, x - 4, 36); brush.line(x + 2, 62, x - 2, 36); }
  brush.line(468, 78, 478, 81);
  brush.line(468, 81, 478, 84);
  brush.spline([[196, 306, 1], [184, 350, 1], [186, 410, 1]], 0.5);
  brush.line(170, 552, 450, 552);
}
