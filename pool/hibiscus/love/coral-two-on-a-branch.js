// Two coral hibiscus flowers, one large and one small, on one branch
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

function glaze(colour, opacity, bleed, texture, edge) {
  brush.fill(colour, opacity); brush.fillBleed(bleed); brush.fillTexture(texture, edge);
}

function outline(points, curve) {
  brush.beginShape(curve);
  for (const [x, y] of points) brush.vertex(x, y);
  brush.endShape(true);
}

// one side of a petal that lies along x from the origin: midrib to ruffled edge; side is 1 or -1
const EDGE = [[0.1, 0.08], [0.28, 0.34], [0.46, 0.42], [0.6, 0.56], [0.74, 0.52], [0.84, 0.56], [0.93, 0.4], [1.0, 0.34], [0.98, 0.16]];
function half(len, wid, side, k, rib) {
  const pts = EDGE.map(([u, v], i) => [u * len * k, side * v * wid * k * (1 + 0.1 * sin(i * 125 + wid * 9))]);
  outline([[0, 0], ...pts, [len * k * 0.95, rib], [len * k * 0.5, rib]], 0.55);
}

// a whole flower at the origin, every petal its own length, breadth and turn, squeezed by its view
function flower(size, petals) {
  for (const [deg, l, w, tone] of petals) {
    const len = size * l, wid = size * w;
    push();
    rotate(deg);
    glaze(["#ee5a44", "#f2704f", "#e84a4a"][tone], 175, 0.24, 0.45, 0.5);
    outline([[0, 0], ...EDGE.map(([u, v], i) => [u * len, v * wid * (1 + 0.1 * sin(i * 125))]), ...EDGE.map(([u, v], i) => [u * len * 0.97, -v * wid * (1 + 0.12 * sin(i * 161))]).reverse()], 0.55);
    glaze(["#e03a3c", "#e8503a", "#cf2f45"][tone], 135, 0.26, 0.5, 0.4);
    half(len, wid, tone === 1 ? 1 : -1, 0.9, wid * 0.05);
    glaze("#bf1f3c", 165, 0.32, 0.5, 0.2);
    half(len, wid * 0.8, tone === 1 ? -1 : 1, 0.5, -wid * 0.12);
    if (size > 150) {
      glaze("#b8283c", 75, 0.06, 0.3, 0.3);
      outline([[len * 0.15, -3], [len * 0.5, -6], [len * 0.78, -12], [len * 0.5, 1], [len * 0.15, 3]], 0.5);
    }
    pop();
  }
  glaze("#861035", 215, 0.3, 0.35, 0.2);
  outline([[-0.12, 0], [-0.06, -0.12], [0.08, -0.13], [0.15, 0], [0.06, 0.13], [-0.07, 0.1]].map(([x, y]) => [x * size, y * size]), 0.6);
}

// the column, r long, at the origin and along x
function column(r) {
  glaze("#f4c05a", 245, 0.06, 0.2, 0.5);
  outline([[0, -r * 0.04], [r * 0.6, -r * 0.06], [r, -r * 0.12], [r * 1.02, 0], [r * 0.6, r * 0.05], [0, r * 0.05]], 0.5);
  for (let i = 0; i < 8; i++) {
    glaze(["#f5b92e", "#e98d1f", "#f8d468"][i % 3], 240, 0.04, 0.05, 0.5);
    const x = r * (0.52 + i * 0.07), y = r * (-0.05 + 0.15 * sin(i * 137)), d = r * (0.045 + 0.012 * (i % 3));
    outline([0, 51, 103, 154, 206, 257, 309].map(a => [x + d * cos(a), y + d * sin(a)]), 0.5);
  }
}

function leaf(x, y, len, wid, deg) {
  push(); translate(x, y); rotate(deg);
  glaze("#86a352", 185, 0.18, 0.45, 0.5);
  outline([[0, 0], [len * 0.25, -wid], [len * 0.55, -wid * 1.1], [len * 0.8, -wid * 0.6], [len, wid * 0.1], [len * 0.7, wid * 0.8], [len * 0.4, wid], [len * 0.15, wid * 0.6]], 0.5);
  glaze("#2f7050", 185, 0.24, 0.45, 0.4);
  outline([[len * 0.06, 0], [len * 0.3, -wid * 0.8], [len * 0.6, -wid * 0.7], [len * 0.88, 0], [len * 0.5, wid * 0.14]], 0.5);
  pop();
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#fdf6eb");
  brush.noStroke();
  glaze("#f2b184", 90, 0.5, 0.6, 0.1);
  outline([[40, 200], [150, 60], [330, 50], [430, 180], [330, 380], [150, 420]], 0.6);
  glaze("#8fb5a6", 95, 0.5, 0.6, 0.1);
  outline([[380, 240], [520, 180], [570, 330], [550, 510], [400, 560], [310, 470]], 0.6);
  // the branch comes in at the upper right and hangs
  leaf(512, 150, 150, 40, -132); leaf(480, 286, 116, 34, 10); leaf(548, 104, 100, 30, 66);
  glaze("#76703a", 215, 0.14, 0.45, 0.6);
  outline([[596, 34], [578, 26], [536, 96], [500, 150], [470, 224], [448, 300], [446, 366], [458, 368], [464, 304], [488, 232], [520, 160], [556, 106]], 0.6);
  outline([[490, 204], [484, 192], [450, 195], [428, 205], [406, 210], [406, 220], [430, 216], [452, 208]], 0.6);
  glaze("#5f8a44", 215, 0.12, 0.4, 0.5);
  outline([[442, 356], [462, 356], [480, 392], [462, 404], [444, 390], [424, 404], [420, 384]], 0.5);
  push(); translate(232, 246);
  flower(206, [[-98, 0.98, 0.9, 0], [-24, 0.88, 0.84, 1], [172, 0.96, 0.8, 1], [46, 0.9, 0.84, 2], [112, 1.0, 0.92, 0]]);
  rotate(-56); column(128);
  pop();
  push(); translate(452, 424);
  flower(118, [[-152, 0.9, 0.7, 0], [-26, 0.92, 0.74, 1], [152, 1, 0.8, 1], [34, 1, 0.8, 0], [94, 1.14, 0.86, 2]]);
  rotate(70); column(112);
  pop();
}
