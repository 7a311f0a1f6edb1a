// An elephant walking to the left. Each limb is a tube, given by its two sides; rings go across, hatching goes along.
const INK = ["#8d99b8", "#5d6c98", "#38477a", "#1d2850"];

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}

// a smooth closed outline through the points
function curved(points) {
  const n = points.length, out = [];
  for (let i = 0; i < n; i++) {
    const [a, b, c, d] = [-1, 0, 1, 2].map((k) => points[(i + k + n) % n]);
    for (let t = 0; t < 1; t += 0.2) {
      out.push([0, 1].map((k) => 0.5 * (2 * b[k] + (c[k] - a[k]) * t + (2 * a[k] - 5 * b[k] + 4 * c[k] - d[k]) * t * t + (3 * b[k] - a[k] - 3 * c[k] + d[k]) * t * t * t)));
    }
  }
  return out;
}

function shade(points, angle, gap, ink, weight = 0.8, name = "HB") {
  brush.hatchStyle(name, ink, weight);
  brush.hatch(gap, angle, { rand: 0.25 });
  brush.noStroke();
  brush.polygon(curved(points));
  brush.noHatch();
}

const along = (line, t) => {
  const s = t * (line.length - 1), i = min(floor(s), line.length - 2), f = s - i;
  return [lerp(line[i][0], line[i + 1][0], f), lerp(line[i][1], line[i + 1][1], f)];
};

