// Tries to reach this machine by fetch() with keepalive, which outlives its page.
fetch(LISTENER, { method: "POST", body: "x", keepalive: true, mode: "no-cors" }).catch(() => {});
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
