// A sitting rabbit, all in hairs. A few guides say how the fur lies and how dark it is; every hair asks the nearest.
const SHADES = ["#b9a48c", "#937a60", "#6a513b", "#3e2d20"];

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}

const BODY = [[112, 316], [122, 292], [146, 266], [176, 250], [212, 252], [246, 270], [276, 284], [316, 266], [368, 262], [424, 284], [468, 332], [490, 392], [492, 444], [474, 486], [440, 508], [370, 514], [290, 512], [216, 516], [172, 516], [164, 504], [196, 488], [206, 450], [198, 410], [176, 382], [140, 364], [116, 344]];
const EARS = [
  [[172, 258], [152, 206], [146, 152], [154, 106], [170, 122], [184, 164], [192, 210], [194, 254]],
  [[196, 256], [192, 202], [202, 146], [224, 96], [238, 124], [240, 176], [232, 220], [222, 258]],
];
// x, y, angle of the hair, darkness
const GUIDES = [
  [122, 330, 20, 0.35], [150, 290, 30, 0.3], [186, 270, 5, 0.45], [160, 345, -20, 0.6], [206, 310, -28, 0.45], [232, 372, -60, 0.75],
  [250, 300, -15, 0.7], [300, 300, 15, 0.45], [360, 290, 5, 0.25], [420, 310, -30, 0.35], [466, 360, -60, 0.6], [480, 430, -85, 0.85],
  [380, 360, -10, 0.12], [330, 400, -55, 0.5], [420, 400, -45, 0.3], [440, 470, -120, 0.85], [380, 460, 195, 0.7], [300, 450, -80, 0.9],
  [260, 420, -75, 0.65], [220, 420, -85, 0.5], [222, 480, -95, 0.65], [270, 500, -30, 1], [190, 505, 175, 0.5], [340, 500, 185, 0.8],
];

function inside(x, y, rim) {
  let odd = false;
  for (let i = 0, j = rim.length - 1; i < rim.length; j = i++) {
    const [ax, ay] = rim[i], [bx, by] = rim[j];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  }
  return odd;
}

function ask(x, y) {
  let weight = 0, c = 0, s = 0, dark = 0;
  for (const [gx, gy, angle, d] of GUIDES) {
    const w = 1 / ((x - gx) ** 2 + (y - gy) ** 2 + 60) ** 1.6;
    weight += w; c += w * cos(angle); s += w * sin(angle); dark += w * d;
  }
  return [atan2(s, c), dark / weight];
}

function coat(step, shade, floor_, length) {
  brush.set("pen", SHADES[shade], 0.9);
  for (let y = 244; y < 520; y += step) for (let x = 108; x < 496; x += step) {
    const px = x + random(-step, step), py = y + random(-step, step), [angle, dark] = ask(px, py);
    const turn = angle + random(-12, 12), l = length * random(0.7, 1.3);
    if (dark < floor_ + random(0.35) || !inside(px, py, BODY)) continue;
    if (dist(px, py, 164, 300) < 13) continue; // paper round the eye
    brush.flowLine(px, py, l, turn);
  }
}

function hatchIn(rim, angle, gap, shade, weight = 0.9) {
  brush.noStroke();
  brush.hatchStyle("pen", SHADES[shade], weight);
  brush.hatch(gap, angle, { rand: 0.3 });
  brush.polygon(rim);
  brush.noHatch();
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  randomSeed(8);
  brush.noStroke();
  hatchIn(EARS[0], 82, 2.8, 2); hatchIn(EARS[0], 60, 4, 3, 0.8);
  hatchIn(EARS[1], 84, 4.2, 1);
  hatchIn([[206, 248], [204, 200], [212, 152], [224, 122], [230, 160], [226, 210], [218, 250]], 70, 2.8, 2);
  coat(7, 0, -0.2, 16);
  coat(6, 1, 0.12, 15);
  coat(6, 2, 0.38, 14);
  coat(6, 3, 0.62, 12);
  // long hind foot and fore paw
  hatchIn([[330, 504], [346, 492], [400, 490], [446, 500], [448, 516], [400, 520], [340, 518]], 8, 3.2, 2);
  brush.set("2B", SHADES[3], 0.9);
  brush.spline([[448, 518, 0.6], [390, 522, 1.1], [338, 520, 1], [326, 508, 0.7], [346, 490, 0.4]], 0.6);
  brush.spline([[214, 518, 0.7], [172, 518, 1.1], [160, 508, 0.7], [176, 494, 0.4]], 0.6);
  for (const [x, y] of [[338, 508], [350, 507], [170, 507], [182, 507]]) brush.line(x, y, x - 3, y + 9);
  // tail: mostly paper
  brush.set("pen", SHADES[1], 0.9);
  for (let a = -100; a < 120; a += 5) { const r = random(8, 14); brush.flowLine(492 + r * cos(a), 470 - r * sin(a), random(9, 15), a + random(-14, 14)); }
  brush.set("HB", SHADES[3], 0.9);
  for (let a = -120; a < -20; a += 5) brush.flowLine(492 + 15 * cos(a), 470 - 15 * sin(a), random(8, 12), a + random(-14, 14));
  // eye, nose, whiskers
  hatchIn([[155, 300], [160, 292], [168, 292], [173, 300], [168, 307], [159, 307]], 45, 1, 3, 1.3);
  hatchIn([[111, 312], [120, 308], [122, 318], [114, 322]], 20, 1.4, 3, 1);
  brush.set("HB", SHADES[3], 0.8);
  brush.spline([[116, 322, 0.8], [122, 332, 1], [134, 338, 0.4]], 0.5);
  brush.set("rotring", SHADES[2], 0.7);
  for (const k of [-12, -2, 8, 18]) brush.spline([[134, 328, 1], [104, 326 + k, 0.8], [74, 334 + 2.4 * k, 0.4]], 0.5);
  // contour, only where the light does not eat it
  brush.set("2B", SHADES[3], 0.8);
  brush.spline([[222, 258, 0.4], [234, 218, 1], [241, 176, 1], [238, 124, 0.9], [224, 96, 0.5]], 0.6);
  brush.spline([[196, 254, 0.5], [192, 202, 0.9], [203, 146, 0.4]], 0.6);
  brush.spline([[468, 332, 0.4], [491, 394, 1.1], [493, 444, 0.8]], 0.6);
  brush.spline([[146, 266, 0.3], [120, 294, 1], [111, 318, 0.8]], 0.6);
  brush.set("HB", SHADES[1], 0.9);
  for (let i = 0; i < 55; i++) { const x = random(150, 520); brush.line(x, 520 + random(12), x + random(15, 50), 520 + random(12)); }
}