// bowed strokes from one side of a tube to the other
function rings(left, right, count, [bowX, bowY], ink, from = 0, to = 1) {
  for (let i = 0; i < count; i++) {
    const t = (i + random(0.8)) / count, a = along(left, t), b = along(right, t);
    const [p, q] = [from + random(0.06), to - random(0.25)];
    const at = (k) => [lerp(a[0], b[0], k) + bowX * 4 * k * (1 - k), lerp(a[1], b[1], k) + bowY * 4 * k * (1 - k)];
    brush.set("HB", ink, random(0.6, 0.95));
    brush.spline([[...at(p), 0.7], [...at((p + q) / 2), 1.1], [...at(q), 0.5]], 0.6);
  }
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  randomSeed(11);
  brush.noStroke();
  // far legs, dark and crossed
  const farFront = [[262, 384], [316, 392], [312, 420], [300, 470], [304, 500], [258, 502], [262, 460], [258, 410]];
  const farHind = [[388, 396], [436, 386], [424, 410], [420, 455], [432, 492], [384, 496], [380, 440], [386, 400]];
  for (const leg of [farFront, farHind]) { shade(leg, 84, 3.4, INK[2], 0.9); shade(leg, 35, 5, INK[3], 0.8); }
  // the barrel
  const body = [[212, 190], [258, 162], [320, 150], [390, 152], [452, 172], [498, 214], [516, 270], [508, 340], [470, 372], [410, 396], [330, 402], [262, 380], [222, 330], [202, 260]];
  shade(body, 16, 6, INK[0], 0.7);
  const back = [[236, 176], [300, 154], [370, 150], [440, 166], [492, 206], [512, 256]];
  const belly = [[240, 372], [290, 394], [350, 402], [410, 396], [468, 374], [506, 340]];
  rings(back, belly, 62, [22, 0], INK[2], 0.46, 1);
  rings(back, belly, 78, [22, 0], INK[1], 0.02, 0.75);
  shade([[238, 350], [300, 372], [380, 374], [462, 352], [470, 370], [400, 396], [330, 402], [262, 384]], 15, 3.6, INK[3], 0.8);
  // near legs
  const hind = [[432, 350], [470, 318], [516, 290], [518, 340], [498, 400], [488, 440], [492, 502], [438, 504], [440, 450], [432, 400], [416, 350]];
  const front = [[206, 300], [272, 310], [276, 380], [262, 440], [262, 506], [206, 506], [212, 440], [204, 370]];
  for (const leg of [hind, front]) shade(leg, 88, 4.2, INK[1], 0.9);
  shade([[478, 330], [514, 330], [498, 400], [488, 440], [492, 500], [470, 502], [470, 430], [482, 380]], 60, 4, INK[3], 0.8);
  shade([[246, 330], [274, 330], [274, 380], [262, 440], [261, 504], [242, 504], [242, 430], [252, 380]], 60, 4, INK[3], 0.8);
  // head and trunk
  const head = [[128, 212], [156, 172], [196, 160], [232, 180], [242, 240], [228, 300], [190, 322], [150, 316], [120, 290], [114, 250]];
  shade(head, 130, 4.4, INK[1], 0.8);
  const outer = [[114, 240], [102, 290], [92, 340], [82, 390], [72, 430], [52, 452], [34, 444]];
  const inner = [[172, 318], [142, 330], [128, 362], [118, 400], [108, 446], [76, 482], [30, 466]];
  shade([...outer, ...[...inner].reverse()], 100, 4.2, INK[1], 0.7);
  rings(outer, inner, 46, [0, 7], INK[2], 0.05, 1.05);
  rings(outer, inner, 26, [0, 7], INK[3], 0.5, 1.1);
  // tusk: paper, with a few dark strokes under it
  brush.set("HB", INK[3], 0.9);
  brush.spline([[150, 322, 1], [134, 350, 1], [104, 366, 0.5]], 0.6);
  brush.spline([[160, 334, 1], [142, 362, 1.1], [104, 368, 0.5]], 0.6);
  // ear: a fan from where it hangs
  const ear = [[196, 178], [236, 166], [280, 182], [298, 226], [286, 284], [262, 328], [234, 316], [212, 280], [200, 230]];
  shade(ear, 40, 5, INK[2], 0.8);
  for (let i = 0; i < 26; i++) {
    const t = i / 25, rim = along([[240, 168], [280, 182], [298, 226], [286, 284], [262, 328], [236, 318]], t);
    brush.set("HB", INK[3], random(0.7, 1));
    const k = random(0.3, 0.5);
    brush.spline([[lerp(204, rim[0], k), lerp(214, rim[1], k), 0.6], [lerp(204, rim[0], 0.75) + 6, lerp(214, rim[1], 0.75), 1.1], [rim[0], rim[1], 0.7]], 0.5);
  }
  brush.set("2B", INK[3], 1);
  brush.spline([[240, 166, 0.6], [282, 182, 1.2], [300, 228, 1], [286, 288, 1.2], [262, 330, 1], [236, 318, 0.6]], 0.7);
  // eye
  shade([[146, 236], [154, 231], [161, 236], [154, 241]], 20, 1.4, INK[3], 1.2, "2B");
  brush.set("HB", INK[3], 0.8);
  brush.spline([[140, 230, 0.6], [154, 224, 1], [168, 232, 0.5]], 0.7);
  brush.set("HB", INK[3], 0.8);
  brush.spline([[100, 300, 0.3], [82, 390, 1], [70, 432, 1], [52, 452, 1], [32, 444, 0.7]], 0.6);
  brush.spline([[30, 468, 0.5], [76, 484, 1], [110, 448, 1], [120, 400, 0.4]], 0.6);
  brush.spline([[250, 164, 0.4], [320, 149, 1], [392, 151, 0.4]], 0.6);
  // contour where it counts, tail, toes
  brush.set("2B", INK[3], 0.9);
  brush.spline([[128, 210, 0.6], [156, 170, 1], [196, 158, 0.5]], 0.7);
  brush.spline([[440, 166, 0.4], [498, 212, 1.2], [518, 272, 1], [518, 340, 0.6]], 0.7);
  brush.spline([[514, 240, 1], [532, 290, 1], [534, 350, 0.8]], 0.7);
  for (let i = 0; i < 7; i++) brush.line(534, 345, 526 + i * 3, random(372, 392));
  for (const x of [210, 226, 242, 442, 458, 474]) brush.spline([[x, 502, 0.6], [x + 6, 492, 1], [x + 13, 502, 0.6]], 0.8);
  // ground
  for (let i = 0; i < 26; i++) { const x = random(170, 500); brush.set("HB", INK[0], 0.8); brush.line(x, 506 + random(10), x + random(30, 70), 506 + random(10)); }
}
