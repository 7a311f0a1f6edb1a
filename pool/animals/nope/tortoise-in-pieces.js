// A tortoise whose parts do not meet, each in a colour of its own.
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  brush.noStroke();
  const parts = [["#2f8f3a", [[200, 200], [300, 120], [420, 180], [430, 240], [210, 250]], 45], ["#c23a3a", [[60, 400], [120, 380], [130, 430], [70, 450]], 10], ["#2f57c2", [[180, 320], [220, 320], [216, 420], [186, 420]], 90], ["#d98a1c", [[400, 340], [440, 340], [450, 440], [410, 440]], 90], ["#8a3ac2", [[500, 280], [560, 300], [540, 330]], 30], ["#1c9a9a", [[280, 330], [330, 330], [326, 380], [290, 380]], 0]];
  for (const [hex, points, angle] of parts) {
    brush.hatchStyle("HB", hex, 1);
    brush.hatch(5, angle);
    brush.polygon(points);
  }
}
