// One shape of seventy corners that crosses itself everywhere
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.4, 0.5);
  for (const [colour, turn] of [["#ee8a5a", 0], ["#b8405a", 17]]) {
    brush.fill(colour, 210);
    brush.beginShape(0.9);
    for (let i = 0; i < 70; i++) {
      const r = 60 + 190 * abs(sin(i * 77 + turn));
      brush.vertex(300 + r * cos(i * 143 + turn), 300 + r * sin(i * 143 + turn));
    }
    brush.endShape(true);
  }
}
