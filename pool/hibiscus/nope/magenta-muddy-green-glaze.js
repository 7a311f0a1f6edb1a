// Magenta petals glazed with their complement until they are brown-grey
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function petal(turn, long, wide) {
  const at = (u, v) => brush.vertex(300 + u * cos(turn) - v * sin(turn), 300 + u * sin(turn) + v * cos(turn));
  brush.beginShape(0.5);
  at(0, 0);
  at(long * 0.5, -wide);
  at(long, -wide * 0.6);
  at(long, wide * 0.5);
  at(long * 0.5, wide);
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  brush.fillBleed(0.12);
  brush.fillTexture(0.3, 0.3);
  for (const [colour, long] of [["#d03c8c", 215], ["#3f8f4c", 205], ["#c03080", 180], ["#2f7a3a", 170]]) {
    brush.fill(colour, 230);
    for (let i = 0; i < 5; i++) petal(i * 72 - 90, long, long * 0.44);
  }
  brush.fill("#4a3a30", 220);
  brush.circle(300, 300, 50, 0.3);
}
