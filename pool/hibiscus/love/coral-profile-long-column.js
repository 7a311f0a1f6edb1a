// A coral hibiscus in profile, leaning right, with a long column and arching leaves
const X = 248, Y = 322;   // where the petals leave the calyx

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

// every shape is drawn by its own outline, moved, turned and scaled
function shape(pts, x, y, g, sx, sy, curve) {
  brush.beginShape(curve);
  for (const [u, v] of pts) brush.vertex(x + u * sx * cos(g) - v * sy * sin(g), y + u * sx * sin(g) + v * sy * cos(g));
  brush.endShape(true);
}

// petals seen from the side: one edge long and curled, the other short
const CURL = [[0, -0.05], [0.28, -0.3], [0.55, -0.5], [0.8, -0.62], [0.95, -0.5], [0.9, -0.34], [1.04, -0.2], [0.98, -0.02], [1.06, 0.14],
  [0.95, 0.26], [0.9, 0.42], [0.72, 0.44], [0.5, 0.36], [0.24, 0.2], [0, 0.06]];
const SAIL = [[0, -0.05], [0.3, -0.24], [0.56, -0.48], [0.78, -0.52], [0.86, -0.4], [0.98, -0.36], [0.95, -0.14], [1.05, 0.02], [0.97, 0.2],
  [1, 0.36], [0.84, 0.5], [0.66, 0.46], [0.4, 0.3], [0.18, 0.12]];
const LEAF = [[0, 0], [0.14, 0.26], [0.34, 0.4], [0.56, 0.5], [0.8, 0.62], [1, 0.86], [0.92, 0.4], [0.74, 0.02], [0.5, -0.22], [0.26, -0.26], [0.1, -0.14]];
const SLIVER = [[0, -0.5], [0.5, -0.7], [1, 0], [0.5, 0.6], [0, 0.5]];

// outline, angle, length, breadth, wash
const P = [
  [SAIL, -112, 196, 190, "#f59678"],
  [CURL, -16, 226, 176, "#f08a72"],
  [SAIL, -74, 222, 206, "#f2846a"],
  [CURL, 34, 200, 168, "#f3967c"],
  [SAIL, -40, 190, 150, "#ea6f52"],
];

function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ef");
  brush.noStroke();
  // stem, arching up from the lower left corner
  brush.fillBleed(0.12); brush.fillTexture(0.5, 0.5);
  for (const [c, o] of [["#7d9a5c", 190], ["#567a45", 150]]) {
    brush.fill(c, o);
    brush.beginShape(0.6);
    [[238, 330], [252, 342], [206, 420], [176, 500], [168, 594], [152, 594], [158, 494], [188, 410]].forEach(q => brush.vertex(q[0], q[1]));
    brush.endShape(true);
  }
  // arching leaves
  brush.fillBleed(0.2); brush.fillTexture(0.55, 0.45);
  [[172, 500, -6, 250, 120, "#8cab62"], [170, 470, 196, 140, -90, "#9ab571"], [164, 540, 28, 150, 80, "#7e9f5b"]].forEach(([x, y, g, l, w, c]) => {
    brush.fill(c, 185); shape(LEAF, x, y, g, l, w, 0.5);
    brush.fill("#4d7a3c", 190); shape(LEAF, x + 8 * cos(g), y + 8 * sin(g), g + 1, l * 0.8, w * 0.62, 0.5);
  });
  // petals
  P.forEach(([s, g, l, w, c], i) => {
    brush.fillBleed(0.26); brush.fillTexture(0.5, 0.5); brush.fill(c, 205); shape(s, X, Y, g, l, w, 0.5);
    brush.fillBleed(0.24); brush.fillTexture(0.5, 0.4); brush.fill("#e5532f", [130, 165, 120, 150, 175][i]); shape(s, X, Y, g + 5, l * 0.74, w * 0.62, 0.5);
  });
  // warmth in the cup
  brush.fillBleed(0.3); brush.fillTexture(0.4, 0.3);
  P.forEach(([s, g, l, w], i) => { brush.fill("#cf2f2a", 165); shape(s, X, Y, g - 3, l * (0.42 + 0.03 * (i % 3)), w * 0.3, 0.5); });
  // veins
  brush.fillBleed(0.06); brush.fillTexture(0.4, 0.2);
  P.forEach(([s, g, l], i) => { for (const d of [-12, 6]) { brush.fill("#d4553f", 66); shape(SLIVER, X, Y, g + d, l * (0.72 + 0.04 * sin(i * 90 + d * 20)), 5, 0.5); } });
  // calyx
  brush.fillBleed(0.12); brush.fillTexture(0.4, 0.5);
  for (const [g, l] of [[-78, 56], [-32, 50], [14, 58]]) { brush.fill("#6f9450", 225); shape(SAIL, X - 24, Y + 22, g, l, 44, 0.4); }
  brush.fill("#4c7738", 210); shape(SAIL, X - 24, Y + 22, -34, 40, 34, 0.4);
  // long staminal column
  brush.fillBleed(0.05); brush.fillTexture(0.3, 0.5);
  for (const [c, k] of [["#e2513c", 1], ["#c9332c", 0.84], ["#a8201f", 0.5]]) {
    brush.fill(c, 240);
    brush.beginShape(0.6);
    [[20, -22], [26, -10], [150, -62], [297, -152], [289, -162], [142, -76]].forEach(q => brush.vertex(X + q[0] * k, Y + q[1] * k));
    brush.endShape(true);
  }
  for (let i = 0; i < 11; i++) {
    const t = i / 10, d = (i % 2 ? 1 : -1) * (9 + 6 * abs(sin(i * 61)));
    brush.fill(["#f0ae2c", "#e58b1e", "#f6c84e"][i % 3], 240); brush.circle(X + 172 + 116 * t + d * 0.5, Y - 84 - 68 * t + d * 0.86, 5.5 + i % 3, 0.3);
  }
  for (let i = 0; i < 5; i++) { brush.fill("#b3202c", 245); brush.circle(X + 292 + 18 * cos(i * 38 - 104), Y - 157 + 18 * sin(i * 38 - 104), 6.5, 0.2); }
}
