// A plain white hibiscus with a red eye
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function petal(a, len, wid) {
  brush.beginShape(0.7);
  for (const [u, v] of [[0.05, 0], [0.4, -0.7], [0.75, -1], [1, -0.5], [1, 0.4], [0.8, 1], [0.4, 0.7]])
    brush.vertex(306 + u * len * cos(a) - v * wid * sin(a), 292 + u * len * sin(a) + v * wid * cos(a));
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#f7eedf");
  brush.noStroke();
  brush.fillBleed(0.2); brush.fillTexture(0.4, 0.2);
  brush.fill("#86a890", 180); brush.beginShape(0.6);
  for (const [x, y] of [[70, 200], [190, 70], [330, 90], [470, 70], [540, 230], [500, 400], [400, 520], [220, 530], [80, 400]]) brush.vertex(x, y);
  brush.endShape(true);
  [-80, -10, 66, 136, 208].forEach((a, i) => {
    brush.fillBleed(0.15); brush.fillTexture(0.05, 0.8);
    brush.fill("#ffffff", 255); petal(a, 208 + i * 5, 92);
    brush.fillBleed(0.3); brush.fillTexture(0.5, 0.2);
    brush.fill("#7f78ae", 110); petal(a + 14, 170, 30);
    brush.fill("#c9142e", 190); petal(a, 86, 26);
  });
  brush.fill("#8a0c2c", 210); brush.circle(306, 292, 22, 0.3);
  brush.fillBleed(0.05); brush.fill("#eebb44", 240); petal(-44, 110, 7);
}
