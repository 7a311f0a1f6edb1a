// A coral branch that tells the whole week: shut buds at its tip, one half open, one open flower at its foot
const OPEN = { x: 206, y: 392 };

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

function wash(c, o, bleed, tex, rim, pts, curve = 0.5) {
  brush.fill(c, o); brush.fillBleed(bleed); brush.fillTexture(tex, rim);
  brush.beginShape(curve);
  for (const [x, y] of pts) brush.vertex(x, y);
  brush.endShape(true);
}

const put = (pts, x, y, g, k) => pts.map(([u, v]) => [x + k * (u * cos(g) - v * sin(g)), y + k * (u * sin(g) + v * cos(g))]);

// a bud at any stage: the further open, the wider and longer the furled colour
function bud(x, y, g, k, open) {
  const l = 40 + 46 * open, w = 12 + 16 * open;
  wash("#f0876a", 225, 0.16, 0.5, 0.5, put([[12, -w * 0.7], [l * 0.6, -w * 1.2], [l, -w * 0.5], [l * 1.08, w * 0.2], [l * 0.9, w * 0.9], [l * 0.5, w], [12, w * 0.7]], x, y, g, k));
  wash("#d4473c", 175, 0.18, 0.5, 0.3, put([[14, 0], [l * 0.6, -w * 0.3], [l, 0], [l * 0.8, w * 0.7], [l * 0.4, w * 0.8]], x, y, g, k));
  if (open > 0.5) wash("#f8b08f", 200, 0.2, 0.5, 0.5, put([[16, -w * 0.5], [l * 0.6, -w * 1.4], [l * 1.1, -w * 1.5], [l * 1.15, -w * 0.8], [l * 0.7, -w * 0.3]], x, y, g, k));
  wash("#84a55a", 245, 0.1, 0.45, 0.5, put([[-14, -5], [2, -16], [34, -w * 1.1], [20, -4], [40, 2], [20, 7], [32, w], [2, 15], [-14, 5]], x, y, g, k), 0.4);
  wash("#4a7a42", 200, 0.12, 0.4, 0.4, put([[-10, 0], [6, 2], [34, 2], [18, 8], [26, w * 0.8], [2, 12]], x, y, g, k), 0.4);
}

function leaf(x, y, l, w, g) {
  const q = pts => pts.map(([u, v]) => [x + u * l * cos(g) - v * w * sin(g), y + u * l * sin(g) + v * w * cos(g)]);
  wash("#96b26a", 200, 0.2, 0.55, 0.45, q([[0, 0], [0.18, 0.5], [0.42, 0.86], [0.6, 0.68], [0.8, 0.54], [1, 0], [0.76, -0.42], [0.46, -0.7], [0.16, -0.42]]));
  wash("#3f7450", 205, 0.18, 0.5, 0.35, q([[0.05, 0], [0.4, -0.04], [0.95, 0], [0.72, -0.34], [0.44, -0.5], [0.2, -0.3]]));
}

// the open flower, drawn edge by edge, turned a little to the left
const PETALS = [
  [[2, -4], [-40, -60], [-70, -118], [-58, -160], [-26, -166], [-8, -186], [34, -176], [56, -146], [50, -84], [20, -10]],
  [[6, -4], [54, -66], [98, -104], [140, -96], [146, -64], [166, -36], [146, 0], [92, 10], [30, 8]],
  [[6, 2], [74, 14], [126, 40], [140, 82], [112, 104], [104, 136], [62, 136], [30, 86]],
  [[4, 6], [26, 76], [14, 138], [-22, 156], [-46, 136], [-84, 146], [-104, 110], [-76, 54], [-14, 10]],
  [[0, 2], [-56, 36], [-114, 52], [-152, 30], [-146, 0], [-170, -30], [-150, -72], [-104, -84], [-44, -46]],
];

