// A magenta hibiscus that looks to the left, its column in front of the far petals
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6f2");
  brush.noStroke();
  brush.fillTexture(0.5, 0.4);
  translate(330, 300);
  rotate(-14);
  brush.fillBleed(0.24);
  for (const [k, colour, opacity] of [[1, "#dd559f", 175], [0.62, "#b21f78", 150], [0.28, "#74123f", 175]]) {
    for (let i = 0; i < 5; i++) {
      const turn = i * 72 + 20;
      brush.fill(colour, opacity);
      brush.beginShape(0.6);
      for (const [d, r] of [[0, 0.02], [-34, 0.66], [-30, 0.95], [-12, 1], [0, 0.92], [14, 1.02], [30, 0.94], [34, 0.64]]) {
        brush.vertex(170 * k * r * cos(turn + d) - 8, 232 * k * r * sin(turn + d));
      }
      brush.endShape(true);
    }
  }
  brush.fillBleed(0.07);
  brush.fill("#e8a84a", 235);
  brush.beginShape(0.4);
  for (const [x, y] of [[0, -5], [0, 6], [-150, -22], [-150, -36]]) brush.vertex(x, y);
  brush.endShape(true);
  brush.fill("#f4c850", 235);
  for (let i = 0; i < 7; i++) brush.circle(-96 - i * 12, -20 - i * 3 + 12 * (i % 2 ? 1 : -1), 8, 0.3);
}
