// A blue ground washed under and over peach petals: everything turns to dishwater
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function wash(colour, strength, size, lobes) {
  brush.fill(colour, strength);
  brush.beginShape(0.6);
  for (let a = 0; a < 360; a += 30) {
    const r = size * (0.86 + 0.14 * sin(a * lobes));
    brush.vertex(300 + r * cos(a), 300 + r * sin(a));
  }
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  brush.fillBleed(0.15);
  brush.fillTexture(0.4, 0.3);
  wash("#4a7ab0", 230, 240, 3);
  for (let i = 0; i < 5; i++) {
    const a = i * 72 - 90;
    brush.fill("#f0874a", 240);
    brush.circle(300 + 115 * cos(a), 300 + 115 * sin(a), 95, 0.5);
  }
  wash("#3f6f9f", 220, 215, 5);
  wash("#a0622a", 220, 190, 4);
  wash("#4a6a5a", 220, 150, 3);
  wash("#3c3030", 220, 60, 5);
}
