// Neon yellow, cyan, lime and violet shout at each other
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#2a0a4a");
  brush.noStroke();
  brush.fillBleed(0.05);
  brush.fillTexture(0.1, 0.1);
  const loud = ["#ffff00", "#00ffd0", "#ff00c8", "#a8ff00", "#00a8ff"];
  for (let i = 0; i < 5; i++) {
    const a = i * 72 - 90;
    brush.fill("#fff200", 255);
    brush.circle(300 + 130 * cos(a), 300 + 130 * sin(a), 95, 0.1);
    brush.fill(loud[i], 255);
    brush.circle(300 + 150 * cos(a), 300 + 150 * sin(a), 55, 0.1);
  }
  brush.fill("#ff0040", 255);
  brush.circle(300, 300, 70, 0);
  brush.fill("#00ff40", 255);
  brush.circle(300, 300, 34, 0);
}
