// A plain yellow hibiscus
function setup() {
  createCanvas(600, 600, WEBGL); brush.scaleBrushes(3); angleMode(DEGREES); noLoop();
}
function petal(g, l, w) {
  brush.beginShape(0.5);
  for (const [u, v] of [[0, 0], [0.4, -0.3], [0.8, -0.5], [1, -0.2], [0.95, 0], [1, 0.25], [0.75, 0.5], [0.4, 0.3]])
    brush.vertex(300 + u * l * cos(g) - v * w * sin(g), 300 + u * l * sin(g) + v * w * cos(g));
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2); background("#fbf6ee"); brush.noStroke();
  brush.fillBleed(0.25); brush.fillTexture(0.5, 0.4);
  for (const g of [-90, -20, 50, 128, 200]) {
    brush.fill("#f7d040", 180); petal(g, 206, 170);
    brush.fill("#eba52c", 140); petal(g + 3, 124, 90);
  }
  brush.fill("#c8321e", 200); brush.circle(300, 300, 30, 0.3);
  brush.fillBleed(0.05); brush.fill("#d9701e", 230);
  for (let i = 0; i < 7; i++) brush.circle(306 + i * 9, 290 - i * 11, 9, 0.3);
}
