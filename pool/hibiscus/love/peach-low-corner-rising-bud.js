// A peach hibiscus low in the left corner; its next bud climbs to the upper right through empty paper
const X = 222, Y = 372;

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

function paint(c, o, bleed, tex, rim) { brush.fill(c, o); brush.fillBleed(bleed); brush.fillTexture(tex, rim); }

function hand(pts, dx, dy, curve) {
  brush.beginShape(curve);
  for (const [x, y] of pts) brush.vertex(dx + x, dy + y);
  brush.endShape(true);
}

// rim of every petal as radii, one each few degrees; the hand shook on purpose
const PETALS = [
  [-148, -78, [96, 150, 188, 196, 184, 200, 192, 160, 112], "#f6b48f"],
  [-92, -14, [108, 168, 206, 190, 212, 216, 198, 206, 168, 100], "#f3a07c"],
  [-22, 50, [90, 150, 196, 184, 206, 198, 176, 180, 130, 84], "#f5ab86"],
  [44, 116, [84, 140, 178, 190, 178, 192, 180, 134, 90], "#f09673"],
  [112, 206, [92, 146, 186, 176, 198, 204, 188, 196, 158, 96], "#f4a884"],
];

// a share of a petal: k of its reach, and only from f to t of its breadth
function petal([a0, a1, rim], k, f, t) {
  brush.beginShape(0.5);
  brush.vertex(X, Y);
  rim.forEach((r, i) => {
    const s = lerp(f, t, i / (rim.length - 1)), g = lerp(a0, a1, s);
    brush.vertex(X + r * k * cos(g), Y + r * k * 0.94 * sin(g));
  });
  brush.endShape(true);
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#fcf6ea");
  brush.noStroke();
  // one long stem with direction, drawn before the flower so that it slips behind
  paint("#8a9f62", 205, 0.1, 0.5, 0.5); hand([[394, 352], [412, 318], [430, 280], [446, 232], [456, 190], [462, 150], [474, 152], [470, 192], [460, 238], [444, 286], [426, 326], [408, 366]], 0, 0, 0.5);
  paint("#5f7d48", 170, 0.12, 0.5, 0.3); hand([[408, 352], [430, 308], [448, 262], [460, 206], [466, 170], [470, 206], [460, 262], [440, 312], [418, 352]], 0, 0, 0.5);
  // leaves: light pass, then the half that lies in shade
  for (const [dx, dy, m] of [[424, 322, 0.94], [402, 372, 1.02]]) {
    paint("#9db67a", 190, 0.22, 0.55, 0.45); hand([[0, 0], [40, -34], [96, -40], [150, -14], [176, 22], [120, 34], [60, 30]].map(([x, y]) => [x * m, y * m]), dx, dy, 0.5);
    paint("#4f7d57", 195, 0.2, 0.5, 0.35); hand([[6, 2], [60, -4], [112, 0], [170, 22], [116, 30], [58, 26]].map(([x, y]) => [x * m, y * m]), dx, dy, 0.5);
  }
  paint("#a9bd84", 170, 0.25, 0.5, 0.4); hand([[436, 250], [400, 214], [384, 164], [400, 130], [432, 170], [446, 220]], 0, 0, 0.5);
  // the bud, furled, and its calyx
  paint("#f3a27d", 225, 0.16, 0.5, 0.5); hand([[452, 118], [440, 80], [450, 40], [476, 20], [500, 44], [504, 84], [488, 120]], 0, 0, 0.5);
  paint("#dd6650", 180, 0.18, 0.5, 0.3); hand([[470, 118], [466, 80], [478, 30], [496, 52], [496, 92], [486, 118]], 0, 0, 0.5);
  paint("#7f9f5c", 240, 0.1, 0.4, 0.5); hand([[460, 158], [440, 126], [434, 90], [454, 112], [468, 82], [480, 110], [506, 90], [498, 130], [478, 158]], 0, 0, 0.4);
  // petals, one whole at a time: wash, the shaded half, the blush
  PETALS.forEach((p, i) => {
    paint(p[3], 200, 0.26, 0.5, 0.5); petal(p, 1, 0, 1);
    paint(["#e77d63", "#e4745f", "#ec8a66", "#dc6c5c", "#e67a60"][i], 165, 0.24, 0.6, 0.35); petal(p, 0.8, 0.34, 1.02);
  });
  PETALS.forEach((p, i) => { paint("#d2485a", 165, 0.3, 0.5, 0.15); petal(p, 0.46 + 0.05 * (i % 3), 0.2, 0.86); });
  paint("#c9586a", 72, 0.06, 0.4, 0.2);
  PETALS.forEach((p, i) => { for (const s of [0.24, 0.5, 0.72]) petal(p, 0.68 + 0.06 * sin(i * 99 + s * 500), s, s + 0.035); });
  paint("#8c1a40", 225, 0.25, 0.4, 0.3); hand([[-26, -8], [-8, -34], [6, -10], [32, -14], [16, 10], [20, 34], [-4, 18], [-30, 24]], X, Y, 0.5);
  // column, pointing where the stem goes
  paint("#edb565", 250, 0.05, 0.25, 0.5); hand([[-5, -2], [40, -54], [100, -104], [108, -94], [50, -42], [5, 8]], X, Y, 0.5);
  paint("#cf6a4e", 190, 0.05, 0.25, 0.3); hand([[0, 4], [46, -44], [106, -94], [104, -90], [50, -38], [6, 8]], X, Y, 0.5);
  for (let i = 0; i < 14; i++) {
    const t = 0.36 + 0.05 * i, d = (i % 2 ? 1 : -1) * (9 + 5 * sin(i * 73));
    paint(["#f2bd45", "#e6952f", "#f8d987"][i % 3], 245, 0.05, 0.15, 0.5); brush.circle(X + 106 * t + d * 0.68, Y - 102 * t + d * 0.74, 6.5 + i % 3, 0.4);
  }
  for (let i = 0; i < 5; i++) { paint("#b3264a", 250, 0.05, 0.1, 0.5); brush.circle(X + 112 + 15 * cos(i * 44 - 130), Y - 108 + 15 * sin(i * 44 - 130), 7.5, 0.4); }
}
