// Tries to reach this machine by a video.
const video = document.createElement("video");
video.src = LISTENER;
video.load();
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
