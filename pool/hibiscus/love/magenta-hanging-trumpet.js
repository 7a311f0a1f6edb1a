// A magenta hibiscus that hangs from the top of the sheet, seen from its side like a trumpet
const X = 316, Y = 132;

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

function wash(colour, opacity, bleed, texture, rim, curve, pts) {
  brush.fill(colour, opacity); brush.fillBleed(bleed); brush.fillTexture(texture, rim);
  brush.beginShape(curve);
  for (const [x, y] of pts) brush.vertex(X + x, Y + y);
  brush.endShape(true);
}

// the five petals from the back to the front, each drawn along its own edge
const PETALS = [
  [[-8, 12], [-62, 52], [-128, 84], [-190, 112], [-222, 158], [-196, 184], [-208, 222], [-168, 238], [-128, 222], [-84, 190], [-36, 120]],
  [[10, 10], [72, 44], [140, 62], [204, 88], [240, 142], [212, 170], [218, 210], [172, 226], [140, 214], [104, 216], [48, 130]],
  [[-12, 20], [-40, 120], [-58, 220], [-40, 274], [-8, 262], [22, 290], [54, 264], [88, 270], [84, 200], [48, 110], [14, 20]],
  [[-12, 14], [-70, 84], [-130, 170], [-166, 240], [-150, 286], [-112, 280], [-98, 318], [-54, 306], [-30, 270], [-6, 240], [6, 130], [6, 30]],
  [[-4, 24], [10, 130], [36, 236], [60, 290], [104, 318], [128, 286], [166, 286], [174, 240], [140, 166], [84, 90], [14, 14]],
];
// a glaze keeps the petal's edge but draws back towards the calyx, more on one side than on the other
const back = (pts, k, lean) => pts.map(([x, y], i) => [x * (k + 0.04 * sin(i * 137)) + lean, y * (k + 0.05 * sin(i * 97))]);

function leaf(pts, inner) {
  wash("#8fae72", 190, 0.2, 0.55, 0.45, 0.5, pts);
  wash("#3f7350", 205, 0.18, 0.5, 0.4, 0.5, inner);
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf7f0");
  brush.noStroke();
  wash("#c3d2dc", 90, 0.5, 0.7, 0.05, 0.7, [[-240, 60], [-120, -60], [60, -80], [210, 0], [236, 160], [120, 330], [-90, 350], [-220, 250]]);
  // branch from the upper left, and the stalk that bends over
  wash("#8b7a5e", 210, 0.06, 0.6, 0.5, 0.5, [[-312, -76], [-180, -104], [-40, -112], [-36, -100], [-176, -88], [-312, -54]]);
  wash("#7b9150", 220, 0.05, 0.5, 0.5, 0.5, [[-60, -112], [-20, -104], [2, -72], [7, -14], [-6, -14], [-12, -66], [-30, -94], [-62, -100]]);
  leaf([[-170, -96], [-200, -60], [-214, -10], [-196, 46], [-162, 86], [-146, 30], [-140, -30], [-150, -76]], [[-172, -70], [-192, -20], [-182, 34], [-162, 64], [-160, 6], [-160, -44]]);
  leaf([[-30, -104], [40, -118], [112, -112], [178, -84], [220, -40], [140, -46], [60, -66], [4, -84]], [[0, -98], [60, -104], [126, -92], [176, -66], [110, -66], [40, -80]]);
  // column behind the front petals
  wash("#d9588f", 245, 0.05, 0.3, 0.5, 0.5, [[8, 200], [22, 200], [48, 300], [76, 392], [64, 398], [34, 304]]);
  PETALS.forEach((p, i) => {
    wash(["#e86bb0", "#e25aa6", "#c9307f", "#e560ad", "#dc4a9e"][i], [175, 175, 170, 185, 185][i], 0.24, 0.5, 0.5, 0.5, p);
    wash("#c31f83", [130, 140, 190, 150, 160][i], 0.24, 0.6, 0.35, 0.5, back(p, 0.78, i % 2 ? 6 : -2));
  });
  // light glances off the shoulder; the far side of the trumpet is violet
  wash("#7a2a90", 110, 0.35, 0.6, 0.1, 0.6, [[6, 40], [70, 90], [130, 150], [160, 220], [120, 220], [60, 160]]);
  PETALS.forEach((p, i) => wash("#97105f", 150, 0.28, 0.5, 0.2, 0.5, back(p, 0.42, 0)));
  // veins
  for (const [x, y] of [[-150, 160], [-176, 190], [-96, 250], [-70, 268], [-124, 236], [96, 250], [120, 240], [70, 250], [170, 150], [186, 176]])
    wash("#a0136c", 80, 0.05, 0.3, 0.3, 0.5, [[x * 0.2, y * 0.24], [x * 0.56 + 4, y * 0.62], [x, y], [x * 0.52 - 4, y * 0.62]]);
  // calyx and its little bracts
  wash("#7fa058", 240, 0.1, 0.45, 0.5, 0.4, [[-8, -20], [8, -20], [24, 10], [34, 56], [16, 38], [4, 66], [-8, 36], [-28, 58], [-22, 12]]);
  wash("#456f3a", 200, 0.12, 0.4, 0.4, 0.4, [[2, -14], [16, 8], [24, 40], [12, 30], [4, 46], [-2, 10]]);
  // pollen and the five stigmas
  for (let i = 0; i < 14; i++) {
    const t = 0.35 + i * 0.048, d = (i % 2 ? 1 : -1) * (11 + 6 * sin(i * 71));
    brush.fill(["#efb433", "#e3902a", "#f7d26c"][i % 3], 245); brush.fillBleed(0.04); brush.circle(X + 28 + 52 * t + d, Y + 280 + 116 * t - d * 0.3, 6.5 + i % 3, 0.4);
  }
  for (let i = 0; i < 5; i++) { brush.fill("#8d1240", 250); brush.circle(X + 72 + 18 * cos(i * 40 - 10), Y + 400 + 14 * sin(i * 40 - 10), 7.5, 0.4); }
}
