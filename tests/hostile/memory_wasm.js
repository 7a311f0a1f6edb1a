// Grows WebAssembly memories to their limit, one after the other.
function setup() {
  createCanvas(600, 600, WEBGL);
  const kept = [];
  for (;;) {
    const memory = new WebAssembly.Memory({ initial: 2000 });
    new Uint8Array(memory.buffer).fill(1);
    kept.push(memory);
  }
}
