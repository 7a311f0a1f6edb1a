// A coral hibiscus close up, filling the sheet but whole on it; light from the upper left, rims that turn over
const X = 306, Y = 304;

function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}

function dip(c, o, bleed, tex, rim) { brush.fill(c, o); brush.fillBleed(bleed); brush.fillTexture(tex, rim); }

// from, to, radii along the rim, light or shade
const PETALS = [
  { a: -140, b: -56, r: [150, 226, 262, 244, 276, 268, 248, 270, 214, 140], lit: 0.9, c: "#f8ab90" },
  { a: -72, b: 8, r: [140, 214, 258, 272, 250, 270, 278, 246, 206, 130], lit: 0.5, c: "#f49477" },
  { a: -4, b: 82, r: [130, 206, 262, 248, 268, 240, 252, 230, 180, 120], lit: 0.1, c: "#ef8063" },
  { a: 66, b: 150, r: [120, 196, 236, 256, 238, 258, 262, 226, 196, 130], lit: 0.3, c: "#f28d70" },
  { a: 140, b: 226, r: [136, 210, 254, 272, 246, 266, 274, 240, 214, 140], lit: 0.8, c: "#f7a287" },
];

function at(p, s, k) {
  const f = s * (p.r.length - 1), i = constrain(floor(f), 0, p.r.length - 2), r = lerp(p.r[i], p.r[i + 1], f - i) * k, g = lerp(p.a, p.b, s);
  return [X + r * cos(g), Y + 0.97 * r * sin(g)];
}

// from the throat out to k, between s and t of the breadth
function wedge(p, k, s, t, wave) {
  brush.beginShape(0.45);
  brush.vertex(X, Y);
  for (let i = 0; i <= 9; i++) brush.vertex(...at(p, lerp(s, t, i / 9), k * (1 + wave * sin(i * 133 + p.a))));
  brush.endShape(true);
}

// a lip: the rim folds over between s and t and shows its deeper back
function lip(p, s, t, depth) {
  brush.beginShape(0.5);
  for (let i = 0; i <= 4; i++) brush.vertex(...at(p, lerp(s, t, i / 4), 0.99));
  for (let i = 3; i >= 1; i--) brush.vertex(...at(p, lerp(s, t, i / 4), 0.99 - depth * sin(45 * i)));
  brush.endShape(true);
}

function draw() {
  translate(-width / 2, -height / 2);
  background("#fdf7ee");
  brush.noStroke();
  // cool damp air on the side away from the light, so that the petals there lose nothing
  dip("#a9c4c0", 110, 0.5, 0.7, 0.05);
  brush.beginShape(0.7);
  [[330, 70], [470, 60], [566, 180], [570, 380], [500, 530], [330, 566], [200, 540], [330, 330]].forEach(q => brush.vertex(...q));
  brush.endShape(true);
  PETALS.forEach((p, i) => {
    dip(p.c, 205, 0.22, 0.5, 0.5); wedge(p, 1, 0, 1, 0);
    // the half away from the light, twice
    dip("#e4604a", 120 + 60 * (1 - p.lit), 0.26, 0.6, 0.3); wedge(p, 0.86, p.lit > 0.6 ? 0.5 : 0.12, p.lit > 0.6 ? 1.02 : 0.9, 0.05);
    dip("#cf3f48", 90 + 90 * (1 - p.lit), 0.3, 0.6, 0.15); wedge(p, 0.66, p.lit > 0.6 ? 0.62 : 0.3, p.lit > 0.6 ? 0.98 : 0.84, 0.07);
  });
  // lips
  [[0, 0.2, 0.44], [0, 0.66, 0.84], [1, 0.36, 0.64], [2, 0.16, 0.4], [2, 0.5, 0.78], [3, 0.3, 0.52], [4, 0.24, 0.5], [4, 0.62, 0.86]].forEach(([i, s, t], j) => {
    dip(["#dd5546", "#e76a52", "#c9424a"][j % 3], 120, 0.2, 0.6, 0.3); lip(PETALS[i], s, t, 0.045 + 0.015 * (j % 3));
  });
  // a violet shadow where petals pass under each other
  dip("#8a3f86", 95, 0.4, 0.6, 0.05);
  PETALS.forEach(p => wedge(p, 0.62, -0.02, 0.14, 0.05));
  // throat: a warm light first, then crimson tongues
  dip("#f6c35e", 150, 0.45, 0.5, 0); brush.circle(X, Y, 74, 0.5);
  PETALS.forEach((p, i) => { dip("#c2203a", 190, 0.3, 0.5, 0.15); wedge(p, 0.34 + 0.06 * (i % 3), 0.24, 0.8, 0.12); });
  PETALS.forEach((p, i) => { dip("#7a0f2c", 210, 0.26, 0.4, 0.2); wedge(p, 0.2 + 0.03 * (i % 2), 0.2, 0.86, 0.1); });
  dip("#5c0a26", 230, 0.3, 0.4, 0.2); brush.circle(X, Y, 22, 0.5);
  dip("#c23a48", 80, 0.04, 0.4, 0.2);
  PETALS.forEach((p, i) => { for (const s of [0.22, 0.4, 0.58, 0.76]) wedge(p, 0.62 + 0.12 * sin(i * 71 + s * 900), s, s + 0.022, 0); });
  // column comes straight towards us, foreshortened, up and to the left
  dip("#f0bd63", 255, 0.03, 0.2, 0.5);
  brush.beginShape(0.5); [[-8, 4], [8, -6], [-34, -74], [-76, -134], [-90, -126], [-54, -66]].forEach(q => brush.vertex(X + q[0], Y + q[1])); brush.endShape(true);
  dip("#c9503a", 200, 0.03, 0.2, 0.3);
  brush.beginShape(0.5); [[6, -2], [-36, -70], [-78, -130], [-44, -70]].forEach(q => brush.vertex(X + q[0], Y + q[1])); brush.endShape(true);
  for (let i = 0; i < 16; i++) {
    const t = 0.34 + 0.044 * i, d = (i % 2 ? 1 : -1) * (14 + 6 * sin(i * 73));
    dip(["#f3b83c", "#e58f29", "#fbdc86"][i % 3], 255, 0.05, 0.15, 0.5); brush.circle(X - 84 * t + d * 0.84, Y - 132 * t - d * 0.54, 8 + i % 3, 0.4);
  }
  for (let i = 0; i < 5; i++) { dip("#96152f", 255, 0.05, 0.1, 0.5); brush.circle(X - 90 + 20 * cos(i * 46 + 140), Y - 142 + 20 * sin(i * 46 + 140), 9, 0.4); }
}
