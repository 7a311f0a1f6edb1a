// Petals so large and so many that no paper breathes between them
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
  brush.fillBleed(0.2);
  brush.fillTexture(0.4, 0.3);
  for (let ring = 3; ring > 0; ring--) {
    for (let i = 0; i < 7; i++) {
      const a = i * 51.4 + ring * 25, r = ring * 125;
      brush.fill(["#c8503a", "#e8875a", "#f0a070"][(i + ring) % 3], 225);
      brush.circle(300 + r * cos(a), 300 + r * sin(a), 150, 0.4);
    }
  }
  brush.fill("#8a2838", 225);
  brush.circle(300, 300, 90, 0.3);
}
