// Never comes back from setup().
function setup() {
  createCanvas(600, 600, WEBGL);
  for (;;) Math.random();
}
