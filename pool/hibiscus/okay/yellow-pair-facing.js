// Two small yellow hibiscus that look at each other
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fbf7ec");
  brush.noStroke();
  brush.fillTexture(0.5, 0.4);
  for (const [x, y, side] of [[180, 250, 1], [428, 330, -1]]) {
    brush.fillBleed(0.1);
    brush.fill("#729858", 185);
    brush.beginShape(0.5);
    for (const [dx, dy] of [[-6, 70], [8, 70], [36 * side, 180], [40 * side, 300 - y * 0.2], [26 * side, 300 - y * 0.2], [20 * side, 180]]) brush.vertex(x + dx, y + dy);
    brush.endShape(true);
    brush.fillBleed(0.24);
    for (const [k, colour, opacity] of [[1, "#f3cd4c", 180], [0.58, "#e0a02c", 150]]) {
      for (const turn of [-94, -30, 40, 112, 184]) {
        const r = (cos(turn) * side > 0.2 ? 112 : 148) * k;
        brush.fill(colour, opacity);
        brush.beginShape(0.7);
        brush.vertex(x, y);
        for (const [d, out] of [[-33, 0.6], [-26, 0.94], [-8, 1], [3, 0.9], [14, 1.02], [29, 0.92], [34, 0.6]]) {
          brush.vertex(x + r * out * cos(turn + d), y + r * out * sin(turn + d));
        }
        brush.endShape(true);
      }
    }
    brush.fill("#a82c3c", 205);
    brush.circle(x + 6 * side, y, 20, 0.3);
    brush.fill("#f0b050", 235);
    for (let i = 0; i < 5; i++) brush.circle(x + side * (18 + i * 11), y - 10 - i * 8, 7, 0.3);
  }
}
