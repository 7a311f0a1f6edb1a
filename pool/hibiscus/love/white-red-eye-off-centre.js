// A white hibiscus with a red eye, lilac and green-grey in its shadows
const X = 276, Y = 282;
// angle, length, half breadth, bend, colour of its shadow, side the shadow lies on
const PETALS = [
  [-104, 216, 112, 22, "#7a66b4", 1],
  [-30, 232, 116, -26, "#5f7fa0", -1],
  [180, 196, 100, -30, "#8469b2", 1],
  [40, 210, 100, 20, "#7663ad", 1],
  [110, 220, 112, 14, "#4f8272", -1],
];

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

function wet(c, o, bleed, tex, rim) {
  brush.fill(c, o); brush.fillBleed(bleed); brush.fillTexture(tex, rim);
}

function shape(pts, curve) {
  brush.beginShape(curve);
  for (const [x, y] of pts) brush.vertex(x, y);
  brush.endShape(true);
}

// a patch of a petal: from u0 to u1 along it, from v0 to v1 across it (-1..1), its far edge in waves
function patch([ang, len, half, bend], u0, u1, v0, v1, wave) {
  const at = (u, v) => {
    const y = v * half * (0.1 + 0.9 * sin(min(u * 118, 118))) + bend * u * u, x = u * len;
    return [X + x * cos(ang) - y * sin(ang), Y + x * sin(ang) + y * cos(ang)];
  };
  const pts = [];
  for (let i = 0; i < 4; i++) pts.push(at(lerp(u0, u1 * 0.78, i / 3), v0));
  for (let i = 1; i < 9; i++) {
    const s = i / 4.5 - 1;
    pts.push(at(u1 * (1 - 0.2 * s * s * abs(s) + wave * sin(i * 137 + ang * 5)), lerp(v0, v1, i / 9)));
  }
  for (let i = 3; i >= 0; i--) pts.push(at(lerp(u0, u1 * 0.78, i / 3), v1));
  shape(pts, 0.6);
}

function leaf(x, y, len, wid, ang, c, o) {
  wet(c, o, 0.14, 0.4, 0.5);
  const q = [[0, 0], [0.2, 0.6], [0.5, 0.95], [0.62, 0.62], [0.8, 0.5], [1, 0], [0.76, -0.42], [0.5, -0.8], [0.2, -0.5]];
  shape(q.map(([u, v]) => [x + u * len * cos(ang) - v * wid * sin(ang), y + u * len * sin(ang) + v * wid * cos(ang)]), 0.5);
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#f6ecdb");
  brush.noStroke();
  // soft air in the gaps between the petals, and leaves in it
  wet("#7fa596", 140, 0.4, 0.55, 0.15);
  shape([[60, 240], [110, 90], [200, 60], [230, 180], [150, 270], [90, 330]], 0.6);
  wet("#8a93c0", 120, 0.4, 0.55, 0.15);
  shape([[380, 60], [470, 40], [556, 170], [548, 320], [450, 330], [400, 200]], 0.6);
  wet("#86a576", 150, 0.4, 0.55, 0.15);
  shape([[90, 400], [240, 380], [430, 400], [530, 390], [490, 510], [330, 540], [150, 520]], 0.6);
  leaf(372, 418, 190, 62, 34, "#4c7f52", 210); leaf(398, 440, 130, 30, 35, "#2c5f45", 210);
  leaf(190, 390, 180, 56, 138, "#5d8c55", 200); leaf(150, 430, 110, 28, 138, "#35694a", 200);
  leaf(420, 160, 140, 42, -42, "#5f9066", 190);
  // petals, back to front: white with a cool rim, then a fold near the throat, then a shadow along one side
  for (const p of PETALS) {
    const d = p[5];
    wet("#ffffff", 255, 0.12, 0.0, 0.4); patch(p, 0.02, 1, -1, 1, 0.035);
    wet(p[4], 72, 0.12, 0.45, 1); patch(p, 0.02, 1, -1, 1, 0.035);
    wet(p[4], 100, 0.3, 0.5, 0.2); patch(p, 0.05, 0.66, -0.85, 0.85, 0.1);
    wet(p[4], 120, 0.3, 0.5, 0.2); patch(p, 0.1, 0.94, min(d * 0.4, d), max(d * 0.4, d), 0.03);
  }
  // the eye flares along the petals, and deepens
  const flare = (r, k, turn) => {
    const pts = [];
    for (let i = 0; i < 30; i++) {
      const a = i * 12 + turn, q = r * [1, 0.8, 0.62, 0.48, 0.66, 0.82][i % 6] * (1 + k * sin(i * 151));
      pts.push([X + q * cos(a), Y + q * sin(a)]);
    }
    shape(pts, 0.5);
  };
  wet("#e0303c", 140, 0.3, 0.5, 0.1); flare(118, 0.14, -104);
  wet("#cf1216", 215, 0.25, 0.45, 0.2); flare(78, 0.2, -102);
  wet("#6e0420", 220, 0.2, 0.3, 0.3); flare(38, 0.2, -98);
  // veins run out of it
  for (const p of PETALS) for (const v of [-0.38, 0.1]) { wet(v < 0 && p[5] > 0 ? "#8d76b8" : "#d0405f", 75, 0.06, 0.3, 0.4); patch(p, 0.2, 0.62 + v * 0.3, v - 0.022, v + 0.022, 0); }
  // the column, leaning out to the upper right, and its pollen
  wet("#e9b44a", 235, 0.06, 0.25, 0.6);
  shape([[X - 4, Y + 6], [X + 40, Y - 44], [X + 96, Y - 84], [X + 106, Y - 72], [X + 50, Y - 32], [X + 8, Y + 8]], 0.5);
  for (let i = 0; i < 10; i++) {
    wet(["#e8a321", "#d97b1c", "#f2c14a"][i % 3], 230, 0.04, 0.1, 0.6);
    const x = X + 46 + i * 5.6 + 9 * sin(i * 131), y = Y - 40 - i * 4.3 + 12 * cos(i * 83), r = 5 + i % 3;
    shape([0, 51, 103, 154, 206, 257, 309].map(a => [x + r * cos(a), y + r * sin(a)]), 0.5);
  }
}
