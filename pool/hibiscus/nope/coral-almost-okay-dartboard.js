// Coral scallops that close to a ring with a bare middle: a dartboard
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf5ea");
  brush.noStroke();
  brush.fillBleed(0.3);
  brush.fillTexture(0.5, 0.4);
  for (const [turn, r] of [[-86, 215], [-20, 200], [58, 220], [130, 195], [196, 210]]) {
    for (const [k, colour] of [[1, "#f0826a"], [0.55, "#d84a4a"]]) {
      brush.fill(colour, 175);
      brush.beginShape(0.8);
      brush.vertex(300, 300);
      for (const d of [-34, -14, 4, 20, 36]) brush.vertex(300 + r * k * cos(turn + d), 300 + r * k * sin(turn + d));
      brush.endShape(true);
    }
  }
  brush.fill("#f0bc44", 230);
  for (let i = 0; i < 5; i++) brush.circle(304 + i * 9, 286 - i * 18, 10, 0.3);
}
