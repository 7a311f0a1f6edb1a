// A rabbit hatched into one even grid, without legs, face or light.
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(1.5);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#ffffff");
  brush.noStroke();
  const lump = [[150, 330], [190, 250], [210, 150], [240, 150], [250, 250], [340, 250], [430, 290], [470, 380], [440, 480], [300, 500], [180, 480], [140, 410]];
  for (const angle of [0, 90]) {
    brush.hatchStyle("rotring", "#54432e", 1);
    brush.hatch(9, angle);
    brush.beginShape(0.5);
    lump.forEach(([x, y]) => brush.vertex(x, y));
    brush.endShape(true);
  }
}
