// Tries to reach this machine by leaving for it.
setTimeout(() => (location.href = LISTENER), 100);
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
