// A yellow hibiscus like a leaning cup: the throat sits low, the far petals rise behind it, the near ones fold towards us
const RIM = [0.97, 1.06, 0.95, 1.08, 1.0, 0.9, 1.07, 0.97, 1.09, 0.93];
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
// the rim is an ellipse, the throat is not its centre: k pulls the rim towards the throat, f and t choose a share of the petal
function petal(a, b, c, o, bleed, edge, k = 1, f = 0, t = 1) {
  brush.fill(c, o); brush.fillBleed(bleed); brush.fillTexture(0.55, edge);
  brush.beginShape(0.5);
  for (const d of [-4, 4]) brush.vertex(322 + d * cos(a), 352 + d);
  for (let i = 0; i < 9; i++) {
    const g = lerp(a, b, lerp(f, t, i / 8)), r = RIM[(i + abs(floor(a))) % 10] * [0.74, 0.9, 1, 1, 1, 1, 1, 0.9, 0.74][i];
    brush.vertex(lerp(322, 286 + 228 * r * cos(g) + 34 * sin(g), k), lerp(352, 286 + 188 * r * sin(g), k));
  }
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fdf9ef"); brush.noStroke();
  brush.fill("#bccfdd", 110); brush.fillBleed(0.5); brush.fillTexture(0.7, 0.05); brush.circle(236, 190, 130, 0.5);
  for (const [c, o, k, d] of [["#8fae5c", 200, 1, 0], ["#3a6b45", 205, 0.74, 8]]) for (const [x, y, s, h] of [[400, 430, 150, 44], [214, 446, -152, 40], [340, 470, 70, 62]]) {
    brush.fill(c, o); brush.fillBleed(0.22); brush.fillTexture(0.6, 0.35); brush.beginShape(0.45);
    for (const [u, v] of [[0, 0], [0.24, -0.7], [0.6, -0.4], [1, 0.9], [0.7, 1.3], [0.3, 0.9]]) brush.vertex(x + d * s / 150 + u * s * k, y + d + v * h * k + u * 30);
    brush.endShape(true);
  }
  const P = [[-154, -86, "#fbe06a"], [-98, -24, "#f8d348"], [134, 214, "#f9d954"], [-38, 42, "#f3bf2c"], [36, 142, "#f6cb3a"]];
  for (const [a, b, c] of P) { petal(a, b, c, 215, 0.26, 0.5); petal(a, b, "#e1931f", 150, 0.3, 0.25, 0.76, 0.4, 1); petal(a, b, "#cf7416", 90, 0.3, 0.2, 0.6, 0, 0.3); }
  for (const [a, b] of P) petal(a, b, "#c9321d", 180, 0.4, 0.1, 0.46, 0.16, 0.84);
  for (const [a, b] of P) petal(a, b, "#7d0d20", 210, 0.3, 0.2, 0.26, 0.1, 0.9);
  brush.fillBleed(0.04); brush.fillTexture(0.2, 0.5); brush.fill("#e0652c", 255); brush.beginShape(0.5);
  for (const [x, y] of [[314, 348], [330, 352], [352, 268], [388, 186], [376, 178], [338, 258]]) brush.vertex(x, y);
  brush.endShape(true);
  for (let i = 0; i < 13; i++) { brush.fill(["#f6c42f", "#e8901f", "#fce38f"][i % 3], 255); brush.circle(346 + i * 2.9 + (i % 2 ? 13 : -12), 276 - i * 7.2, 7 + i % 3, 0.4); }
}
