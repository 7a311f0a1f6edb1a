// Sixty slivers thrown across the sheet like pick-up sticks
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf5ee");
  brush.noStroke();
  brush.fillBleed(0.05);
  brush.fillTexture(0.2, 0.3);
  for (let i = 0; i < 60; i++) {
    const x = 300 + 250 * sin(i * 137), y = 300 + 250 * cos(i * 211), turn = i * 71, long = 60 + i % 7 * 20;
    brush.fill(["#e85a4a", "#f0907a", "#5c8a50"][i % 3], 210);
    brush.beginShape(0.2);
    brush.vertex(x - long * cos(turn), y - long * sin(turn));
    brush.vertex(x + 4, y + 6);
    brush.vertex(x + long * cos(turn), y + long * sin(turn));
    brush.vertex(x - 4, y - 6);
    brush.endShape(true);
  }
}