function draw() {
  translate(-width / 2, -height / 2);
  background("#fcf6ed");
  brush.noStroke();
  wash("#bed2cf", 95, 0.5, 0.7, 0.05, [[300, 90], [480, 50], [560, 170], [500, 320], [360, 320], [280, 220]], 0.7);
  wash("#ecd9b4", 90, 0.5, 0.7, 0.05, [[50, 250], [180, 190], [330, 280], [340, 470], [180, 560], [50, 450]], 0.7);
  // the branch, wood below and green above
  for (const [c, q] of [["#8f7f58", [[352, 420], [362, 432], [440, 392], [486, 340], [474, 334], [430, 380]]], ["#899652", [[472, 344], [486, 346], [512, 270], [520, 200], [508, 198], [500, 266]]],
    ["#829c4e", [[508, 206], [520, 206], [516, 140], [500, 90], [490, 94], [504, 144]]], ["#829c4e", [[478, 340], [484, 330], [424, 272], [396, 246], [390, 254], [420, 284]]],
    ["#829c4e", [[510, 236], [516, 226], [450, 178], [424, 150], [416, 156], [444, 190]]]]) wash(c, 220, 0.07, 0.55, 0.5, q);
  leaf(470, 352, 116, 50, 62); leaf(514, 262, 92, 40, 28); leaf(428, 388, 130, 54, 96); leaf(512, 160, 80, 34, 12); leaf(446, 300, 100, 40, 168);
  bud(496, 82, -108, 0.86, 0.1); bud(414, 146, -128, 1, 0.3); bud(536, 140, -50, 0.6, 0); bud(384, 238, -138, 1.2, 1);
  // petals: light pass, shade within, and a rosy pool near the throat
  const at = (p, k, i) => p.map(([x, y], j) => [OPEN.x + x * (k + 0.05 * sin(j * 137 + i * 50)), OPEN.y + y * (k + 0.05 * cos(j * 101 + i * 50))]);
  PETALS.forEach((p, i) => {
    wash(["#f8b095", "#f49375", "#f28768", "#f59c7d", "#f8a98c"][i], 210, 0.26, 0.5, 0.5, at(p, 1, i));
    wash(["#e8684e", "#dd5142", "#e05a46", "#e4634a", "#ea7458"][i], [110, 175, 165, 150, 120][i], 0.28, 0.6, 0.3, at(p, 0.74, i));
  });
  PETALS.forEach((p, i) => wash("#c52a44", 170, 0.35, 0.5, 0.1, at(p, 0.4 + 0.04 * (i % 3), i)));
  PETALS.forEach((p, i) => wash("#7e0f30", 200, 0.28, 0.4, 0.2, at(p, 0.19, i)));
  wash("#5a0a26", 225, 0.3, 0.4, 0.2, at([[-16, -6], [2, -18], [18, -4], [10, 16], [-10, 14]], 1, 0));
  for (const [x, y] of [[-18, -130], [14, -136], [96, -62], [112, -26], [88, 76], [62, 92], [-18, 108], [-52, 100], [-104, 22], [-116, -20]])
    wash("#cf4a48", 75, 0.05, 0.4, 0.2, [[OPEN.x + x * 0.26, OPEN.y + y * 0.26], [OPEN.x + x * 0.6 + 3, OPEN.y + y * 0.6 - 2], [OPEN.x + x, OPEN.y + y], [OPEN.x + x * 0.6 - 3, OPEN.y + y * 0.6 + 2]]);
  // column to the upper left, away from the branch
  wash("#ef9a5c", 255, 0.04, 0.25, 0.5, put([[0, -7], [60, -8], [130, -5], [132, 5], [60, 6], [0, 7]], OPEN.x, OPEN.y, -142, 1));
  for (let i = 0; i < 13; i++) { const [[x, y]] = put([[54 + i * 6.4, (i % 2 ? 1 : -1) * (11 + 4 * sin(i * 77))]], OPEN.x, OPEN.y, -142, 1); brush.fill(["#f4ba3e", "#e68f2a", "#fbdd88"][i % 3], 255); brush.circle(x, y, 7 + i % 2, 0.4); }
  for (let i = 0; i < 4; i++) { const [[x, y]] = put([[142, -15 + 10 * i]], OPEN.x, OPEN.y, -142, 1); brush.fill("#a3162f", 255); brush.circle(x, y, 7.5, 0.4); }
}
