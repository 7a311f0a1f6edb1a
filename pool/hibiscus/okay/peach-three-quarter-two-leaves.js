// A peach hibiscus turned to the right over two leaves
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function shape(points, x, y, k, colour, opacity) {
  brush.fill(colour, opacity);
  brush.beginShape(0.6);
  for (const [px, py] of points) brush.vertex(x + px * k, y + py * k);
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  brush.fillTexture(0.5, 0.4);
  brush.fillBleed(0.14);
  shape([[0, 0], [-60, -10], [-150, 20], [-190, 80], [-110, 90], [-40, 60]], 270, 430, 1, "#84a86c", 170);
  shape([[0, 0], [60, 0], [140, 40], [160, 100], [90, 100], [30, 50]], 320, 440, 1, "#6f9658", 170);
  brush.fillBleed(0.25);
  const petals = [
    [[0, 0], [-70, -90], [-60, -190], [10, -215], [60, -170], [40, -70]],
    [[0, 0], [60, -80], [150, -120], [200, -70], [170, 0], [80, 20]],
    [[0, 0], [80, 10], [160, 70], [150, 150], [80, 170], [20, 80]],
    [[0, 0], [30, 90], [0, 190], [-90, 210], [-130, 140], [-70, 50]],
    [[0, 0], [-80, 40], [-180, 40], [-225, -40], [-180, -110], [-80, -70]],
  ];
  for (const petal of petals) shape(petal, 310, 280, 1, "#f4aa80", 175);
  for (const petal of petals) shape(petal, 310, 280, 0.6, "#e67e5c", 145);
  for (const petal of petals) shape(petal, 310, 280, 0.26, "#b83450", 170);
  brush.fillBleed(0.06);
  brush.fill("#f0b444", 235);
  shape([[0, 4], [10, -4], [110, -70], [104, -82]], 310, 278, 1, "#f0b444", 235);
  for (let i = 0; i < 5; i++) brush.circle(390 + i * 8, 228 - i * 7 + 8 * (i % 2), 8, 0.3);
}
