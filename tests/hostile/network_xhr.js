// Tries to reach this machine by XMLHttpRequest.
const request = new XMLHttpRequest();
request.open("GET", LISTENER);
request.send();
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
