// Five thousand filled circles.
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  brush.noStroke();
  brush.fill("#2040c0", 100);
  for (let i = 0; i < 5000; i++) brush.circle(random(-250, 250), random(-250, 250), random(10, 60));
  noLoop();
}
