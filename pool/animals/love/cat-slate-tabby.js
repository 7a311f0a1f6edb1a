// A tabby sitting, seen from the side. Ribs of hatching run round the body from back to chest; a wave makes the stripes.
const GREY = ["#aab3ba", "#74818c", "#475560", "#202a33"];

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}

// the point at share u of a line through `points`, smooth
function at(points, u) {
  const s = constrain(u, 0, 0.9999) * (points.length - 1), i = floor(s), t = s - i;
  const [a, b, c, d] = [i - 1, i, i + 1, i + 2].map((k) => points[constrain(k, 0, points.length - 1)]);
  return [0, 1].map((k) => 0.5 * (2 * b[k] + (c[k] - a[k]) * t + (2 * a[k] - 5 * b[k] + 4 * c[k] - d[k]) * t * t + (3 * b[k] - a[k] - 3 * c[k] + d[k]) * t ** 3));
}

// strokes from one edge towards the other; `dark(u)` from 0 to 1 chooses ink and reach
function ribs(one, two, count, bow, dark, reach = 1) {
  for (let i = 0; i < count; i++) {
    const u = (i + random()) / count, d = dark(u) + random(-0.12, 0.12), p = at(one, u), q = at(two, u);
    const end = reach * (0.35 + 0.65 * d) * random(0.8, 1), start = random(0.03);
    const on = (v) => [lerp(p[0], q[0], v), lerp(p[1], q[1], v) + bow * 4 * v * (1 - v)];
    brush.set("2B", GREY[d > 0.72 ? 3 : d > 0.4 ? 2 : 1], 0.55 + 0.4 * d);
    brush.spline([[...on(start), 0.8], [...on((start + end) / 2), 1.1], [...on(end), 0.4]], 0.6);
  }
}

