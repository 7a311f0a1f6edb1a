// Tries to reach this machine by a frame.
const frame = document.createElement("iframe");
frame.src = LISTENER;
document.documentElement.append(frame);
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
