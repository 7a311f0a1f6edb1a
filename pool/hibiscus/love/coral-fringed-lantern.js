// A fringed coral hibiscus hanging like a lantern from its thread, petals curled back, column swinging below
const X = 318, Y = 214;

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

function poly(pts, curve) {
  brush.beginShape(curve);
  for (const [x, y] of pts) brush.vertex(x, y);
  brush.endShape(true);
}

function bead(x, y, r) { poly([0, 60, 120, 180, 240, 300].map(g => [x + r * cos(g), y + r * sin(g)]), 0.6); }

// a band of changing breadth along a hand-set spine
function band(spine, breadth, curve) {
  const side = s => spine.map(([x, y], i) => {
    const [ax, ay] = spine[max(i - 1, 0)], [bx, by] = spine[min(i + 1, spine.length - 1)], d = dist(ax, ay, bx, by);
    return [x - s * breadth[i] * (by - ay) / d, y + s * breadth[i] * (bx - ax) / d];
  });
  poly(side(1).concat(side(-1).reverse()), curve);
}

// a torn petal: every tooth is set by hand; the whole bends as it leaves the throat
const TEETH = [[0, -0.06], [0.16, -0.16], [0.28, -0.4], [0.36, -0.24], [0.46, -0.3], [0.54, -0.58], [0.62, -0.34], [0.74, -0.36], [0.86, -0.62], [0.86, -0.32], [1.0, -0.38],
  [0.94, -0.14], [1.12, 0], [0.95, 0.1], [1.05, 0.34], [0.87, 0.28], [0.84, 0.56], [0.72, 0.32], [0.6, 0.54], [0.53, 0.28], [0.4, 0.26], [0.3, 0.44], [0.2, 0.16], [0, 0.06]];
function frond([g, bend, l, w], k, thin) {
  poly(TEETH.map(([u, v], i) => {
    const a = g + bend * u * k, r = u * l * k * (1 + 0.05 * sin(i * 131 + g)), h = v * w * thin;
    return [X + r * cos(a) - h * sin(a), Y + r * sin(a) + h * cos(a)];
  }), 0.55);
}

// angle, bend, length, breadth, wash
const FRONDS = [
  [204, -40, 216, 128, "#f6a286"], [-26, 44, 220, 132, "#f3906f"], [148, -30, 214, 124, "#f08468"], [34, 34, 214, 128, "#f28a6b"], [92, -14, 176, 112, "#ea6a55"],
];

function draw() {
  translate(-width / 2, -height / 2);
  background("#fcf6ec");
  brush.noStroke();
  // damp air behind, cool, so that the coral burns
  brush.fillBleed(0.5); brush.fillTexture(0.7, 0.1); brush.fill("#a9c8c4", 105);
  poly([[110, 120], [240, 90], [420, 110], [500, 250], [440, 370], [260, 400], [130, 300]], 0.7);
  // branch and leaves across the top
  brush.fillBleed(0.07); brush.fillTexture(0.55, 0.5); brush.fill("#8a7d55", 215);
  for (const q of [[[4, 90], [60, 72], [130, 56], [134, 72], [66, 90], [10, 108]], [[120, 56], [196, 48], [262, 40], [264, 56], [198, 64], [124, 74]], [[250, 42], [330, 32], [396, 16], [398, 30], [334, 46], [252, 58]]]) poly(q, 0.5);
  brush.fill("#6f7a45", 225); poly([[256, 52], [272, 50], [300, 84], [294, 96], [270, 70]], 0.5); poly([[290, 80], [302, 80], [318, 130], [X + 5, Y - 16], [X - 6, Y - 16], [308, 134]], 0.5);
  for (const [s, b, c, o] of [[[[120, 70], [84, 118], [66, 180], [70, 236]], [3, 36, 32, 3], "#8fae6a", 190], [[[112, 84], [84, 130], [72, 190]], [3, 20, 4], "#4c7a48", 200],
    [[[370, 34], [432, 54], [496, 66], [562, 60]], [3, 34, 32, 3], "#7fa268", 190], [[[392, 44], [440, 62], [510, 68]], [3, 18, 4], "#3f6f4c", 200]]) {
    brush.fillBleed(0.16); brush.fill(c, o); band(s, b, 0.5);
  }
  // three glazes for every frond
  for (const f of FRONDS) { brush.fillBleed(0.15); brush.fillTexture(0.5, 0.6); brush.fill(f[4], 215); frond(f, 1, 1); }
  for (const f of FRONDS) { brush.fillBleed(0.18); brush.fillTexture(0.6, 0.35); brush.fill("#e2553f", 180); frond(f, 0.78, 0.56); }
  for (const f of FRONDS) { brush.fillBleed(0.2); brush.fillTexture(0.4, 0.3); brush.fill("#b8283a", 160); frond(f, 0.48, 0.3); }
  brush.fillBleed(0.3); brush.fill("#9c1b34", 170); brush.circle(X, Y + 8, 22, 0.4);
  // calyx
  brush.fillBleed(0.1); brush.fillTexture(0.4, 0.5); brush.fill("#6f9350", 240);
  poly([[X - 5, Y - 34], [X + 5, Y - 34], [X + 15, Y - 6], [X + 10, Y + 6], [X + 2, Y - 4], [X - 6, Y + 8], [X - 14, Y - 6]], 0.4);
  // the column, a long thread that swings, anthers near its end
  brush.fillBleed(0.06); brush.fillTexture(0.2, 0.5);
  for (const [c, o, w] of [["#d8434a", 250, 1], ["#b32a40", 120, 0.3]]) {
    brush.fill(c, o);
    for (const [ax, ay, bx, by, h] of [[2, 12, 5, 120, 7], [5, 112, -8, 224, 6.4], [-7, 216, -30, 328, 5.6]])
      poly([[X + ax - h * w, Y + ay], [X + bx - h * w, Y + by], [X + bx + h, Y + by + 3], [X + (ax + bx) / 2 + h, Y + (ay + by) / 2], [X + ax + h, Y + ay - 4]], 0.5);
  }
  for (let i = 0; i < 18; i++) {
    const t = i / 17, d = (i % 2 ? 1 : -1) * (9 + 9 * abs(sin(i * 61)));
    brush.fill(["#efb03a", "#e28a2a", "#f6cf6a"][i % 3], 245); bead(X + 2 - 30 * t + d, Y + 188 + 128 * t, 6 + i % 3);
  }
  for (let i = 0; i < 5; i++) { brush.fill("#a81c3a", 250); bead(X - 33 + 18 * cos(i * 38 + 14), Y + 334 + 15 * sin(i * 38 + 14), 6.5); }
}
