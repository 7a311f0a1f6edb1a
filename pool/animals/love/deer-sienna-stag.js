// A red deer stag, standing to the right. Each part is one outline; fur strokes lean along it and thicken below.
const TAN = "#c08457", SIENNA = "#9a5527", UMBER = "#6b3a1c", DARK = "#3c1f10";

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}

function part(points, angle, gap, hex, weight) {
  brush.noStroke();
  brush.hatchStyle("pen", hex, weight);
  brush.hatch(gap, angle, { rand: 0.3 });
  brush.polygon(points);
  brush.noHatch();
}

function inside([x, y], points) {
  let odd = false;
  points.forEach(([ax, ay], i) => {
    const [bx, by] = points[(i + 1) % points.length];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  });
  return odd;
}

// short hairs inside an outline: lean(x, y) is their angle, dark(x, y) from 0 to 1 how many there are
function fur(points, count, length, hex, lean, dark) {
  const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
  brush.set("HB", hex, 0.8);
  for (let i = 0; i < count; i++) {
    const x = random(min(...xs), max(...xs)), y = random(min(...ys), max(...ys));
    const v = map(y, min(...ys), max(...ys), 0, 1);
    const angle = lean(x, y) + random(-9, 9), l = length * random(0.6, 1.2);
    const end = [x + l * cos(angle), y - l * sin(angle)];
    if (random() < dark(x, v) && inside([x, y], points) && inside(end, points)) brush.flowLine(x, y, l, angle);
  }
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  randomSeed(4);
  brush.noStroke();
  const body = [[150, 300], [160, 274], [190, 260], [240, 266], [290, 270], [330, 258], [362, 264], [388, 296], [388, 340], [362, 370], [306, 374], [256, 362], [214, 350], [172, 352], [152, 330]];
  const neck = [[306, 268], [344, 240], [374, 202], [390, 166], [414, 150], [434, 176], [430, 206], [422, 246], [412, 290], [394, 330], [352, 318]];
  const head = [[392, 152], [404, 136], [424, 131], [444, 139], [470, 156], [490, 167], [495, 178], [484, 188], [460, 186], [436, 188], [414, 188], [396, 172]];
  const frontLeg = [[344, 326], [380, 322], [374, 376], [366, 408], [364, 440], [362, 488], [371, 506], [368, 517], [347, 517], [350, 488], [352, 440], [348, 408], [342, 370]];
  const hindLeg = [[150, 300], [190, 282], [226, 306], [230, 346], [210, 384], [190, 402], [181, 418], [184, 442], [186, 490], [195, 506], [192, 517], [171, 517], [174, 490], [168, 442], [158, 416], [164, 394], [160, 368], [147, 330]];
  const farFront = [[368, 340], [394, 312], [396, 368], [398, 408], [396, 440], [396, 484], [406, 500], [403, 510], [383, 510], [385, 486], [384, 440], [382, 410], [376, 372]];
  const farHind = [[214, 348], [248, 350], [244, 376], [232, 400], [228, 418], [234, 442], [236, 486], [245, 500], [242, 510], [222, 510], [224, 486], [217, 442], [211, 416], [216, 396]];
  for (const leg of [farFront, farHind]) { part(leg, 70, 2.6, UMBER, 1); part(leg, 20, 4, DARK, 0.8); }
  // light tone, another direction a part
  part(body, 8, 5, TAN, 0.9);
  part(neck, 118, 4.4, TAN, 0.9);
  part(head, -28, 3.6, SIENNA, 0.9);
  part(hindLeg, 62, 4, SIENNA, 0.8);
  part(hindLeg.slice(4, 15), 88, 2.6, UMBER, 0.9);
  part(frontLeg, 78, 3.6, SIENNA, 0.8);
  part(frontLeg.slice(2, 12), 86, 2.8, UMBER, 0.9);
  // fur: lies back along the trunk, turns down into belly and thigh, falls from the neck
  fur(body, 1500, 20, SIENNA, (x, y) => 176 + (y - 260) * 0.42 + (x - 260) * 0.06, (x, v) => 0.25 + 0.75 * v);
  fur(body, 900, 16, DARK, (x, y) => 182 + (y - 260) * 0.4, (x, v) => max(0, v - 0.62) * 2.4);
  fur(body, 240, 14, UMBER, () => 172, (x, v) => (v < 0.2 ? 1 : 0));
  fur(neck, 900, 20, SIENNA, (x, y) => 246 - (x - 380) * 0.3, () => 0.8);
  fur(neck, 900, 24, UMBER, () => 252, (x) => map(x, 370, 425, 0, 1, true));
  fur(hindLeg, 900, 18, UMBER, (x, y) => 250 - (y - 300) * 0.1, (x, v) => (v < 0.55 ? map(x, 225, 150, 0.1, 0.8) : 0.9));
  fur(frontLeg, 500, 15, UMBER, () => 266, (x) => map(x, 378, 346, 0.2, 0.9));
  fur(head, 420, 9, UMBER, () => 150, (x, v) => 0.35 + 0.6 * v);
  // ears, dark inside
  part([[400, 146], [372, 126], [352, 126], [362, 142], [388, 158]], 24, 2.4, UMBER, 0.9);
  part([[416, 132], [410, 110], [416, 92], [426, 106], [428, 130]], 80, 2.2, UMBER, 0.9);
  // eye, nose, jaw
  part([[430, 151], [438, 148], [444, 153], [436, 157]], 0, 1, DARK, 1.4);
  part([[484, 163], [494, 167], [496, 177], [486, 176]], 60, 1.2, DARK, 1.3);
  brush.set("2B", DARK, 0.8);
  brush.spline([[492, 184, 0.8], [476, 181, 1], [462, 178, 0.5]], 0.4);
  // antlers: beams and tines, laid twice
  const beams = [
    [[418, 132], [404, 106], [380, 84], [366, 56], [374, 26]], [[402, 104], [424, 88], [434, 72]], [[378, 82], [350, 72], [336, 54]], [[367, 56], [350, 40], [346, 24]],
    [[430, 133], [434, 104], [452, 80], [474, 58], [478, 28]], [[434, 104], [458, 98], [474, 86]], [[454, 78], [448, 56], [454, 38]], [[474, 58], [496, 46], [504, 30]],
  ];
  beams.forEach((beam, i) => {
    brush.set("charcoal", i < 4 ? DARK : UMBER, i % 4 ? 0.6 : 0.9);
    brush.spline(beam.map(([x, y], k) => [x, y, 1.3 - (k / beam.length) * 0.9]), 0.5);
    brush.set("pen", DARK, 1);
    brush.spline(beam.map(([x, y]) => [x + 3, y + 1, 0.8]), 0.5);
  });
  // contour only here and there, hooves, tail
  brush.set("2B", DARK, 0.85);
  brush.spline([[190, 259, 0.3], [164, 272, 1], [150, 300, 1.1], [148, 334, 0.7]], 0.6);
  brush.spline([[394, 328, 0.5], [412, 290, 1], [423, 246, 1], [431, 206, 0.4]], 0.6);
  brush.spline([[404, 136, 0.4], [426, 130, 1], [470, 156, 0.8]], 0.6);
  brush.spline([[350, 374, 0.4], [312, 376, 1], [284, 370, 0.4]], 0.6);
  for (const [x, y] of [[347, 508], [171, 508], [383, 501], [222, 501]]) part([[x, y], [x + 22, y - 2], [x + 24, y + 10], [x - 1, y + 10]], 10, 1.6, DARK, 1.1);
  part([[152, 284], [140, 288], [132, 306], [138, 326], [150, 312]], 70, 2.2, UMBER, 0.9);
  brush.set("cpencil", TAN, 1.1);
  for (let i = 0; i < 40; i++) { const x = random(120, 430); brush.line(x, 518 + random(12), x + random(20, 60), 518 + random(12)); }
}
