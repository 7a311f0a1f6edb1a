// A peach hibiscus with a half-open bud, a cool grey-green wash behind
const X = 262, Y = 318;
// direction, length, left half, right half, fold of the midrib
const P = [
  { g: -150, l: 216, a: 84, b: 108, f: -8 },
  { g: -82, l: 224, a: 112, b: 86, f: 10 },
  { g: 138, l: 196, a: 96, b: 84, f: 12 },
  { g: -8, l: 206, a: 90, b: 104, f: 8 },
  { g: 66, l: 222, a: 108, b: 92, f: -12 },
];

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

// place a point u along the petal's bending midrib and v across it
function put(p, u, v) {
  const g = p.g + p.f * u, x = p.l * u;
  brush.vertex(X + x * cos(g) - v * sin(g), Y + x * sin(g) + v * cos(g));
}
const SIDE = [[0.2, 0.3], [0.42, 0.68], [0.6, 0.93], [0.74, 1], [0.8, 0.9], [0.92, 0.84], [0.91, 0.62], [1, 0.44], [0.97, 0.2]];

// a petal is two halves, folded along the middle: either, or both
function halves(p, k, left, right) {
  brush.beginShape(0.5);
  put(p, 0.03, 0);
  SIDE.forEach(([u, v]) => put(p, u * k, -v * p.a * left));
  put(p, 1.02 * k, 0);
  SIDE.slice().reverse().forEach(([u, v], i) => put(p, u * k * (1 + 0.03 * sin(i * 110)), v * p.b * right));
  brush.endShape(true);
}

function poly(c, o, curve, pts) {
  brush.fill(c, o);
  brush.beginShape(curve);
  pts.forEach(q => brush.vertex(q[0], q[1]));
  brush.endShape(true);
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf7ef");
  brush.noStroke();
  // the cool wash: broad, wet and uneven
  brush.fillBleed(0.4); brush.fillTexture(0.75, 0.15);
  poly("#a9bfb4", 95, 0.6, [[60, 130], [200, 60], [400, 40], [560, 120], [570, 300], [520, 440], [400, 540], [220, 560], [90, 480], [40, 300]]);
  poly("#8fada6", 80, 0.6, [[330, 60], [470, 60], [560, 150], [550, 300], [470, 380], [400, 240]]);
  // the twig with its bud, and two leaves
  brush.fillBleed(0.12); brush.fillTexture(0.5, 0.5);
  poly("#6f8f5c", 205, 0.6, [[322, 420], [398, 400], [460, 330], [482, 240], [490, 244], [474, 340], [412, 416], [330, 434]]);
  brush.fillBleed(0.2);
  poly("#86a676", 190, 0.5, [[392, 398], [452, 384], [520, 410], [572, 476], [500, 478], [436, 448]]);
  poly("#4f7a58", 190, 0.5, [[398, 404], [456, 400], [512, 424], [550, 464], [494, 456], [436, 430]]);
  poly("#86a676", 185, 0.5, [[196, 424], [140, 456], [76, 502], [44, 566], [120, 552], [184, 492]]);
  poly("#4f7a58", 185, 0.5, [[192, 436], [140, 474], [88, 518], [62, 552], [116, 532], [168, 486]]);
  // the bud: petals rolled round one another
  brush.fillBleed(0.16); brush.fillTexture(0.45, 0.5);
  poly("#f6a67c", 215, 0.5, [[476, 236], [452, 180], [462, 120], [492, 84], [516, 124], [522, 184], [498, 238]]);
  poly("#ea7350", 185, 0.5, [[486, 236], [474, 176], [490, 112], [508, 96], [524, 130], [522, 190], [500, 236]]);
  poly("#d94f3c", 170, 0.5, [[478, 234], [458, 190], [464, 140], [486, 168], [494, 234]]);
  brush.fillBleed(0.08);
  poly("#6f9a5c", 225, 0.5, [[470, 250], [452, 206], [462, 196], [480, 218], [490, 184], [500, 218], [520, 198], [524, 210], [504, 250], [486, 262]]);
  poly("#43703f", 200, 0.5, [[474, 250], [466, 226], [484, 236], [494, 214], [500, 248], [486, 258]]);
  // petals in pale peach, then one half of each deeper
  P.forEach((p, i) => { brush.fillBleed(0.26); brush.fillTexture(0.5, 0.5); brush.fill(["#f8b58c", "#f6a67e", "#fac09a"][i % 3], 215); halves(p, 1, 1, 1); });
  P.forEach((p, i) => { brush.fillBleed(0.24); brush.fillTexture(0.5, 0.4); brush.fill(["#ee8350", "#ea7850", "#f09060"][i % 3], 165); halves(p, 0.88, i % 2 ? 0.8 : 0.12, i % 2 ? 0.1 : 0.82); });
  P.forEach((p, i) => { brush.fillBleed(0.26); brush.fillTexture(0.5, 0.4); brush.fill("#e65f48", 150); halves(p, 0.6 + 0.04 * (i % 2), 0.36, 0.4); });
  P.forEach((p, i) => { brush.fillBleed(0.34); brush.fillTexture(0.35, 0.25); brush.fill("#c22a1c", 215); halves(p, [0.36, 0.3, 0.34, 0.4, 0.32][i], 0.2, 0.2); });
  // veins
  brush.fillBleed(0.06); brush.fillTexture(0.4, 0.2);
  P.forEach((p, i) => { for (const d of [-14, 10]) { brush.fill("#dc6a48", 70); halves({ ...p, g: p.g + d }, 0.78 - 0.03 * ((i + d) % 3), 0.025, 0.025); } });
  brush.fillBleed(0.2); brush.fillTexture(0.25, 0.4);
  for (const [c, k] of [["#9c1614", 1], ["#6e0c14", 0.6]]) poly(c, 255, 0.6, [[-30, -20], [-8, -16], [-4, -38], [10, -16], [34, -6], [20, 10], [16, 36], [-2, 18], [-26, 28], [-18, 4]].map(q => [X + q[0] * k, Y + q[1] * k]));
  // the column, leaning to the left and down
  brush.fillBleed(0.05); brush.fillTexture(0.25, 0.5);
  const col = [[4, -8], [8, 6], [-50, 52], [-122, 82], [-126, 70], [-58, 38]];
  poly("#e0552c", 250, 0.6, col.map(q => [X + q[0], Y + q[1]]));
  poly("#c23a1c", 245, 0.6, col.map(q => [X + q[0] * 0.95, Y + q[1] * 0.95]));
  poly("#9c1a1c", 245, 0.6, col.map(q => [X + q[0] * 0.72, Y + q[1] * 0.72]));
  for (let i = 0; i < 10; i++) {
    const t = i / 9, d = (i % 2 ? 1 : -1) * (10 + 5 * sin(i * 77));
    brush.fill(["#f0a820", "#e88a18", "#f6c440"][i % 3], 245); brush.circle(X - 54 - 66 * t + d * 0.4, Y + 44 + 32 * t + d * 0.9, 6 + i % 3, 0.3);
  }
  for (let i = 0; i < 5; i++) { brush.fill("#a8161e", 250); brush.circle(X - 126 + 16 * cos(i * 42 + 76), Y + 78 + 16 * sin(i * 42 + 76), 6.5, 0.2); }
}
