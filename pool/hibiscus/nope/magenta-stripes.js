// Stripes of magenta and pink from side to side
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fdf6f6");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.4, 0.3);
  for (let y = 40; y < 560; y += 65) {
    brush.fill(y % 2 ? "#ee8fc0" : "#c42880", 200);
    brush.beginShape(0);
    for (const [x, drop] of [[30, 0], [300, 8 * sin(y)], [570, 0], [570, 38], [300, 38], [30, 38]]) brush.vertex(x, y + drop);
    brush.endShape(true);
  }
}
