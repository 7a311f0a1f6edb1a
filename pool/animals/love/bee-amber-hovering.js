// A bumblebee in the air, facing left: round bodies are hatched along their own meridians, fur stands off the breast.
const HONEY = ["#dba94a", "#b27a22", "#74490f", "#38230a"];

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}

// a point of an egg: `u` from -1 to 1 along its axis, `v` from -1 to 1 across, seen as a round thing
function egg({ x, y, long, wide, tilt, sharp }, u, v) {
  const r = wide * sqrt(max(0, 1 - u * u)) * (1 - sharp * u), px = long * (u + 0.16 * (1 - v * v)), py = r * v;
  return [x + px * cos(tilt) - py * sin(tilt), y + px * sin(tilt) + py * cos(tilt)];
}

function ring(body, u, from, to, hex, weight, pen = "pen") {
  brush.set(pen, hex, weight);
  brush.spline([0, 0.25, 0.5, 0.75, 1].map((k) => [...egg(body, u, lerp(from, to, k)), [0.6, 1, 1.15, 1, 0.5][floor(k * 4)]]), 0.7);
}

function wing(root, rim, veins) {
  const edge = [root, ...rim, root];
  brush.set("rotring", HONEY[2], 0.9);
  brush.spline(edge.map(([x, y], i) => [x, y, i < 3 ? 1.2 : 0.7]), 0.7);
  for (const [k, reach] of veins) {
    const [x, y] = rim[k];
    brush.set("rotring", HONEY[2], 0.7);
    brush.spline([[...root, 1], [lerp(root[0], x, 0.5) - 6, lerp(root[1], y, 0.5) - 4, 0.9], [lerp(root[0], x, reach), lerp(root[1], y, reach), 0.5]], 0.7);
  }
  brush.noStroke();
  brush.hatchStyle("2H", HONEY[1], 0.9);
  brush.hatch(6.5, -atan2(rim[2][1] - root[1], rim[2][0] - root[0]) + 14, { rand: 0.3 });
  brush.polygon(edge);
  brush.noHatch();
}

function limb(points, weight) {
  for (let i = 0; i + 1 < points.length; i++) {
    const [a, b] = [points[i], points[i + 1]], w = weight * (1 - i * 0.24);
    for (let k = 0; k < 7; k++) {
      brush.set("pen", HONEY[3], 1);
      const o = random(-w, w);
      brush.spline([[a[0] + o * 0.6, a[1] + o * 0.4, 0.8], [lerp(a[0], b[0], 0.5) + o, lerp(a[1], b[1], 0.5) + o * 0.5, 1.2], [b[0] + o * 0.4, b[1] + o * 0.3, 0.7]], 0.5);
    }
  }
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  randomSeed(23);
  brush.noStroke();
  wing([282, 236], [[316, 170], [368, 112], [424, 84], [462, 100], [458, 146], [410, 196], [342, 232]], [[1, 0.95], [4, 0.9]]);
  // legs behind
  limb([[236, 340], [206, 372], [214, 412], [200, 436]], 4);
  limb([[282, 356], [280, 402], [310, 436], [304, 466]], 4);
  // abdomen: bands of light and dark, each ring bowed like the body
  const belly = { x: 396, y: 338, long: 132, wide: 92, tilt: 22, sharp: 0.18 };
  for (let u = -0.95; u < 0.985; u += 0.0095) {
    const dark = sin((u + 0.86) * 360 * 1.72) > -0.12 || u > 0.88;
    ring(belly, u + random(-0.006, 0.006), -1, 1, HONEY[dark ? 3 : 0], 0.9);
    if (dark) { ring(belly, u + 0.004, random(-0.95, -0.8), random(-0.5, -0.36), HONEY[3], 1); ring(belly, u + 0.004, random(-0.16, 0.1), 0.98, HONEY[3], 1.1); }
    else if (random() < 0.75) ring(belly, u, random(0.1, 0.5), 1, HONEY[1], 1);
    if (!dark && random() < 0.6) ring(belly, u, random(0.62, 0.8), 1, HONEY[2], 1);
  }
  brush.set("2B", HONEY[3], 1);
  brush.spline([[...egg(belly, 0.97, 0), 1.4], [532, 398, 1], [544, 404, 0.4]], 0.4);
  // breast: fur standing off a ball, darker beneath
  const [cx, cy, R] = [262, 284, 78];
  for (let i = 0; i < 1500; i++) {
    const a = random(360), r = R * sqrt(random()), low = sin(a) * r < -18 || r < 22;
    const [x, y] = [cx + r * cos(a), cy - r * sin(a) * 0.94];
    brush.set("pen", HONEY[low ? (random() < 0.6 ? 3 : 2) : random() < 0.55 ? 0 : 1], random(0.8, 1.1));
    brush.flowLine(x, y, random(9, 19), a + random(-22, 22) - 14);
  }
  for (let i = 0; i < 150; i++) { const a = random(360), r = 46 * sqrt(random()); brush.set("pen", HONEY[random() < 0.4 ? 3 : 1], 0.9); brush.flowLine(cx - 6 + r * cos(a), cy - r * sin(a), random(10, 18), 200 - r * sin(a) + random(-24, 24)); }
  // legs in front
  limb([[248, 352], [222, 392], [246, 432], [236, 462], [226, 470]], 5);
  limb([[296, 360], [316, 410], [356, 446], [354, 480], [346, 490]], 6);
  limb([[214, 330], [182, 350], [172, 388], [158, 402]], 4);
  for (let i = 0; i < 46; i++) { brush.set("pen", HONEY[1], 1); const t = random(); brush.flowLine(lerp(318, 352, t), lerp(412, 444, t), random(8, 16), 300 + random(-40, 40)); }
  // head: rings round a small egg, a great dark eye with a rim of paper
  const head = { x: 166, y: 300, long: 40, wide: 46, tilt: 78, sharp: -0.1 };
  for (let u = -0.95; u < 0.96; u += 0.035) { ring(head, u, -0.98, random(0.6, 0.98), HONEY[2], 0.9); if (u > 0) ring(head, u, -0.5, 0.9, HONEY[3], 1); }
  for (let i = 0; i < 110; i++) { const a = random(30, 150); brush.set("pen", HONEY[random() < 0.5 ? 0 : 1], 1); brush.flowLine(168 + 30 * cos(a), 280 - 22 * sin(a), random(8, 16), a + random(-20, 20)); }
  brush.noStroke();
  for (const angle of [20, 65, 110]) {
    brush.hatchStyle("pen", HONEY[3], 1.2);
    brush.hatch(2, angle, { rand: 0.2 });
    brush.polygon([0, 40, 80, 120, 160, 200, 240, 280, 320].map((a) => [156 + 15 * cos(a) - 5 * sin(a), 298 + 24 * sin(a)]));
    brush.noHatch();
  }
  // feelers, tongue
  limb([[146, 268], [126, 240], [92, 236]], 2);
  limb([[158, 264], [146, 230], [116, 214]], 2);
  brush.set("2B", HONEY[3], 0.9);
  brush.spline([[150, 338, 1.2], [138, 358, 1], [138, 376, 0.4]], 0.6);
  // the near wing over everything
  wing([266, 226], [[252, 164], [264, 96], [300, 46], [340, 36], [356, 76], [344, 138], [308, 198]], [[2, 0.95], [4, 0.92], [5, 0.85]]);
}