function tone(points, angle, gap, hex, weight = 0.8) {
  brush.noStroke();
  brush.hatchStyle("2B", hex, weight);
  brush.hatch(gap, angle, { rand: 0.25 });
  brush.polygon(points);
  brush.noHatch();
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  randomSeed(5);
  brush.noStroke();
  const back = [[250, 190], [272, 226], [310, 268], [352, 316], [386, 372], [404, 430], [404, 480], [388, 514]];
  const chest = [[178, 226], [172, 262], [174, 300], [184, 340], [196, 380], [216, 420], [250, 460], [300, 508]];
  const stripes = (u) => 0.42 + 0.55 * max(0, sin(u * 360 * 8.5)) ** 2;
  // far leg first
  tone([[212, 370], [236, 390], [232, 450], [230, 494], [214, 506], [206, 500], [210, 440]], 80, 3, GREY[3], 0.9);
  // tail, round to the front along the floor
  const outer = [[390, 470], [452, 490], [502, 474], [526, 428], [516, 378], [494, 352]], inner = [[384, 512], [454, 528], [528, 502], [556, 436], [540, 368], [496, 344]];
  ribs(inner, outer, 130, 0, (u) => 0.3 + 0.7 * max(0, sin(u * 360 * 6)) ** 2 + (u > 0.92 ? 0.5 : 0), 1.1);
  // body
  tone([...back, ...[...chest].reverse()], 128, 5, GREY[0], 0.8);
  ribs(back.slice(0, 7), chest.slice(0, 7), 280, 16, stripes, 0.8);
  ribs(back, chest, 80, 16, () => 0.25, 0.3);
  ribs(chest, back, 90, 12, (u) => 0.15 + 0.5 * u, 0.34);
  // haunch: a fan from the hip, dark at its upper edge
  const thigh = [[404, 392], [364, 366], [316, 374], [280, 404], [262, 446], [262, 488]], hip = [[396, 452], [388, 458], [382, 466], [378, 476], [376, 486], [378, 496]];
  ribs(thigh, hip, 150, -8, (u) => 0.3 + 0.55 * max(0, sin(u * 360 * 5)) ** 2, 0.85);
  ribs(hip, thigh, 60, 8, (u) => 0.9 - 0.5 * u, 0.5);
  tone([[250, 498], [280, 486], [340, 490], [384, 506], [380, 518], [300, 520], [252, 516]], 10, 3, GREY[2]);
  // near fore leg: straight, striped across
  const shin = [[176, 330], [180, 390], [182, 440], [180, 488]], calf = [[226, 350], [218, 400], [212, 446], [212, 490]];
  tone([...shin, [164, 504], [170, 516], [214, 516], ...[...calf].reverse()], 86, 4, GREY[1]);
  ribs(calf, shin, 90, 5, (u) => 0.35 + 0.6 * max(0, sin(u * 360 * 5)) ** 2, 0.9);
  // head
  const skull = [[150, 206], [138, 192], [140, 178], [156, 152], [176, 130], [184, 116], [214, 112], [244, 122], [262, 146], [266, 178], [254, 210], [226, 230], [190, 230], [166, 220]];
  tone(skull, 152, 3.6, GREY[1]);
  ribs([[182, 118], [206, 112], [236, 118], [260, 142], [268, 176], [256, 208]], [[176, 152], [196, 160], [212, 170], [216, 184], [214, 196], [206, 206]], 130, 0, (u) => 0.45 + 0.5 * max(0, sin(u * 360 * 5.5)) ** 2, 0.9);
  tone([[176, 222], [200, 216], [240, 214], [230, 230], [204, 236], [184, 234]], 20, 2.6, GREY[3]);
  // ears
  tone([[178, 128], [170, 92], [174, 66], [196, 88], [212, 114], [194, 116]], 70, 3, GREY[2], 0.9);
  tone([[226, 116], [242, 88], [262, 62], [268, 100], [262, 142], [246, 124]], 105, 2.8, GREY[2], 0.9);
  tone([[238, 118], [248, 96], [258, 82], [260, 110], [254, 130]], 60, 2.2, GREY[3], 0.9);
  // eye: an almond of paper, a dark slit; nose, mouth, whiskers
  tone([[161, 170], [167, 162], [170, 170], [166, 178]], 90, 1.1, GREY[3], 1.3);
  brush.set("pen", GREY[3], 1.2);
  brush.spline([[154, 174, 0.6], [164, 160, 1.1], [184, 168, 0.8]], 0.6);
  brush.spline([[184, 169, 0.5], [170, 181, 0.9], [156, 176, 0.5]], 0.6);
  tone([[138, 184], [148, 182], [146, 192], [140, 194]], 30, 1.3, GREY[3], 1);
  brush.set("2B", GREY[3], 0.7);
  brush.spline([[143, 194, 0.8], [150, 206, 1], [166, 208, 0.4]], 0.6);
  brush.set("rotring", GREY[2], 0.8);
  for (const k of [-16, -6, 4, 14]) brush.spline([[158, 200, 1], [124, 200 + k, 0.8], [88, 210 + 2.2 * k, 0.4]], 0.5);
  // contour here and there
  brush.set("2B", GREY[3], 0.8);
  brush.spline([[262, 62, 0.5], [269, 100, 1], [266, 150, 0.5]], 0.6);
  brush.spline([[386, 372, 0.4], [406, 432, 1.1], [404, 482, 0.8]], 0.6);
  brush.spline([[174, 300, 0.4], [171, 262, 1], [178, 230, 0.6]], 0.6);
  brush.spline([[214, 517, 0.7], [172, 518, 1.1], [163, 506, 0.9], [178, 490, 0.4]], 0.6);
  brush.spline([[320, 522, 0.5], [262, 520, 1.1], [247, 508, 0.9], [274, 488, 0.4]], 0.6);
  for (const [x, y] of [[174, 508], [186, 508], [258, 510], [270, 509]]) brush.line(x, y, x - 2, y + 8);
  brush.set("2B", GREY[0], 0.8);
  for (let i = 0; i < 60; i++) { const x = random(140, 500); brush.line(x, 522 + random(14), x + random(20, 60), 522 + random(14)); }
}
