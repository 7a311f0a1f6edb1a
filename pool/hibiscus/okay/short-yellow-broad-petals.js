// A yellow hibiscus in two washes with a crimson heart
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function wash(size, wide, colour, opacity) {
  brush.fill(colour, opacity);
  for (const turn of [-96, -30, 44, 116, 186]) {
    push();
    rotate(turn);
    brush.beginShape(0.6);
    for (const [u, v] of [[0, 0], [0.5, -0.9], [0.95, -0.6], [1, 0.1], [0.9, 0.8], [0.4, 0.8]]) brush.vertex(u * size, v * wide);
    brush.endShape(true);
    pop();
  }
}
function draw() {
  background("#fbf7ea");
  brush.noStroke();
  brush.fillBleed(0.25);
  brush.fillTexture(0.5, 0.4);
  wash(220, 90, "#f2cc48", 185);
  wash(150, 54, "#e4ac34", 140);
  wash(66, 24, "#b02c40", 200);
  brush.fill("#f4d070", 235);
  brush.circle(24, -34, 13, 0.3);
}
