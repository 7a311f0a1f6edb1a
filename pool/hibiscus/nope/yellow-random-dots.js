// Confetti: yellow, red and green dots anywhere
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf7ec");
  brush.noStroke();
  randomSeed(5);
  brush.fillBleed(0.15);
  brush.fillTexture(0.3, 0.3);
  for (let i = 0; i < 55; i++) {
    brush.fill(["#eec02e", "#eec02e", "#c03a3a", "#6f9a56"][i % 4], 210);
    brush.circle(random(20, 580), random(20, 580), random(8, 34), 0.3);
  }
}
