// Fills memory with ArrayBuffers, which the limit of the JavaScript heap does not bound.
function setup() {
  createCanvas(600, 600, WEBGL);
  const kept = [];
  for (;;) kept.push(new Uint8Array(1e8).fill(1));
}
