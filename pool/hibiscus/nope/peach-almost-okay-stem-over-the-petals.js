// A fair peach hibiscus, crossed out by its own stem and leaves
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
  brush.fillBleed(0.24);
  brush.fillTexture(0.5, 0.4);
  for (const turn of [-84, -10, 64, 138, 206]) {
    push();
    translate(300, 270);
    rotate(turn);
    for (const [colour, k] of [["#f2a47a", 1], ["#e07a58", 0.58]]) {
      brush.fill(colour, 175);
      brush.beginShape(0.5);
      for (const [u, v] of [[0, 0], [70, -62], [165, -88], [205, -30], [196, 26], [160, 84], [66, 58]]) brush.vertex(u * k, v * k);
      brush.endShape(true);
    }
    pop();
  }
  brush.fill("#a02c48", 210);
  brush.circle(300, 270, 28, 0.3);
  brush.fillBleed(0.1);
  brush.fill("#4f7a44", 230);
  for (const leaf of [[[292, 60], [312, 60], [318, 590], [296, 590]], [[300, 300], [400, 190], [500, 190], [420, 290]], [[300, 360], [190, 250], [100, 260], [190, 350]]]) {
    brush.beginShape(0.4);
    for (const [x, y] of leaf) brush.vertex(x, y);
    brush.endShape(true);
  }
}
