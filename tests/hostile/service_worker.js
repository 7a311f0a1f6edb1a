// Registers a service worker, and a shared worker.
let reached = false;
navigator.serviceWorker?.register("data:text/javascript,1").then(() => (reached = true), () => {});
try {
  new SharedWorker("data:text/javascript,onconnect = (e) => e.ports[0].postMessage(1)").port.onmessage = () => (reached = true);
} catch {}
async function setup() {
  createCanvas(600, 600, WEBGL);
  background("#eee");
  await new Promise((done) => setTimeout(done, 400));
  if (reached) throw new Error("escaped");
  noLoop();
}
