// A plain magenta hibiscus from the side
function setup() {
  createCanvas(600, 600, WEBGL); brush.scaleBrushes(3); angleMode(DEGREES); noLoop();
}
function petal(g, l, w, c, y) {
  brush.fill(c, 185); brush.beginShape(0.5);
  for (const [u, v] of [[0, -0.1], [0.5, -0.4], [0.9, -0.45], [1, 0], [0.92, 0.4], [0.5, 0.35], [0, 0.1]])
    brush.vertex(290 + u * l * cos(g) - v * w * sin(g), y + u * l * sin(g) + v * w * cos(g));
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2); background("#fbf5f2"); brush.noStroke();
  brush.fillBleed(0.06); brush.fillTexture(0.5, 0.4);
  petal(96, 220, 24, "#6f9456", 370);
  petal(-82, 300, 14, "#c01c50", 370);
  brush.fillBleed(0.26);
  for (const g of [-150, -30, -116, -62]) petal(g, 230, 160, "#e85a9e", 370);
  petal(-90, 190, 120, "#c81f78", 370);
  brush.fillBleed(0.08); petal(-90, 60, 80, "#5f8c4a", 396);
  brush.fill("#f2b430", 240);
  for (let i = 0; i < 6; i++) brush.circle(320 + 14 * (i % 2), 128 - i * 10, 8, 0.3);
}
