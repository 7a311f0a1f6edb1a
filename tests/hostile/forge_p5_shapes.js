// Paints with p5 alone.
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  noStroke();
  fill(32, 64, 192);
  for (let i = 0; i < 40; i++) circle(random(-250, 250), random(-250, 250), 80);
  noLoop();
}
