// Keeps the microtask queue busy for ever.
const again = () => Promise.resolve().then(again);
again();
function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  noLoop();
}
