// A giraffe: trunk and neck are one bent tube, cut into patches whose hatching turns with it. The net is bare paper.
const INK = { pale: "#d9a860", mid: "#b87a30", deep: "#8a5318", dark: "#4d2c0c" };

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}

const TOP = [[196, 318], [214, 288], [262, 272], [322, 256], [352, 226], [384, 172], [412, 118], [430, 84]];
const LOW = [[204, 372], [240, 384], [306, 384], [388, 340], [404, 282], [422, 216], [440, 156], [456, 112]];

function on(line, u) {
  const s = constrain(u, 0, 0.9999) * (line.length - 1), i = floor(s), f = s - i;
  return [0, 1].map((k) => lerp(line[i][k], line[i + 1][k], f));
}
const skin = (u, v) => on(TOP, u).map((x, k) => lerp(x, on(LOW, u)[k], v));

function tone(points, angle, gap, hex, weight = 0.9, pen = "pen") {
  brush.noStroke();
  brush.hatchStyle(pen, hex, weight);
  brush.hatch(gap, angle, { rand: 0.15 });
  brush.polygon(points);
  brush.noHatch();
}

function patch(u, v, du, dv) {
  const rim = [], turn = random(360);
  for (let a = 0; a < 360; a += 30) {
    const r = 0.92 + 0.08 * sin(3 * a + turn) + random(-0.05, 0.05), square = 1 / max(abs(cos(a)), abs(sin(a))) ** 0.9;
    rim.push(skin(u + (du / 2) * r * square * cos(a), constrain(v + (dv / 2) * r * square * sin(a), 0.01, 0.99)));
  }
  const [p, q] = [skin(u - 0.03, v), skin(u + 0.03, v)];
  const run = -atan2(q[1] - p[1], q[0] - p[0]);
  tone(rim, run + 68 + random(-14, 14), 3.1, INK.mid, 1);
  tone(rim, run + 20 + 40 * v, v > 0.5 ? 3 : 4.4, INK.deep, 0.9);
  if (v > 0.62) tone(rim, run - 20, 3.4, INK.dark, 0.8);
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  randomSeed(21);
  brush.noStroke();
  const farFront = [[382, 336], [402, 318], [406, 396], [410, 436], [419, 500], [430, 544], [434, 554], [410, 554], [406, 500], [396, 440], [388, 400]];
  const farHind = [[248, 380], [284, 382], [276, 416], [278, 442], [287, 500], [296, 546], [299, 555], [276, 555], [272, 500], [262, 444], [254, 416]];
  for (const leg of [farFront, farHind]) { tone(leg, 82, 3, INK.deep); tone(leg, 30, 4, INK.dark, 0.8); }
  // a breath of tone under everything, then the patches in courses like bricks
  tone([...TOP, ...[...LOW].reverse()], 35, 8, INK.pale, 0.7);
  const rows = [[0.17, 0.31], [0.5, 0.3], [0.83, 0.31]];
  rows.forEach(([v, dv], r) => {
    for (let u = 0.05 + 0.047 * (r % 2); u < 0.96; u += 0.095) patch(u, v, u > 0.5 ? 0.08 : 0.086, dv);
  });
  // near legs: patches above, bare and lightly hatched below
  const front = [[350, 346], [386, 338], [384, 400], [377, 440], [376, 500], [382, 546], [385, 556], [357, 556], [361, 500], [359, 440], [352, 400]];
  const hind = [[198, 330], [214, 360], [256, 376], [252, 404], [240, 432], [238, 500], [244, 546], [247, 556], [217, 556], [222, 500], [215, 444], [206, 424], [204, 386]];
  for (const leg of [front, hind]) { tone(leg, 82, 3.6, INK.mid, 0.9); tone(leg.map(([x, y], i) => [i < 6 ? x : x + 12, y]), 84, 4.4, INK.mid, 0.8); }
  for (const [x, y, w] of [[368, 364, 13], [367, 392, 12], [367, 418, 8], [228, 384, 18], [228, 412, 13], [229, 438, 8]]) {
    const spot = [0, 60, 120, 180, 240, 300].map((a) => [x + w * cos(a) * random(0.8, 1.1), y + 11 * sin(a) * random(0.8, 1.1)]);
    tone(spot, 30, 2.8, INK.deep, 0.9);
    tone(spot, 100, 3.4, INK.mid, 0.9);
  }
  for (const [x, y] of [[357, 546], [217, 546], [410, 544], [276, 545]]) tone([[x + 2, y], [x + 25, y], [x + 28, y + 11], [x - 1, y + 11]], 12, 1.7, INK.dark, 1);
  // mane: short stiff strokes off the crest
  brush.set("HB", INK.dark, 0.9);
  for (let u = 0.5; u < 0.99; u += 0.006) { const [x, y] = on(TOP, u); brush.flowLine(x + 2, y + 2, random(9, 15), 148 + random(-14, 14)); }
  // head
  const head = [[428, 88], [436, 68], [456, 58], [478, 66], [504, 86], [524, 100], [528, 112], [514, 120], [490, 116], [468, 120], [446, 114]];
  tone(head, -38, 3.4, INK.mid, 0.9);
  tone([[452, 92], [486, 98], [526, 110], [514, 120], [490, 116], [468, 120], [446, 114]], -12, 2.8, INK.deep, 0.9);
  tone([[438, 76], [416, 62], [398, 66], [410, 80], [434, 88]], 12, 2.4, INK.deep, 0.9);
  tone([[466, 78], [474, 75], [480, 80], [472, 84]], 0, 1, INK.dark, 1.4);
  brush.set("2B", INK.dark, 0.9);
  brush.spline([[460, 76, 0.5], [473, 71, 1], [484, 78, 0.5]], 0.6);
  brush.spline([[526, 112, 1], [510, 111, 0.9], [496, 108, 0.4]], 0.5);
  brush.line(514, 99, 519, 101);
  for (const [x, y, dx] of [[446, 62, -7], [460, 58, -2]]) { brush.set("2B", INK.dark, 0.9); for (let k = 0; k < 5; k++) brush.line(x + k - 2, y, x + dx + k - 2, y - 26); tone([[x + dx - 5, y - 33], [x + dx + 5, y - 33], [x + dx + 6, y - 25], [x + dx - 5, y - 25]], 20, 1.4, INK.dark, 1); }
  // contour here and there, tail, ground
  brush.set("2B", INK.dark, 0.9);
  brush.spline([[456, 116, 0.4], [441, 158, 1], [423, 218, 1], [406, 282, 0.9], [391, 338, 0.4]], 0.6);
  brush.spline([[456, 57, 0.5], [480, 66, 1], [524, 99, 0.7]], 0.5);
  brush.spline([[306, 386, 0.9], [268, 387, 1], [240, 385, 0.4]], 0.5);
  brush.spline([[197, 312, 1], [186, 350, 1], [188, 400, 0.8]], 0.6);
  for (let k = 0; k < 12; k++) brush.flowLine(188 + random(-2, 2), 398, random(26, 40), 268 + random(-10, 10));
  brush.set("cpencil", INK.mid, 1);
  for (let k = 0; k < 40; k++) { const x = random(180, 440); brush.line(x, 557 + random(10), x + random(20, 60), 557 + random(10)); }
}
