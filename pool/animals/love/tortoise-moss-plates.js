// A tortoise: every plate of the shell is a low pyramid. Each of its faces is hatched its own way, and light comes from the left.
const GREEN = ["#a3a67a", "#767c4c", "#4d5430", "#272c17"];

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}

function tone(points, angle, gap, hex, weight = 0.9, pen = "pen") {
  brush.noStroke();
  brush.hatchStyle(pen, hex, weight);
  brush.hatch(gap, angle, { rand: 0.22 });
  brush.polygon(points);
  brush.noHatch();
}

// the shell: s from 0 at the left rim to 1 at the right, h from 0 at the rim to 1 at the crest
function dome(s, h) {
  const a = 180 - 180 * s, bulge = h ** 0.8;
  return [318 + 190 * cos(a) * (1 - 0.5 * (1 - bulge) * 0.06), 414 - 12 * sin(a) - 196 * bulge * sin(a) ** 0.75];
}

function plate(corners) {
  const mid = [0, 1].map((k) => corners.reduce((sum, c) => sum + c[k], 0) / corners.length);
  const top = [mid[0] - 5, mid[1] - 5];
  corners.forEach((a, i) => {
    const b = corners[(i + 1) % corners.length];
    const facing = atan2(-(a[1] + b[1] - 2 * mid[1]), a[0] + b[0] - 2 * mid[0]);
    const shade = 0.5 - 0.5 * cos(facing - 135) + map(mid[1], 220, 410, -0.1, 0.25);
    const in_ = (p, k) => [lerp(p[0], top[0], k), lerp(p[1], top[1], k)];
    const face = [in_(a, 0.06), in_(b, 0.06), in_(b, 0.86), in_(a, 0.86)];
    const rim = -atan2(b[1] - a[1], b[0] - a[0]);
    tone(face, rim + 84, map(shade, 0, 1, 5.5, 3), shade > 0.6 ? GREEN[2] : GREEN[1]);
    if (shade > 0.35) tone(face, rim + 4, map(shade, 0.35, 1, 5.5, 2.8), shade > 0.75 ? GREEN[3] : GREEN[2], 0.8);
    if (shade > 0.8) tone(face, rim + 45, 3.4, GREEN[3], 0.8);
  });
  tone(corners.map((c) => [lerp(top[0], c[0], 0.13), lerp(top[1], c[1], 0.13)]), 30, 2.2, GREEN[3], 0.9);
}

