// The same on a canvas without a background, where the library's own shader paints.
function setup() {
  createCanvas(600, 600, WEBGL);
  brush.noStroke();
  brush.fillTexture(0.2, 0.4);
  brush.fill("#2040c0", 200);
  brush.circle(0, 0, 20);
  noStroke();
  fill(190, 40, 30);
  for (let i = 0; i < 40; i++) circle(random(-250, 250), random(-250, 250), 80);
  noLoop();
}
