// A magenta hibiscus close up, ruffled, filling the paper
const X = 278, Y = 318;
// direction, reach, spread in degrees, wave of the rim
const P = [
  { g: -128, l: 262, s: 76, n: 5 },
  { g: 162, l: 238, s: 68, n: 4 },
  { g: -48, l: 286, s: 82, n: 6 },
  { g: 88, l: 232, s: 74, n: 5 },
  { g: 20, l: 268, s: 66, n: 4 },
];

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

// a point at angle g and distance r from the throat, the whole flower tilted a little
function at(g, r) {
  const px = r * cos(g + 20), py = 0.88 * r * sin(g + 20);
  brush.vertex(X + px * cos(-20) - py * sin(-20), Y + px * sin(-20) + py * cos(-20));
}

// part of a petal, fanned round the throat between two edges, its rim in frills
function frill(p, k, from, to, deep, waves) {
  const h = p.s / 2, l = p.l * k;
  brush.beginShape(0.5);
  at(p.g + h * (from + to) / 2, -6); at(p.g + h * from * 1.08, l * 0.24); at(p.g + h * from * 1.04, l * 0.56);
  for (let i = 0; i <= 14; i++) {
    const t = lerp(from, to, i / 14);
    at(p.g + h * t, l * (1 - 0.24 * t * t * abs(t) + deep * sin(i * 25.7 * waves + p.g) * (1 - 0.4 * sin(i * 71))));
  }
  at(p.g + h * to * 1.04, l * 0.54); at(p.g + h * to * 1.08, l * 0.22);
  brush.endShape(true);
}

// a vein, a hair wide, wandering a little
function vein(p, d, from, to) {
  brush.beginShape(0.5);
  at(p.g + d * 0.6, p.l * from); at(p.g + d + 1.5, p.l * (from + to) / 2); at(p.g + d * 1.1, p.l * to); at(p.g + d - 1, p.l * (from + to) / 2);
  brush.endShape(true);
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#fcf6f1");
  brush.noStroke();
  // two leaves under the flower
  brush.fillBleed(0.22); brush.fillTexture(0.55, 0.4);
  for (const [c, o, k] of [["#8fae5a", 195, 1], ["#557f3c", 200, 0.68]]) {
    for (const [x, y, pts] of [[490, 490, [[400, 440], [480, 430], [548, 480], [582, 566], [500, 556], [432, 510]]], [90, 490, [[190, 440], [110, 446], [50, 490], [22, 574], [96, 556], [160, 506]]]]) {
      brush.fill(c, o);
      brush.beginShape(0.5);
      pts.forEach(q => brush.vertex(lerp(x, q[0], k), lerp(y, q[1], k)));
      brush.endShape(true);
    }
  }
  // a clear pink first
  P.forEach((p, i) => { brush.fillBleed(0.25); brush.fillTexture(0.5, 0.55); brush.fill(["#f06cae", "#ee58a2", "#f06aae"][i % 3], 225); frill(p, 1, -1, 1, 0.05, p.n); });
  // magenta over it, each petal its own share
  P.forEach((p, i) => { brush.fillBleed(0.26); brush.fillTexture(0.45, 0.45); brush.fill(["#dc1f7e", "#cc1a76", "#e03388"][i % 3], 185); frill(p, [0.84, 0.88, 0.78, 0.86, 0.82][i], [-0.72, -0.9, -0.78, -0.88, -0.84][i], [0.9, 0.5, 0.92, 0.56, 0.8][i], 0.05, 4); });
  // shade along one edge, where a neighbour lies over it
  P.forEach((p, i) => { brush.fillBleed(0.22); brush.fillTexture(0.5, 0.4); brush.fill("#b80f6a", 165); frill(p, [0.93, 0.8, 0.9, 0.84, 0.92][i], [0.42, -0.96, 0.5, -0.94, -0.97][i], [0.95, -0.5, 0.97, -0.42, -0.55][i], 0.05, 2); });
  // deep towards the throat, in one pool that runs up the petals
  P.forEach((p, i) => { brush.fillBleed(0.3); brush.fillTexture(0.4, 0.35); brush.fill("#b30d5e", 200); frill(p, [0.52, 0.46, 0.55, 0.44, 0.5][i], -0.74, 0.7, 0.07, 3); });
  brush.fillBleed(0.08); brush.fillTexture(0.4, 0.2);
  P.forEach((p, i) => { for (const d of [-14, 10]) { brush.fill("#a80f60", 85); vein(p, d + 3 * sin(i * 100), 0.3, 0.8 - 0.03 * (i % 3)); } });
  brush.fillTexture(0.25, 0.4);
  for (const [c, k, b] of [["#a0094e", 0.3, 0.2], ["#7a0640", 0.22, 0.2], ["#560330", 0.14, 0.15]]) {
    brush.fillBleed(b); brush.fill(c, 255);
    brush.beginShape(0.6);
    P.slice().sort((m, n) => m.g - n.g).forEach(p => { at(p.g - 16, p.l * k * 0.9); at(p.g - 5, p.l * k * 1.15); at(p.g + 2, p.l * k); at(p.g + 9, p.l * k * 1.2); at(p.g + 20, p.l * k * 0.88); at(p.g + 36, p.l * k * 0.62); });
    brush.endShape(true);
  }
  // column and anthers
  brush.fillBleed(0.05); brush.fillTexture(0.25, 0.5);
  for (const [c, k] of [["#c01458", 1], ["#7d0838", 0.9]]) {
    brush.fill(c, 250);
    brush.beginShape(0.6);
    [[-6, -8], [8, 4], [70, -62], [104, -146], [92, -152], [56, -72]].forEach(q => brush.vertex(X + q[0] * k, Y + q[1] * k));
    brush.endShape(true);
  }
  for (let i = 0; i < 10; i++) {
    const t = i / 9, d = (i % 2 ? 1 : -1) * (12 + 5 * sin(i * 77));
    brush.fill(["#f6c026", "#f0a51c", "#fbd95c"][i % 3], 255); brush.circle(X + 56 + 42 * t + d * 0.9, Y - 66 - 80 * t + d * 0.42, 6.5 + i % 3, 0.3);
  }
  for (let i = 0; i < 5; i++) { brush.fill("#8a0a2c", 250); brush.circle(X + 98 + 18 * cos(i * 40 - 150), Y - 152 + 18 * sin(i * 40 - 150), 7, 0.2); }
}
