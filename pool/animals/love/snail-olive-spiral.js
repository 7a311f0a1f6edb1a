// A snail: the shell is one spiral band, hatched across from turn to turn; the body is hatched along its length.
const MOSS = ["#a9ad6f", "#7f8546", "#565c2a", "#2f3416"];

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}

// the shell's outer edge: a share `turns` of full circles inwards from the mouth
function edge(turns) {
  const r = 158 * 0.5 ** turns, a = -66 + 360 * turns;
  return [338 - 30 * (1 - r / 158) + r * cos(a), 332 + 26 * (1 - r / 158) - r * 0.94 * sin(a)];
}

function hairs(top, low, count, hexes, from, to, slant = 0) {
  for (let i = 0; i < count; i++) {
    const v = random(from, to), u = random(0, 0.9), l = random(0.05, 0.13), p = (t) => {
      const s = constrain(t, 0, 0.999) * (top.length - 1), k = floor(s), f = s - k, w = v + slant * (t - u);
      return [0, 1].map((j) => lerp(lerp(top[k][j], top[k + 1][j], f), lerp(low[k][j], low[k + 1][j], f), w));
    };
    brush.set("pen", random(hexes), random(0.8, 1.2));
    brush.spline([[...p(u), 0.6], [...p(u + l / 2), 1], [...p(u + l), 0.5]], 0.5);
  }
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  randomSeed(31);
  brush.noStroke();
  // body: back line and sole, from the tail on the right to the head on the left
  const top = [[560, 474], [500, 452], [440, 440], [360, 432], [290, 424], [220, 400], [170, 356], [130, 322], [96, 312], [70, 322]];
  const low = [[566, 480], [510, 484], [440, 486], [360, 488], [290, 488], [220, 486], [160, 470], [116, 432], [84, 390], [64, 350]];
  hairs(top, low, 420, [MOSS[0], MOSS[1]], 0.02, 0.98, 0.2);
  hairs(top, low, 330, [MOSS[1], MOSS[2]], 0.45, 1, 0.3);
  hairs(top, low, 260, [MOSS[2], MOSS[3]], 0.76, 1.02, 0);
  hairs(top, low, 90, [MOSS[2], MOSS[3]], 0, 0.14, 0);
  // the fringe of the foot, crossed the other way
  brush.set("pen", MOSS[3], 1);
  for (let x = 150; x < 560; x += 4) { const y = x < 220 ? map(x, 150, 220, 462, 485) : x > 500 ? map(x, 500, 566, 485, 480) : 487; brush.line(x, y - random(6, 16), x + random(3, 6), y + 1); }
  // shadow of the shell on the back
  brush.hatchStyle("pen", MOSS[3], 1);
  brush.hatch(3, 12, { rand: 0.3 });
  brush.noStroke();
  brush.polygon([[222, 396], [270, 420], [350, 438], [430, 436], [486, 424], [470, 442], [400, 452], [310, 448], [240, 424]]);
  brush.noHatch();
  // shell: strokes from the outer edge to the turn inside it, bowed like the growth lines
  const cross = (t, from, to, hex, weight, pen = "pen") => {
    const a = edge(t), b = edge(t + 1), c = edge(t + 0.06 * 0.5), d = edge(t + 1.03);
    const on = (v, bow) => [lerp(lerp(a[0], b[0], v), lerp(c[0], d[0], v), bow), lerp(lerp(a[1], b[1], v), lerp(c[1], d[1], v), bow)];
    const bow = (v) => 3.2 * v * (1 - v);
    brush.set(pen, hex, weight);
    brush.spline([from, lerp(from, to, 0.33), lerp(from, to, 0.67), to].map((v, k) => [...on(v, bow(v)), [0.6, 1.1, 1, 0.5][k]]), 0.6);
  };
  for (let t = 0; t < 3.3; t += 0.0046 * 1.35 ** t) {
    const a = -66 + 360 * t, light = 0.5 + 0.5 * cos(a - 125), band = sin(t * 360 * 9) > 0.2;
    cross(t, random(0.02), 1 - random(0.05, 0.12) - 0.4 * light * random(), light > 0.75 ? MOSS[0] : MOSS[1], 0.9);
    if (random() > light * 0.7) cross(t, 0.52 + random(0.1), 0.99, MOSS[2], 1);
    if (random() > light * 1.1) cross(t, random(0.05), random(0.28, 0.5), MOSS[2], 1);
    if (band) cross(t + random(0.004), 0.03, random(0.5, 0.95), light > 0.7 ? MOSS[1] : MOSS[3], 0.9);
    if (random() > 0.45) cross(t, 0.84 + random(0.06), 1, MOSS[3], 1);
  }
  // the seam between the turns, broken in the light
  for (let t = 0; t < 3.4; t += 0.06) {
    const light = cos(-66 + 360 * t - 125);
    if (t < 1 && light > 0.35) continue;
    brush.set("2B", MOSS[3], t < 1 ? 0.8 : 0.9);
    brush.spline([0, 0.025, 0.05, 0.075].map((k, i) => [...edge(t + k), [0.6, 1.1, 1.1, 0.6][i]]), 0.7);
  }
  // neck in front of the shell's mouth, head, four horns
  brush.set("2B", MOSS[3], 0.9);
  brush.spline([[216, 398, 0.4], [170, 354, 1], [132, 322, 0.6]], 0.6);
  brush.spline([[70, 322, 0.6], [60, 338, 1.1], [70, 362, 1], [92, 398, 0.6]], 0.6);
  for (const [x, y, tx, ty, r] of [[112, 314, 128, 222, 8], [88, 314, 78, 214, 8], [72, 336, 40, 318, 4], [68, 350, 38, 350, 4]]) {
    const bend = 0.14 * (ty - y), mid = [lerp(x, tx, 0.5) - bend * 0.4, lerp(y, ty, 0.5)];
    for (const k of [-2.4, 0, 2.4]) { brush.set("pen", k > 0 ? MOSS[3] : MOSS[2], 1); brush.spline([[x + k * 2, y, 1], [mid[0] + k, mid[1], 1], [tx + k * 0.5, ty, 0.8]], 0.6); }
    for (let a = 0; a < 180; a += 18) brush.line(tx + r * cos(a), ty + r * sin(a), tx - r * cos(a), ty - r * sin(a));
  }
  brush.spline([[66, 366, 0.5], [80, 372, 1], [94, 370, 0.5]], 0.5);
  brush.set("cpencil", MOSS[1], 1);
  for (let i = 0; i < 50; i++) { const x = random(90, 530); brush.line(x, 490 + random(14), x + random(20, 60), 490 + random(14)); }
}
