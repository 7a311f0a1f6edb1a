// Polygons with corners anywhere, one over another
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
  randomSeed(11);
  brush.fillBleed(0.1);
  brush.fillTexture(0.4, 0.4);
  for (let i = 0; i < 18; i++) {
    brush.fill(random(["#d63a8e", "#9a1c60", "#5f8f4a", "#f0b43c"]), random(120, 220));
    brush.beginShape(0);
    for (let k = 0; k < 5; k++) brush.vertex(random(600), random(600));
    brush.endShape(true);
  }
}
