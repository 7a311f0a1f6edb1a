// A flat poster: solid coral blocks, a green bar for a stem, no water anywhere
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function block(points, colour) {
  brush.fill(colour, 255);
  brush.beginShape(0);
  for (const [x, y] of points) brush.vertex(x, y);
  brush.endShape(true);
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#fff4dc");
  brush.noStroke();
  brush.fillBleed(0);
  brush.fillTexture(0, 0);
  for (let again = 0; again < 3; again++) {
    block([[288, 300], [312, 300], [312, 600], [288, 600]], "#2f7a44");
    block([[312, 520], [420, 440], [440, 500], [340, 560]], "#2f7a44");
    block([[300, 250], [240, 110], [300, 50], [360, 110]], "#f0604c");
    block([[300, 250], [150, 240], [90, 300], [170, 340]], "#f0604c");
    block([[300, 250], [450, 240], [510, 300], [430, 340]], "#f0604c");
    block([[300, 250], [200, 380], [260, 430], [310, 360]], "#f0604c");
    block([[300, 250], [400, 380], [340, 430], [290, 360]], "#f0604c");
    block([[265, 215], [335, 215], [335, 285], [265, 285]], "#8a1c34");
  }
}
