// One shape of a million vertices.
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  brush.noStroke();
  brush.fill("#2040c0", 200);
  brush.beginShape(0);
  for (let i = 0; i < 1e6; i++) brush.vertex(200 * Math.cos(i), 200 * Math.sin(i * 1.7));
  brush.endShape(true);
  noLoop();
}
