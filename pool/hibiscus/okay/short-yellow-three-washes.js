// A yellow hibiscus in three washes
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf7ea");
  brush.noStroke();
  brush.fillTexture(0.4, 0.4);
  for (const [k, c] of [[220, "#f2cc48"], [135, "#e0a030"], [62, "#b02c40"]])
    for (let a = 18; a < 378; a += 72) {
      brush.fill(c, 180);
      brush.beginShape(0.5);
      brush.vertex(300, 300);
      for (const d of [-36, -9, 9, 36]) brush.vertex(300 + k * cos(a + d) * cos(d), 300 + k * sin(a + d) * cos(d));
      brush.endShape(true);
    }
}
