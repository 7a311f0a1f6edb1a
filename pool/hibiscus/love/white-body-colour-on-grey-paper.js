// Two white hibiscus with red eyes on grey paper: body white pulled outward in three strokes a petal, the paper between them is the shadow
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

function dip(c, o, bleed, tex, rim) { brush.fill(c, o); brush.fillBleed(bleed); brush.fillTexture(tex, rim); }

// flower: middle, size, squeeze of its height, and each petal's angle, reach and breadth in degrees
const FLOWERS = [
  { x: 192, y: 168, k: 0.62, flat: 0.74, col: -150, petals: [[-166, 200, 76], [-94, 206, 80], [-22, 214, 78], [48, 196, 76], [120, 190, 74]] },
  { x: 366, y: 346, k: 1.04, flat: 0.95, col: -58, petals: [[-128, 206, 80], [-52, 212, 82], [22, 216, 80], [92, 198, 78], [164, 214, 82]] },
];
const RIM = [0.66, 0.88, 1, 0.93, 1.03, 0.96, 1.02, 0.86, 0.62];

function fan(f, [a, l, w], from, to, k, s) {
  brush.beginShape(0.5);
  brush.vertex(f.x + 8 * cos(a), f.y + 8 * sin(a));
  for (let i = 0; i < 9; i++) {
    const g = a + w * lerp(from, to, i / 8), r = l * k * f.k * lerp(1, RIM[s % 2 ? 8 - i : i], to - from) * (1 + 0.03 * sin(i * 140 + s * 60));
    brush.vertex(f.x + r * cos(g), f.y + f.flat * r * sin(g));
  }
  brush.endShape(true);
}

// the red runs out of the throat in uneven flames
function flames(f, r, s) {
  brush.beginShape(0.5);
  for (let i = 0; i < 25; i++) {
    const g = f.petals[0][0] + i * 14.4 + 5 * sin(i * 77 + s), q = f.k * r * [1, 0.62, 0.44, 0.5, 0.74][i % 5] * (1 + 0.16 * sin(i * 143 + s));
    brush.vertex(f.x + q * cos(g), f.y + f.flat * q * sin(g));
  }
  brush.endShape(true);
}

function leaf(x, y, l, w, g) {
  const go = ([u, v]) => brush.vertex(x + u * l * cos(g) - v * w * sin(g), y + u * l * sin(g) + v * w * cos(g));
  dip("#5f8663", 205, 0.2, 0.5, 0.4); brush.beginShape(0.5); [[0, 0], [0.2, 0.5], [0.5, 0.8], [0.8, 0.44], [1, -0.05], [0.76, -0.5], [0.46, -0.74], [0.18, -0.44]].forEach(go); brush.endShape(true);
  dip("#2f5d55", 205, 0.18, 0.5, 0.4); brush.beginShape(0.5); [[0.06, 0.04], [0.4, 0.5], [0.7, 0.36], [0.96, -0.04], [0.6, 0], [0.3, -0.04]].forEach(go); brush.endShape(true);
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#ced0c6");
  brush.noStroke();
  dip("#8f9db4", 120, 0.5, 0.6, 0.05); brush.circle(440, 230, 130, 0.5);
  dip("#9aa78f", 130, 0.5, 0.6, 0.05); brush.circle(200, 400, 140, 0.5);
  leaf(236, 420, 170, 66, 150); leaf(300, 490, 130, 56, 140); leaf(276, 210, 170, 56, -36); leaf(118, 246, 120, 46, 112);
  // a shut bud on its own stalk, upper right
  dip("#5f8258", 225, 0.06, 0.4, 0.5); brush.beginShape(0.5); [[440, 180], [450, 184], [484, 130], [500, 96], [490, 92], [470, 128]].forEach(q => brush.vertex(...q)); brush.endShape(true);
  dip("#ffffff", 255, 0.08, 0.1, 0.3); brush.beginShape(0.5); [[484, 78], [478, 40], [500, 14], [522, 36], [516, 78], [500, 90]].forEach(q => brush.vertex(...q)); brush.endShape(true);
  dip("#a99cc0", 130, 0.2, 0.5, 0.2); brush.beginShape(0.5); [[502, 84], [500, 46], [510, 24], [518, 46], [514, 76]].forEach(q => brush.vertex(...q)); brush.endShape(true);
  dip("#5f8a58", 240, 0.1, 0.4, 0.5); brush.beginShape(0.4); [[494, 106], [474, 80], [478, 54], [492, 74], [502, 50], [510, 74], [526, 56], [522, 84], [504, 106]].forEach(q => brush.vertex(...q)); brush.endShape(true);
  for (const f of FLOWERS) {
    f.petals.forEach((p, i) => { dip("#ffffff", 190, 0.16, 0.3, 0.4); fan(f, p, -0.5, 0.5, 1, i); dip(["#8d8fb8", "#8fa3b4", "#a394b8"][i % 3], 70, 0.2, 0.5, 0.6); fan(f, p, -0.5, 0.5, 0.98, i); });
    f.petals.forEach((p, i) => {
      for (const [from, to, k] of [[-0.46, -0.19, 0.93], [-0.13, 0.13, 0.99], [0.2, 0.45, 0.92]]) { dip("#ffffff", 255, 0.12, 0.1, 0.2); fan(f, p, from + 0.04 * sin(i * 99), to, k, i); }
      dip(i % 2 ? "#7f86a8" : "#8d7fa6", 110, 0.25, 0.5, 0.15); fan(f, p, i % 2 ? 0.3 : -0.46, i % 2 ? 0.47 : -0.26, 0.84, i);
    });
    // the eye, wet, then in flames
    dip("#e2506a", 130, 0.6, 0.5, 0); brush.circle(f.x, f.y, 58 * f.k, 0.7);
    dip("#d4203c", 190, 0.35, 0.5, 0.1); flames(f, 104, 0); dip("#b30f2e", 210, 0.28, 0.4, 0.15); flames(f, 70, 40);
    dip("#5c0620", 235, 0.3, 0.3, 0.3); brush.circle(f.x, f.y, 22 * f.k, 0.5);
    const at = (t, d) => [f.x + f.k * (128 * t * cos(f.col) - d * sin(f.col)), f.y + f.k * (128 * t * sin(f.col) + d * cos(f.col))];
    dip("#f2cc6c", 255, 0.04, 0.2, 0.5); brush.beginShape(0.5); [at(0, -8), at(0.5, -7), at(1, -5), at(1, 5), at(0.5, 6), at(0, 7)].forEach(q => brush.vertex(...q)); brush.endShape(true);
    for (let i = 0; i < 12; i++) { dip(["#eeb02a", "#fbe08a", "#dd8f1f"][i % 3], 255, 0.05, 0.1, 0.5); brush.circle(...at(0.42 + i * 0.05, (i % 2 ? 1 : -1) * (12 + 4 * sin(i * 77))), 5 + 2.6 * f.k + i % 2, 0.4); }
    for (const d of [-14, -5, 5, 14]) { dip("#b51b33", 255, 0.05, 0.1, 0.5); brush.circle(...at(1.1 - abs(d) * 0.004, d), 4 + 3.6 * f.k, 0.4); }
  }
}
