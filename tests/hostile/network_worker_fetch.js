// Tries to reach this machine by fetch() in a worker.
try { new Worker(URL.createObjectURL(new Blob([`fetch("${LISTENER}", { mode: "no-cors" })`]))); } catch {}
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  noLoop();
}
