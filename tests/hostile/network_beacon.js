// Tries to reach this machine by a beacon.
navigator.sendBeacon(LISTENER, "x");
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
