// A magenta hibiscus tilted back: five loose petals in two glazes, a dark eye, one leaf
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function shape(c, o, a, l, w, pts, x = 286, y = 316) {
  brush.fill(c, o); brush.beginShape(0.5);
  for (const [u, v] of pts) brush.vertex(x + u * l * cos(a) - v * w * sin(a), y + 0.84 * (u * l * sin(a) + v * w * cos(a)));
  brush.endShape(true);
}
const PETAL = [[0, 0], [0.3, -0.3], [0.56, -0.62], [0.78, -0.6], [0.86, -0.42], [0.99, -0.34], [0.95, -0.1], [1.04, 0.12], [0.94, 0.3], [0.93, 0.52], [0.7, 0.58], [0.5, 0.44], [0.24, 0.2]];
const LEAF = [[0, 0], [0.2, -0.4], [0.5, -0.56], [0.8, -0.34], [1, 0.06], [0.76, 0.4], [0.44, 0.5], [0.16, 0.34]];
function draw() {
  translate(-width / 2, -height / 2);
  background("#fcf7f0"); brush.noStroke(); brush.fillTexture(0.6, 0.4);
  brush.fillBleed(0.25); shape("#8fae66", 205, 42, 190, 96, LEAF, 372, 412); shape("#3b6f4a", 205, 46, 150, 50, LEAF, 384, 426);
  brush.fillBleed(0.3);
  [[-158, 236, 190], [-88, 262, 200], [-22, 250, 196], [44, 216, 190], [118, 232, -196]].forEach(([a, l, w], i) => {
    shape(["#ea7ab6", "#e25aa4", "#e86db0"][i % 3], 205, a, l, w, PETAL); shape(["#c4208a", "#a01b8e"][i % 2], 150, a + 7, l * 0.76, w * 0.66, PETAL);
  });
  for (const [a, l] of [[-152, 130], [-92, 146], [-16, 132], [48, 110], [112, 126]]) { shape("#8c1064", 185, a, l, 56, PETAL); shape("#4a0836", 200, a, l * 0.5, 44, PETAL); }
  brush.fillBleed(0.05); shape("#f0b84a", 255, -56, 196, 16, [[0, -0.5], [0.5, -0.5], [1, -0.3], [1, 0.4], [0.5, 0.5], [0, 0.5]]);
  for (let i = 0; i < 12; i++) { brush.fill(["#f6cd5c", "#ea9a30"][i % 2], 255); brush.circle(334 + i * 5.6 + (i % 2 ? 11 : -10), 258 - i * 7 + (i % 2 ? 6 : -6), 8, 0.4); }
}
