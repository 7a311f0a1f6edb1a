// Puts another document in its page's place once it has painted.
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  noLoop();
}
function draw() {
  translate(-300, -300);
  brush.noStroke();
  brush.fill("#c03060", 200);
  brush.circle(300, 300, 120);
  location.href = "javascript:'<p>not a painting'";
}
