// A magenta hibiscus with a dry brush: hard edges where paint settled, hair-thin veins, saw-toothed leaves
const X = 290, Y = 270;

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

// the flower is drawn flat and looked at from the lower right: x is squeezed and sheared
function place(x, y) { return [X + 0.86 * x + 0.1 * y, Y + 0.96 * y - 0.12 * x]; }

function dry(c, o, bleed, tex, rim, pts, curve) {
  brush.fill(c, o); brush.fillBleed(bleed); brush.fillTexture(tex, rim);
  brush.beginShape(curve);
  for (const [x, y] of pts) brush.vertex(x, y);
  brush.endShape(true);
}

// half outlines in petal space (u along, v across): left half and right half are never the same
const HALVES = {
  calm: [[0.05, 0.03], [0.25, 0.12], [0.48, 0.3], [0.7, 0.44], [0.86, 0.44], [0.96, 0.32], [0.95, 0.16], [1.0, 0.04]],
  frill: [[0.05, 0.04], [0.26, 0.16], [0.46, 0.36], [0.6, 0.5], [0.72, 0.46], [0.82, 0.52], [0.88, 0.38], [0.98, 0.34], [0.96, 0.2], [1.03, 0.1]],
  torn: [[0.05, 0.03], [0.3, 0.14], [0.5, 0.34], [0.66, 0.38], [0.7, 0.5], [0.84, 0.46], [0.84, 0.3], [0.97, 0.3], [0.94, 0.14], [1.02, 0.02]],
};
const PETALS = [
  { a: -118, l: 222, w: 236, left: "calm", right: "frill" },
  { a: -44, l: 236, w: 230, left: "torn", right: "calm" },
  { a: 24, l: 224, w: 236, left: "frill", right: "calm" },
  { a: 98, l: 232, w: 220, left: "frill", right: "torn" },
  { a: 172, l: 228, w: 232, left: "calm", right: "frill" },
];

function outline({ a, l, w, left, right }, k, narrow) {
  const go = ([u, v], s) => place(k * u * l * cos(a) - s * narrow * v * w * sin(a), k * u * l * sin(a) + s * narrow * v * w * cos(a));
  return HALVES[left].map(q => go(q, -1)).concat(HALVES[right].slice().reverse().map(q => go(q, 1)));
}

function vein({ a, l }, d, k) {
  const end = a + d, mid = a + d * 0.55;
  const p = place(26 * cos(a), 26 * sin(a)), q = place(l * k * 0.55 * cos(mid), l * k * 0.55 * sin(mid)), r = place(l * k * cos(end), l * k * sin(end));
  dry("#8c0f66", 120, 0.01, 0.2, 0.2, [p, [q[0] + 1.6, q[1] + 1.6], r, [q[0] - 1.6, q[1] - 1.6]], 0.5);
}

function leaf(x, y, l, w, g, c, dark) {
  const go = ([u, v]) => [x + u * l * cos(g) - v * w * sin(g), y + u * l * sin(g) + v * w * cos(g)];
  const teeth = [[0, 0], [0.14, 0.36], [0.22, 0.34], [0.34, 0.6], [0.42, 0.54], [0.56, 0.64], [0.62, 0.52], [0.76, 0.46], [0.82, 0.32], [1, 0.04],
    [0.84, -0.26], [0.74, -0.3], [0.64, -0.52], [0.54, -0.5], [0.42, -0.62], [0.34, -0.54], [0.2, -0.42], [0.12, -0.26]];
  dry(c, 200, 0.08, 0.7, 0.8, teeth.map(go), 0.25);
  dry(dark, 205, 0.08, 0.6, 0.7, [[0.04, 0.02], [0.2, 0.24], [0.4, 0.44], [0.58, 0.42], [0.8, 0.24], [0.96, 0.04], [0.6, 0.06], [0.3, 0.04]].map(go), 0.3);
  for (const u of [0.24, 0.42, 0.6]) dry(dark, 130, 0.01, 0.2, 0.3, [[u, -0.02], [u + 0.1, -0.2], [u + 0.18, -0.38], [u + 0.08, -0.2]].map(go), 0.3);
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf8f2");
  brush.noStroke();
  dry("#6f8f4a", 220, 0.02, 0.5, 0.7, [[344, 410], [356, 406], [384, 470], [398, 530], [404, 594], [392, 594], [384, 534], [370, 474]], 0.5);
  leaf(384, 470, 176, 82, 22, "#8fb168", "#3d7046");
  leaf(378, 500, 200, 84, 166, "#9ab96e", "#4a7d4c");
  leaf(398, 552, 130, 60, -6, "#a8c07c", "#4f7f4a");
  // the first wash dries to a dark line; the second stops short of it
  PETALS.forEach((p, i) => {
    dry(["#ef86bd", "#ea74b2", "#e867ac", "#ee80ba", "#f093c4"][i], 200, 0.07, 0.7, 0.95, outline(p, 1, 1), 0.4);
    dry("#d3268c", 150, 0.1, 0.8, 0.7, outline(p, 0.8, 0.66), 0.4);
    dry("#a3157a", 120, 0.12, 0.7, 0.4, outline({ ...p, left: p.right, a: p.a + 9 }, 0.72, 0.32), 0.4);
  });
  PETALS.forEach((p, i) => { for (const d of [-27, -17, -7, 3, 13, 24]) vein(p, d, 0.74 + 0.12 * sin(i * 90 + d * 31) - abs(d) * 0.003); });
  PETALS.forEach((p, i) => dry("#8c0f50", 205, 0.16, 0.5, 0.5, outline(p, 0.36 + 0.04 * (i % 3), 0.36), 0.4));
  PETALS.forEach((p, i) => dry("#4c0630", 215, 0.14, 0.4, 0.4, outline(p, 0.2, 0.3), 0.4));
  // column, crisp too, rose with pale anthers
  const col = (c, o, pts) => dry(c, o, 0.02, 0.3, 0.6, pts.map(([x, y]) => [X + x, Y + y]), 0.5);
  col("#e45c96", 255, [[-6, 2], [6, 6], [64, -36], [128, -92], [122, -102], [54, -50]]);
  col("#8e1150", 210, [[2, 6], [60, -36], [126, -94], [60, -42]]);
  for (let i = 0; i < 14; i++) {
    const t = 0.4 + 0.044 * i, d = (i % 2 ? 1 : -1) * (11 + 5 * sin(i * 77));
    dry(["#f4c54e", "#e99f36", "#fae3a0"][i % 3], 255, 0.02, 0.1, 0.7, [0, 60, 120, 180, 240, 300].map(g => [X + 126 * t + d * 0.6 + (6.5 + i % 3) * cos(g), Y - 98 * t + d * 0.8 + (6.5 + i % 3) * sin(g)]), 0.6);
  }
  for (let i = 0; i < 5; i++) col("#9c1240", 255, [0, 60, 120, 180, 240, 300].map(g => [134 + 17 * cos(i * 40 - 116) + 7 * cos(g), -104 + 17 * sin(i * 40 - 116) + 7 * sin(g)]));
}
