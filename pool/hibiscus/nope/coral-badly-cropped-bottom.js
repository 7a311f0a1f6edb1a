// A coral hibiscus that slides off the bottom edge: throat and lower petals are gone
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function lobe(turn, long, wide, colour) {
  brush.fill(colour, 175);
  brush.beginShape(0.5);
  for (let t = -60; t <= 60; t += 20) {
    const r = long * (t % 40 ? 0.94 : 1), spread = turn + t * wide;
    brush.vertex(310 + r * cos(spread), 585 + r * sin(spread) * 0.9);
  }
  brush.vertex(310, 585);
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf5ea");
  brush.noStroke();
  brush.fillBleed(0.25);
  brush.fillTexture(0.5, 0.4);
  [-176, -118, -60, -4, 90].forEach((turn, i) => {
    lobe(turn, 215 + 12 * (i % 2), 0.55, "#f08a6c");
    lobe(turn + 5, 130, 0.4, "#d8504c");
  });
  brush.fill("#f0b840", 230);
  for (let i = 0; i < 6; i++) brush.circle(330 + i * 7, 540 - i * 16, 9, 0.3);
}
