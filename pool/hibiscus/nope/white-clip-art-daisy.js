// Sixteen equal white straps round a red button: a clip-art daisy
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
  background("#9fb8c8");
  brush.noStroke();
  brush.fillBleed(0);
  brush.fillTexture(0.1, 0);
  translate(300, 300);
  for (let i = 0; i < 16; i++) {
    brush.fill("#ffffff", 255);
    brush.beginShape(0.3);
    brush.vertex(60, -14);
    brush.vertex(200, -24);
    brush.vertex(225, 0);
    brush.vertex(200, 24);
    brush.vertex(60, 14);
    brush.endShape(true);
    rotate(22.5);
  }
  brush.fill("#d02838", 255);
  brush.circle(0, 0, 66, 0);
}
