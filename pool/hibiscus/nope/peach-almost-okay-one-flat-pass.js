// The petals are there, but each is the same flat peach patch, painted once and dry
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
  brush.fillBleed(0.02);
  brush.fillTexture(0, 0);
  translate(300, 300);
  for (let i = 0; i < 5; i++) {
    brush.fill("#f2a888", 220);
    brush.beginShape(0.7);
    for (const [u, v] of [[0, -10], [100, -82], [190, -78], [222, 0], [190, 78], [100, 82], [0, 10]]) brush.vertex(u, v);
    brush.endShape(true);
    rotate(72);
  }
  brush.fill("#c04a50", 240);
  brush.circle(0, 0, 34, 0);
}
