// A yellow hibiscus with a deep crimson throat, seen from the front
const X = 296, Y = 290;
// angle, length, half width towards each side, lean of the tip
const P = [
  { a: -108, l: 222, wl: 98, wr: 112, b: 10 },
  { a: -30, l: 236, wl: 104, wr: 92, b: -8 },
  { a: 38, l: 204, wl: 88, wr: 108, b: 12 },
  { a: 112, l: 228, wl: 112, wr: 90, b: 6 },
  { a: 184, l: 214, wl: 92, wr: 106, b: -12 },
];

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

// a fan-shaped petal: its rim is an arc that waves in and out
function fan(p, k, from, to, wave, seed) {
  const at = (u, s) => {
    const h = (s < 0 ? p.wl : p.wr) * s * pow(sin(90 * min(u * 1.25, 1)), 1.3);
    const g = p.a + p.b * u * u, r = u * p.l * k;
    brush.vertex(X + r * cos(g) - h * sin(g), Y + r * sin(g) + h * cos(g));
  };
  brush.beginShape(0.45);
  at(0.04, 0);
  at(0.34, from * 0.9); at(0.62, from);
  for (let i = 0; i <= 8; i++) {
    const s = lerp(from, to, i / 8);
    at(0.98 - 0.24 * s * s + wave * sin(i * 115 + seed * 71), s * 0.98);
  }
  at(0.6, to); at(0.32, to * 0.9);
  brush.endShape(true);
}

// five feathered tongues, one up the middle of every petal
function star(k, valley, turn) {
  brush.beginShape(0.5);
  P.forEach((p, i) => {
    const l = p.l * k * [0.5, 0.53, 0.44, 0.35, 0.46][i], g = p.a + turn;
    for (const [d, u] of [[-17, 0.72], [-8, 0.95], [-2, 0.86], [5, 1.04], [16, 0.74], [36, valley]])
      brush.vertex(X + l * u * cos(g + d), Y + l * u * sin(g + d));
  });
  brush.endShape(true);
}

function leaf(x, y, l, w, g, c, o) {
  brush.fill(c, o);
  brush.beginShape(0.5);
  for (const [u, v] of [[0, 0], [0.2, 0.6], [0.42, 0.95], [0.6, 0.7], [0.78, 0.5], [1, -0.1], [0.74, -0.6], [0.4, -0.85], [0.15, -0.5]])
    brush.vertex(x + u * l * cos(g) - v * w * sin(g), y + u * l * sin(g) + v * w * cos(g));
  brush.endShape(true);
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#fcf7ec");
  brush.noStroke();
  // leaves tucked behind the flower
  brush.fillBleed(0.2); brush.fillTexture(0.55, 0.45);
  leaf(390, 410, 190, 58, 48, "#86a84c", 190);
  leaf(190, 400, 190, 54, 142, "#7fa350", 185);
  leaf(398, 418, 165, 36, 50, "#4b7a35", 205);
  leaf(184, 408, 160, 34, 140, "#4f7f38", 205);
  leaf(408, 436, 120, 14, 47, "#2f5a35", 170);
  leaf(166, 424, 112, 13, 143, "#2f5a35", 160);
  // pale lemon petals
  P.forEach((p, i) => { brush.fillBleed(0.26); brush.fillTexture(0.5, 0.5); brush.fill(["#f7cd2e", "#f9d442", "#f4c122"][i % 3], 215); fan(p, 1, -1, 1, 0.05, i); });
  // warm ochre glazes where one petal shades the next
  P.forEach((p, i) => { brush.fillBleed(0.24); brush.fillTexture(0.6, 0.4); brush.fill(["#e89a1c", "#e28a1e", "#eba626"][i % 3], 165); fan(p, 0.86, i % 2 ? -0.9 : -0.25, i % 2 ? 0.2 : 0.92, 0.07, i + 3); });
  // crimson bleeding out of the throat in one starry pool, three times, each smaller and darker
  brush.fillBleed(0.42); brush.fillTexture(0.55, 0.2); brush.fill("#e2561c", 165); star(1.12, 0.42, 0);
  brush.fillBleed(0.24); brush.fillTexture(0.35, 0.35); brush.fill("#bd1c10", 235); star(0.84, 0.4, 3);
  brush.fillBleed(0.2); brush.fill("#9a0d12", 255); star(0.6, 0.46, -4);
  // veins
  brush.fillBleed(0.08); brush.fillTexture(0.4, 0.2);
  P.forEach((p, i) => { for (const s of [-0.4, 0.22]) { brush.fill("#d07a1c", 66); fan(p, 0.86 - 0.16 * abs(s) - 0.05 * (i % 3), s - 0.018, s + 0.018, 0, i); } });
  // the dark of the throat
  brush.fillBleed(0.2); brush.fillTexture(0.25, 0.4); brush.fill("#7c0a14", 255); star(0.42, 0.6, 8);
  brush.fill("#4f0812", 255); star(0.26, 0.7, 0);
  // the column, coming forward
  brush.fillBleed(0.05); brush.fillTexture(0.2, 0.6);
  for (const [c, k] of [["#d4471c", 1], ["#c02a18", 0.97], ["#8e1414", 0.66]]) {
    brush.fill(c, 240);
    brush.beginShape(0.5);
    [[-8, -4], [8, 6], [-18, 64], [-80, 150], [-94, 142], [-38, 56]].forEach(q => brush.vertex(X + q[0] * k, Y + q[1] * k));
    brush.endShape(true);
  }
  for (let i = 0; i < 10; i++) {
    const t = 0.48 + 0.052 * i, d = (i % 2 ? 1 : -1) * (11 + 5 * sin(i * 77));
    brush.fill(["#e8901a", "#d96a14", "#f2ae2c"][i % 3], 240); brush.circle(X - 88 * t + d * 0.84, Y + 146 * t + d * 0.52, 6 + i % 3, 0.3);
  }
  for (let i = 0; i < 5; i++) { brush.fill("#a8141c", 245); brush.circle(X - 90 + 17 * cos(i * 42 + 38), Y + 148 + 17 * sin(i * 42 + 38), 6.5, 0.2); }
}