// scales: rows of small bowed marks across a limb
function scales(left, right, rows, hex) {
  for (let r = 0; r < rows; r++) {
    const t = ((r + 0.5) / rows) * (left.length - 1), i = min(floor(t), left.length - 2), f = t - i;
    const [a, b] = [left, right].map((side) => [0, 1].map((k) => lerp(side[i][k], side[i + 1][k], f)));
    const n = max(2, round(dist(...a, ...b) / 9));
    for (let k = 0; k < n; k++) {
      const u = (k + (r % 2) * 0.5) / n, w = 0.8 / n, p = (v) => [lerp(a[0], b[0], v), lerp(a[1], b[1], v)];
      if (u + w > 1) continue;
      brush.set("2B", hex, random(0.6, 0.9));
      brush.spline([[...p(u), 0.6], [p(u + w / 2)[0], p(u + w / 2)[1] + 5, 1.1], [...p(u + w), 0.6]], 0.7);
    }
  }
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  randomSeed(17);
  brush.noStroke();
  // far legs
  tone([[216, 416], [256, 430], [250, 460], [252, 486], [222, 490], [214, 460]], 80, 2.8, GREEN[3]);
  tone([[392, 430], [432, 420], [440, 456], [446, 484], [414, 490], [404, 462]], 70, 2.8, GREEN[3]);
  // shadow under the shell
  tone([[160, 418], [250, 428], [390, 428], [476, 418], [440, 446], [330, 458], [210, 446]], 4, 2.6, GREEN[3]);
  // neck and head, raised
  const neck = [[160, 420], [138, 404], [118, 372], [96, 352], [74, 346], [58, 336], [44, 318], [46, 300], [66, 284], [94, 280], [118, 292], [136, 316], [152, 346], [172, 366]];
  tone(neck, 128, 3.8, GREEN[1]);
  tone([[160, 420], [138, 404], [118, 372], [96, 352], [108, 340], [130, 356], [152, 388], [172, 396]], 60, 3, GREEN[3]);
  tone([[44, 318], [62, 326], [92, 330], [112, 336], [100, 352], [74, 346], [58, 336]], 10, 2.8, GREEN[2]);
  scales([[118, 292], [136, 316], [152, 346], [166, 362]], [[104, 350], [118, 366], [136, 396], [152, 412]], 8, GREEN[2]);
  tone([[72, 304], [77, 298], [84, 298], [88, 304], [83, 310], [76, 310]], 30, 1.1, GREEN[3], 1.3);
  brush.set("2B", GREEN[3], 0.8);
  brush.spline([[66, 302, 0.4], [76, 292, 1], [92, 300, 0.5]], 0.7);
  brush.spline([[44, 316, 1], [62, 324, 1], [88, 324, 0.5]], 0.5);
  brush.spline([[46, 300, 0.5], [66, 283, 1], [94, 279, 0.6]], 0.6);
  brush.line(50, 306, 53, 308);
  // near legs: stumps, claws on the ground
  const fore = [[[166, 416], [168, 444], [162, 470], [150, 494]], [[224, 424], [222, 450], [212, 476], [206, 500]]];
  const hind = [[[418, 424], [428, 450], [440, 474], [444, 498]], [[486, 404], [492, 436], [498, 468], [502, 496]]];
  for (const [left, right] of [fore, hind]) {
    const rim = [...left, ...[...right].reverse()];
    tone(rim, 100, 4.2, GREEN[1]);
    tone([...left.map(([x, y], i) => [lerp(x, right[i][0], 0.55), y]), ...[...right].reverse()], 62, 3.2, GREEN[2]);
    scales(left, right, 8, GREEN[3]);
    const [a, b] = [left[3], right[3]];
    for (let k = 0; k < 4; k++) { const x = lerp(a[0], b[0], (k + 0.4) / 4); brush.set("2B", GREEN[3], 0.9); brush.spline([[x - 5, 496, 0.8], [x - 4, 506, 1.2], [x + 4, 506, 1], [x + 6, 497, 0.6]], 0.7); }
  }
  tone([[496, 410], [530, 424], [548, 440], [524, 438], [492, 430]], 150, 2.6, GREEN[2]);
  // shell: side plates in a row, the great plates above, the crest
  const cell = (s0, s1, h0, h1) => [dome(s0, h0), dome((s0 + s1) / 2, h0), dome(s1, h0), dome(s1, h1), dome((s0 + s1) / 2, h1), dome(s0, h1)];
  const cuts = [0.03, 0.14, 0.27, 0.42, 0.58, 0.73, 0.86, 0.97];
  for (let i = 0; i < 7; i++) plate(cell(cuts[i], cuts[i + 1], 0.08, 0.3));
  const low = [0.05, 0.22, 0.4, 0.6, 0.78, 0.95], high = [0.16, 0.3, 0.43, 0.57, 0.7, 0.84];
  for (let i = 0; i < 5; i++) plate([dome(low[i], 0.32), dome((low[i] + low[i + 1]) / 2, 0.32), dome(low[i + 1], 0.32), dome(high[i + 1], 0.78), dome((high[i] + high[i + 1]) / 2, 0.78), dome(high[i], 0.78)]);
  for (let i = 0; i < 5; i++) plate([dome(high[i], 0.81), dome(high[i + 1], 0.81), dome(lerp(high[i + 1], 0.5, 0.04), 1), dome(lerp(high[i], 0.5, 0.04), 1)]);
  // the rim, and contour where the light does not eat it
  for (let s = 0.0; s < 1; s += 0.008) { const p = dome(s, 0), q = dome(s, 0.06); brush.set("pen", GREEN[s > 0.35 ? 3 : 2], 1); brush.line(p[0], p[1] + 10, q[0] + 3, q[1]); }
  brush.set("2B", GREEN[3], 0.9);
  brush.spline([0.55, 0.66, 0.76, 0.86, 0.94, 0.99].map((s, i) => [...dome(s, 1.01), 0.5 + 0.14 * i]), 0.6);
  brush.set("pen", GREEN[1], 0.9);
  for (let i = 0; i < 70; i++) { const x = random(110, 500); brush.line(x, 506 + random(14), x + random(20, 60), 506 + random(14)); }
}
