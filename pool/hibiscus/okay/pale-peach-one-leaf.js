// A pale peach hibiscus with one leaf
function setup() {
  createCanvas(600, 600, WEBGL); brush.scaleBrushes(3); angleMode(DEGREES); noLoop();
}
function lobe(x, y, g, l, w) {
  brush.beginShape(0.6);
  for (const [u, v] of [[0, 0], [0.35, -0.4], [0.75, -0.55], [1, -0.25], [1, 0.2], [0.8, 0.5], [0.35, 0.38]])
    brush.vertex(x + u * l * cos(g) - v * w * sin(g), y + u * l * sin(g) + v * w * cos(g));
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2); background("#fbf6ee"); brush.noStroke();
  brush.fillBleed(0.24); brush.fillTexture(0.5, 0.4);
  brush.fill("#8fb07c", 170); lobe(372, 412, 42, 190, 80);
  brush.fill("#5f8a58", 150); lobe(382, 422, 42, 140, 40);
  const P = [-100, -32, 42, 115, 187];
  brush.fill("#f7b891", 205); P.forEach((g, i) => lobe(300, 290, g, 200 + 8 * (i % 2), 150));
  brush.fill("#ee8f6a", 130); P.forEach(g => lobe(300, 290, g, 110, 90));
  brush.fill("#cc4630", 215); brush.circle(300, 290, 28, 0.4);
  brush.fillBleed(0.05); brush.fill("#f0b84c", 230); lobe(300, 290, -60, 110, 18);
}
