// A magenta hibiscus turned three quarters to the right, with a bud on its own stalk
const X = 304, Y = 268;
// where the petal points, how long, how wide it opens, how far its rim curls back, its two colours
const PETALS = [
  [4, 196, 47, 0.35, "#ea4aa0", "#c81a78"],
  [-64, 222, 46, 0.2, "#e5309a", "#c4116f"],
  [72, 206, 48, 0.3, "#dc1f8c", "#b80c74"],
  [-136, 216, 44, -0.1, "#d8187e", "#a90b62"],
  [148, 212, 46, -0.2, "#e22a92", "#b00d6c"],
];

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

function wash(colour, opacity, bleed, texture, rim) {
  brush.fill(colour, opacity); brush.fillBleed(bleed); brush.fillTexture(texture, rim);
}

function trace(points, curve) {
  brush.beginShape(curve);
  points.forEach(([x, y]) => brush.vertex(x, y));
  brush.endShape(true);
}

// the flower is a shallow trumpet opening to the right: a point r along a petal, deg round the throat
function seen(r, deg, len, curl) {
  const d = len * r, forward = len * (0.8 * r - 0.5 * r * r * (1 + curl));
  return [X + d * cos(deg) * 0.74 + forward * 0.6, Y + d * sin(deg) - forward * 0.2];
}

// part of a petal, from r0 to r1, between s0 and s1 of its opening (-1..1); drop rounds it off, crimp ruffles it
function petal([deg, len, open, curl], r0, r1, s0, s1, drop, crimp) {
  const edge = [];
  const spread = (r, s) => deg + s * open * (0.5 + 0.5 * r);
  const side = s => i => { const r = lerp(r0, r1 * (0.96 - drop), i / 3); return seen(r, spread(r, s), len, curl); };
  edge.push(...[0, 1, 2, 3].map(side(s0)));
  for (let i = 1; i < 10; i++) {
    const s = lerp(s0, s1, i / 10), r = r1 * (1.02 - drop * pow(abs(i / 5 - 1), 2.2) + crimp * sin(i * 149 + deg * 3));
    edge.push(seen(r, spread(r, s), len, curl));
  }
  edge.push(...[3, 2, 1, 0].map(side(s1)));
  trace(edge, 0.6);
}

function leaf(x, y, len, wid, deg) {
  for (const [c, o, k] of [["#7ba352", 190, 1], ["#2f6a44", 190, 0.68]]) {
    wash(c, o, 0.16, 0.45, 0.5);
    trace([[0, 0], [0.2, -0.6], [0.46, -0.9], [0.74, -0.55], [1, 0.1], [0.7, 0.5], [0.5, 0.62], [0.3, 0.6]].map(([u, v]) => {
      const p = u * len * k + 12, q = v * wid * k;
      return [x + p * cos(deg) - q * sin(deg), y + p * sin(deg) + q * cos(deg)];
    }), 0.5);
  }
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#fcf6ec");
  brush.noStroke();
  // a cool breath of paper behind
  wash("#6f9fb0", 115, 0.5, 0.6, 0.1);
  trace([[40, 210], [110, 110], [230, 50], [260, 170], [190, 230], [220, 360], [140, 430], [110, 330], [50, 300]], 0.6);
  // stem, bud stalk, leaves
  wash("#5d8040", 215, 0.12, 0.4, 0.6);
  trace([[266, 418], [281, 422], [264, 520], [268, 594], [248, 594], [244, 520]], 0.6);
  trace([[246, 540], [250, 552], [176, 500], [116, 430], [96, 366], [86, 370], [104, 440], [166, 512]], 0.6);
  leaf(262, 520, 240, 80, -14); leaf(240, 556, 180, 50, 188);
  // bud: furled petals in a green calyx
  wash("#e5309a", 210, 0.14, 0.4, 0.6); trace([[76, 346], [58, 300], [58, 250], [80, 206], [102, 236], [116, 294], [106, 346]], 0.6);
  wash("#a90b62", 200, 0.2, 0.4, 0.4); trace([[86, 340], [78, 290], [84, 228], [106, 288], [104, 340]], 0.6);
  wash("#7a0850", 150, 0.06, 0.3, 0.4); trace([[70, 324], [64, 270], [80, 218], [74, 274]], 0.6);
  wash("#4f7f3c", 225, 0.1, 0.3, 0.6); trace([[92, 380], [66, 354], [56, 306], [76, 330], [88, 296], [100, 330], [122, 308], [114, 356]], 0.4);
  // petals from the back: a wide wash, a flame of deeper colour, the dark of the throat
  for (const p of PETALS) {
    wash(p[4], 185, 0.22, 0.45, 0.6); petal(p, 0.02, 1, -1, 1, 0.2, 0.035);
    wash(p[5], 165, 0.26, 0.5, 0.3); petal(p, 0.03, 0.86, -0.9, 0.55, 0.4, 0.05);
    wash("#7d0a5c", 185, 0.28, 0.45, 0.3); petal(p, 0.01, 0.48, -1, 0.9, 0.42, 0.06);
  }
  // veins
  for (const p of PETALS) for (const s of [-0.4, 0.3]) { wash("#8c0a5c", 75, 0.06, 0.3, 0.3); petal(p, 0.12, 0.9 - 0.24 * abs(s), s - 0.018, s + 0.018, 0.1, 0); }
  // throat, and the column reaching out of it
  wash("#4f0538", 215, 0.25, 0.3, 0.2); trace([[X - 20, Y - 8], [X - 2, Y - 32], [X + 26, Y - 22], [X + 34, Y + 8], [X + 12, Y + 30], [X - 16, Y + 18]], 0.6);
  wash("#fbe0a8", 255, 0.06, 0.1, 0.5);
  trace([[X + 2, Y - 6], [X + 6, Y + 8], [X + 74, Y - 22], [X + 168, Y - 88], [X + 160, Y - 104], [X + 66, Y - 42]], 0.5);
  for (let i = 0; i < 11; i++) {
    wash(["#f2b52c", "#f7d15e", "#e8951c"][i % 3], 250, 0.04, 0.05, 0.5);
    const t = i / 10, x = X + 80 + 86 * t + 12 * sin(i * 131), y = Y - 40 - 56 * t + 14 * cos(i * 97), r = 6 + i % 3;
    trace([0, 51, 103, 154, 206, 257, 309].map(a => [x + r * cos(a), y + r * sin(a)]), 0.5);
  }
}
