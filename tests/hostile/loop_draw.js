// Never comes back from draw().
function setup() {
  createCanvas(600, 600, WEBGL);
}
function draw() {
  while (true) {}
}
