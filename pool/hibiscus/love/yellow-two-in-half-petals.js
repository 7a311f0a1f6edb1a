// Two yellow hibiscus, near and far: every petal in two halves, the lit one lemon, the other ochre, the seam where they meet is the midrib
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

function dip(c, o, bleed, tex, rim) { brush.fill(c, o); brush.fillBleed(bleed); brush.fillTexture(tex, rim); }

function outline(pts, curve) {
  brush.beginShape(curve);
  for (const [x, y] of pts) brush.vertex(x, y);
  brush.endShape(true);
}

// where a flower sits, how far it is turned from us, and which way
const FLOWERS = [
  { x: 418, y: 172, squash: 0.66, turn: -52, petals: [[-20, 142, 1], [52, 132, 0], [124, 138, 1], [196, 128, 0], [268, 140, 1]], column: [-58, 118] },
  { x: 216, y: 378, squash: 0.93, turn: 18, petals: [[-102, 196, 1], [-32, 190, 0], [40, 198, 1], [110, 184, 0], [184, 200, 1]], column: [-146, 168] },
];

const ROUND = [[0.03, -0.02], [0.24, 0.14], [0.46, 0.36], [0.64, 0.5], [0.8, 0.52], [0.9, 0.4], [0.98, 0.34], [0.95, 0.2], [1.02, 0.08], [0.76, -0.05], [0.4, -0.06]];
const RUFFLE = [[0.03, -0.02], [0.26, 0.18], [0.44, 0.4], [0.56, 0.42], [0.66, 0.56], [0.78, 0.48], [0.86, 0.54], [0.92, 0.36], [1.03, 0.3], [0.97, 0.14], [1.0, 0.0], [0.7, -0.05], [0.36, -0.06]];

// one half of a petal, seen through the flower's tilt
function half(f, [a, l], pts, side, k, narrow) {
  outline(pts.map(([u, v]) => {
    const px = l * k * (u * cos(a) - side * v * narrow * sin(a)), py = l * k * (u * sin(a) + side * v * narrow * cos(a));
    const rx = px * cos(-f.turn) - py * sin(-f.turn), ry = (px * sin(-f.turn) + py * cos(-f.turn)) * f.squash;
    return [f.x + rx * cos(f.turn) - ry * sin(f.turn), f.y + rx * sin(f.turn) + ry * cos(f.turn)];
  }), 0.5);
}

function leaf(x, y, l, w, g) {
  const go = ([u, v]) => [x + u * l * cos(g) - v * w * sin(g), y + u * l * sin(g) + v * w * cos(g)];
  dip("#93b15c", 195, 0.2, 0.55, 0.45); outline([[0, 0], [0.2, 0.46], [0.44, 0.6], [0.72, 0.4], [1, 0], [0.7, -0.02], [0.3, 0.0]].map(go), 0.5);
  dip("#4d7d45", 210, 0.2, 0.55, 0.4); outline([[0.02, -0.04], [0.36, -0.06], [0.7, -0.08], [0.98, -0.02], [0.74, -0.44], [0.44, -0.6], [0.18, -0.42]].map(go), 0.5);
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#fdf9ee");
  brush.noStroke();
  dip("#c5d4dc", 90, 0.5, 0.7, 0.05); outline([[90, 120], [240, 60], [330, 140], [330, 260], [180, 280], [80, 220]], 0.7);
  dip("#d6dfc0", 90, 0.5, 0.7, 0.05); outline([[360, 330], [500, 320], [560, 440], [470, 550], [360, 500]], 0.7);
  // the stems join low on the right
  dip("#86a050", 215, 0.06, 0.5, 0.5);
  outline([[424, 206], [436, 202], [460, 280], [462, 350], [450, 350], [446, 284]], 0.5); outline([[450, 340], [463, 340], [456, 440], [436, 520], [424, 516], [442, 436]], 0.5);
  outline([[384, 474], [392, 464], [416, 482], [440, 500], [434, 514], [408, 498]], 0.5);
  leaf(462, 350, 122, 84, 24); leaf(446, 448, 140, 92, 46); leaf(428, 512, 124, 70, 152);
  for (const f of FLOWERS) {
    f.petals.forEach((p, i) => {
      const lit = p[2] ? ROUND : RUFFLE, dark = p[2] ? RUFFLE : ROUND, s = cos(p[0]) > 0 ? -1 : 1;
      dip(["#fbdf5c", "#f9d541", "#fce47a"][i % 3], 215, 0.24, 0.5, 0.5); half(f, p, lit, s, 1, 0.94);
      dip(["#f2bb2a", "#eeb021", "#f4c436"][i % 3], 215, 0.24, 0.5, 0.5); half(f, p, dark, -s, 0.98, 0.94);
      dip("#df8d1c", 150, 0.28, 0.6, 0.25); half(f, p, dark, -s, 0.74, 0.78);
      dip("#eda72c", 110, 0.3, 0.6, 0.1); half(f, p, lit, s, 0.56, 0.7);
    });
    f.petals.forEach((p, i) => { for (const s of [-1, 1]) { dip("#cf3a1e", 175, 0.32, 0.5, 0.15); half(f, p, RUFFLE, s, 0.4 + 0.05 * (i % 3), 0.6); } });
    f.petals.forEach((p, i) => { for (const s of [-1, 1]) { dip("#840f22", 200, 0.26, 0.4, 0.2); half(f, p, ROUND, s, 0.22, 0.8); } });
    dip("#5e0a1e", 230, 0.3, 0.4, 0.2); brush.circle(f.x, f.y, 14, 0.5);
    // column and pollen
    const [g, l] = f.column, at = (t, d) => [f.x + l * t * cos(g) - d * sin(g), f.y + l * t * sin(g) + d * cos(g)];
    dip("#d9542a", 255, 0.04, 0.25, 0.5); outline([at(0, -7), at(0.5, -7), at(1, -4), at(1, 5), at(0.5, 6), at(0, 7)], 0.5);
    for (let i = 0; i < 12; i++) { dip(["#f5c22f", "#e98e1f", "#fce08a"][i % 3], 255, 0.05, 0.15, 0.5); brush.circle(...at(0.42 + i * 0.047, (i % 2 ? 1 : -1) * (10 + 4 * sin(i * 77))), 6.5 + i % 3, 0.4); }
    for (let i = 0; i < 4; i++) { dip("#a8182c", 255, 0.05, 0.1, 0.5); brush.circle(...at(1.08 + 0.03 * (i % 2), -15 + i * 10), 7, 0.4); }
  }
}
