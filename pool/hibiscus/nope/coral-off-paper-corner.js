// Only a quarter of a coral hibiscus, in the lower right corner
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#faf6ef");
  brush.noStroke();
  brush.fillBleed(0.2);
  brush.fillTexture(0.4, 0.4);
  translate(600, 600);
  rotate(14);
  for (const [colour, long, wide] of [["#f28468", 230, 80], ["#dd5548", 150, 48]]) {
    for (let i = 0; i < 5; i++) {
      brush.fill(colour, 180);
      brush.beginShape(0.6);
      brush.vertex(0, -8);
      brush.vertex(long * 0.6, -wide);
      brush.vertex(long, 0);
      brush.vertex(long * 0.6, wide);
      brush.endShape(true);
      rotate(72);
    }
  }
  brush.fill("#f0c040", 230);
  brush.circle(0, 0, 34, 0.3);
}
