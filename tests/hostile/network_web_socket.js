// Tries to reach this machine by a WebSocket.
new WebSocket(LISTENER.replace("http", "ws"));
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
