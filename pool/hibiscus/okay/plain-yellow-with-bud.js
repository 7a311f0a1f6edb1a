// A plain yellow hibiscus, one flower open and one bud
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function blade(x, y, len, wid, a) {
  brush.beginShape(0.6);
  for (const [u, v] of [[0, 0], [0.35, -0.7], [0.75, -1], [1, -0.3], [0.96, 0.5], [0.7, 1], [0.3, 0.65]])
    brush.vertex(x + u * len * cos(a) - v * wid * sin(a), y + u * len * sin(a) + v * wid * cos(a));
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf6ee");
  brush.noStroke();
  brush.fillBleed(0.12); brush.fillTexture(0.4, 0.5);
  brush.fill("#6b8f4a", 200); blade(300, 592, 180, 8, -104); blade(300, 590, 290, 7, -50); blade(290, 566, 180, 36, 190);
  brush.fill("#eeb21f", 190); blade(484, 372, 126, 30, -66);
  brush.fill("#6b8f4a", 210); blade(480, 378, 60, 20, -64);
  brush.fillBleed(0.24);
  [-100, -30, 40, 112, 184].forEach((a, i) => {
    brush.fill("#f0b41c", 170); blade(256, 260, 196 + 8 * (i % 3), 82, a);
    brush.fill("#e08a1a", 140); blade(256, 260, 120, 34, a + 4);
  });
  brush.fill("#b03a20", 200); brush.circle(256, 260, 24, 0.3);
}
