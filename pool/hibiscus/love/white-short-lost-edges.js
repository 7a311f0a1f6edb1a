// A white hibiscus with a red eye painted only in its cool shadows; leaves cut two of its edges, the paper keeps the rest
const RIMS = [[100, 176, 214, 232, 206, 226, 212, 160], [120, 190, 236, 212, 232, 214, 180, 104], [104, 160, 200, 212, 190, 206, 170, 100],
  [110, 180, 220, 206, 224, 214, 176, 104], [104, 184, 230, 214, 236, 206, 170, 110]];
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
// part of petal i: out to k of its rim, from f to t of its breadth
function petal(i, c, o, bleed, tex, rim, k, f, t) {
  brush.fill(c, o); brush.fillBleed(bleed); brush.fillTexture(tex, rim);
  brush.beginShape(0.5); brush.vertex(304, 292);
  RIMS[i].forEach((r, j) => { const g = -140 + 72 * i + lerp(f, t, j / 7) * 88; brush.vertex(304 + r * k * cos(g), 292 + r * k * 0.92 * sin(g)); });
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf8f0"); brush.noStroke();
  for (const [c, o, b, k] of [["#8fb07c", 205, 0.22, 1], ["#2f6a55", 220, 0.16, 0.74]]) for (const [x, y, g, l] of [[392, 404, 62, 190], [430, 372, 22, 170], [216, 404, 142, 200]]) {
    brush.fill(c, o); brush.fillBleed(b); brush.fillTexture(0.55, 0.4); brush.beginShape(0.4);
    for (const [u, v] of [[-0.1, 0], [0.2, 0.22], [0.46, 0.28], [0.76, 0.16], [1, 0], [0.74, -0.18], [0.42, -0.26], [0.16, -0.18]]) brush.vertex(x + l * k * (u * cos(g) - v * sin(g)), y + l * k * (u * sin(g) + v * cos(g)));
    brush.endShape(true);
  }
  for (let i = 0; i < 5; i++) { petal(i, "#ffffff", 255, 0.1, 0, 0, 1, 0, 1); petal(i, ["#a9acdc", "#abc6dd", "#b9b0dc"][i % 3], 205, 0.26, 0.7, 0.45, 1, 0, 1); }
  for (let i = 0; i < 5; i++) { petal(i, ["#747cb8", "#6f93b3", "#897aba"][i % 3], 150, 0.3, 0.6, 0.25, 0.84, 0.42, 1.04); petal(i, "#d3c46a", 95, 0.4, 0.5, 0, 0.5, 0, 0.6); }
  brush.fill("#e2486a", 120); brush.fillBleed(0.6); brush.fillTexture(0.5, 0); brush.circle(304, 292, 74, 0.6);
  for (let i = 0; i < 5; i++) { petal(i, "#d21f40", 170, 0.4, 0.5, 0.05, 0.44 + 0.06 * (i % 3), 0.3, 0.6); petal(i, "#c01636", 150, 0.35, 0.5, 0.1, 0.3, 0.05, 0.95); petal(i, "#8a0828", 200, 0.3, 0.4, 0.2, 0.24, 0.3, 0.9); }
  brush.fillBleed(0.03); brush.fillTexture(0.2, 0.5); brush.fill("#efc057", 255); brush.beginShape(0.5);
  for (const [x, y] of [[-6, -4], [6, 5], [58, -54], [112, -124], [102, -132], [46, -66]]) brush.vertex(304 + x, 292 + y);
  brush.endShape(true);
  for (let i = 0; i < 12; i++) { brush.fill(["#eaa328", "#f6d169"][i % 2], 255); brush.circle(350 + i * 5.6 + 12 * sin(i * 131), 232 - i * 7 + 10 * cos(i * 83), 7 + i % 3, 0.4); }
}
