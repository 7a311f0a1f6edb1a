// Two peach hibiscus, the front one over the shoulder of the other
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
const FLOWERS = [[380, 210, 150, "#f6bc98", "#ea9470"], [235, 355, 185, "#f2a074", "#e07454"]];
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  brush.fillTexture(0.5, 0.4);
  for (const [x, y, size, pale, deep] of FLOWERS) {
    brush.fillBleed(0.25);
    for (const [k, colour] of [[1, pale], [0.58, deep]]) {
      for (let i = 0; i < 5; i++) {
        const turn = i * 72 - 84 + 10 * sin(i * 100 + x);
        push();
        translate(x, y);
        rotate(turn);
        brush.fill(colour, 180);
        brush.beginShape(0.6);
        for (const [u, v] of [[0, 0], [0.4, -0.34], [0.82, -0.42], [1, -0.1], [0.96, 0.2], [0.76, 0.42], [0.36, 0.3]]) {
          brush.vertex(u * size * k, v * size * k);
        }
        brush.endShape(true);
        pop();
      }
    }
    brush.fill("#a42c48", 205);
    brush.circle(x, y, size * 0.13, 0.3);
    brush.fillBleed(0.07);
    brush.fill("#f0b444", 235);
    for (let i = 0; i < 5; i++) brush.circle(x + 8 + i * 8, y - 12 - i * 13, 8, 0.3);
  }
}
