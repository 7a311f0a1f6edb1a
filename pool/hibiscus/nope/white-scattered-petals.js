// Petals strewn over a tan sheet, none of them near another
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#cdbfa4");
  brush.noStroke();
  brush.fillBleed(0.12);
  brush.fillTexture(0.2, 0.2);
  const fallen = [[90, 110, 20], [480, 90, 140], [300, 250, 70], [110, 440, 220], [500, 370, 310], [360, 520, 100]];
  for (const [x, y, turn] of fallen) {
    push();
    translate(x, y);
    rotate(turn);
    brush.fill("#ffffff", 240);
    brush.beginShape(0.6);
    brush.vertex(-60, 0);
    brush.vertex(10, -40);
    brush.vertex(60, -10);
    brush.vertex(20, 38);
    brush.endShape(true);
    pop();
  }
  brush.fill("#b8283c", 230);
  brush.circle(220, 330, 22, 0.3);
  brush.circle(420, 220, 16, 0.3);
}
