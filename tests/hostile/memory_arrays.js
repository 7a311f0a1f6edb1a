// Fills memory with arrays.
function setup() {
  createCanvas(600, 600, WEBGL);
  const kept = [];
  for (;;) kept.push(new Array(1e6).fill(1.5));
}
