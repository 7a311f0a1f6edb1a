// A peach ribbon that goes wherever the next number sends it
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  randomSeed(23);
  brush.fillBleed(0.08);
  brush.fillTexture(0.3, 0.4);
  let x = 300, y = 300;
  for (let i = 0; i < 34; i++) {
    const toX = random(40, 560), toY = random(40, 560);
    brush.fill(["#ee8f66", "#c85a5a", "#f0b48a"][i % 3], 200);
    brush.beginShape(0.3);
    brush.vertex(x - 7, y - 7);
    brush.vertex(toX, toY);
    brush.vertex(x + 7, y + 7);
    brush.endShape(true);
    x = x * 0.3 + toX * 0.7;
    y = y * 0.3 + toY * 0.7;
  }
}
