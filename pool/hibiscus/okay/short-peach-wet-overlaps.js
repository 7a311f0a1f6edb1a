// A peach hibiscus of wet petals that run into each other
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf5ec");
  brush.noStroke();
  brush.fillBleed(0.4);
  brush.fillTexture(0.4, 0.2);
  for (const [x, y, turn] of [[290, 195, -95], [398, 262, -20], [372, 392, 50], [236, 402, 128], [190, 270, 196]]) {
    for (const [half, fat, colour] of [[115, 84, "#f4a880"], [66, 40, "#e88060"]]) {
      push();
      translate(x, y);
      rotate(turn);
      brush.fill(colour, 200);
      brush.beginShape(0.8);
      for (const [u, v] of [[-1, -0.15], [0.2, -1], [0.9, -0.7], [1, 0.2], [0.7, 0.9], [-0.2, 0.8]]) brush.vertex(u * half, v * fat);
      brush.endShape(true);
      pop();
    }
  }
  brush.fillBleed(0.15);
  brush.fill("#aa3048", 210);
  brush.circle(298, 302, 30, 0.3);
}
